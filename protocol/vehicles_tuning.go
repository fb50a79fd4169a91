package protocol

import (
	"errors"
	"fmt"

	"darqline/protocol/wire"
)

// Components that upgrade a vehicle.
const (
	FirstUpgrade = 1000
	LastUpgrade  = 1193
	UpgradeSlots = 17 // slot 11 is not used
)

// NoPaintjob and NoVariant are the values of what a vehicle does not have.
const (
	NoPaintjob = 255
	NoVariant  = 255
)

type span struct{ first, last uint16 }

// upgradeSlots has, of each slot, its name and the components that fit it
// (page Vehicles, Tuning).
var upgradeSlots = [UpgradeSlots]struct {
	name       string
	components []span
}{
	{"hood", []span{{1004, 1005}, {1011, 1012}}},
	{"vent_left", []span{{1142, 1142}, {1144, 1144}}},
	{"spoiler", []span{{1000, 1003}, {1014, 1016}, {1023, 1023}, {1049, 1050}, {1058, 1058}, {1060, 1060}, {1138, 1139}, {1146, 1147}, {1158, 1158}, {1162, 1164}}},
	{"sideskirt", []span{
		{1007, 1007}, {1017, 1017}, {1026, 1027}, {1030, 1031}, {1036, 1036}, {1039, 1042}, {1047, 1048}, {1051, 1052}, {1056, 1057}, {1062, 1063}, {1069, 1072},
		{1090, 1090}, {1093, 1095}, {1099, 1099}, {1101, 1102}, {1106, 1108}, {1118, 1122}, {1124, 1124}, {1133, 1134}, {1137, 1137},
	}},
	{"front_bullbar", []span{{1100, 1100}, {1115, 1116}, {1123, 1123}, {1125, 1125}}},
	{"rear_bullbar", []span{{1109, 1110}}},
	{"headlights", []span{{1013, 1013}, {1024, 1024}}},
	{"roof", []span{
		{1006, 1006}, {1032, 1033}, {1035, 1035}, {1038, 1038}, {1053, 1055}, {1061, 1061}, {1067, 1068}, {1088, 1088}, {1091, 1091}, {1103, 1103}, {1128, 1128},
		{1130, 1131},
	}},
	{"nitro", []span{{1008, 1008}, {1009, 1009}, {1010, 1010}}},
	{"hydraulics", []span{{1087, 1087}}},
	{"stereo", []span{{1086, 1086}}},
	{}, // not used
	{"wheels", []span{{1025, 1025}, {1073, 1085}, {1096, 1098}}},
	{"exhaust", []span{
		{1018, 1022}, {1028, 1029}, {1034, 1034}, {1037, 1037}, {1043, 1046}, {1059, 1059}, {1064, 1066}, {1089, 1089}, {1092, 1092}, {1104, 1105}, {1113, 1114},
		{1126, 1127}, {1129, 1129}, {1132, 1132}, {1135, 1136},
	}},
	{"front_bumper", []span{
		{1111, 1112}, {1117, 1117}, {1152, 1153}, {1155, 1155}, {1157, 1157}, {1160, 1160}, {1165, 1166}, {1169, 1175}, {1179, 1179}, {1181, 1182}, {1185, 1185},
		{1188, 1191},
	}},
	{"rear_bumper", []span{
		{1140, 1141}, {1148, 1151}, {1154, 1154}, {1156, 1156}, {1159, 1159}, {1161, 1161}, {1167, 1168}, {1176, 1178}, {1180, 1180}, {1183, 1184}, {1186, 1187},
		{1192, 1193},
	}},
	{"vent_right", []span{{1143, 1143}, {1145, 1145}}},
}

// slotOf has the slot of each component.
var slotOf = func() (slots [LastUpgrade - FirstUpgrade + 1]uint8) {
	for slot, row := range upgradeSlots {
		for _, s := range row.components {
			for c := s.first; c <= s.last; c++ {
				slots[c-FirstUpgrade] = uint8(slot)
			}
		}
	}
	return slots
}()

// UpgradeSlot is the slot of a component, 0 to 16, and its name; false for what
// is not a component.
func UpgradeSlot(component uint16) (slot int, name string, ok bool) {
	if component < FirstUpgrade || component > LastUpgrade {
		return 0, "", false
	}
	slot = int(slotOf[component-FirstUpgrade])
	return slot, upgradeSlots[slot].name, true
}

// UpgradeSlotByName finds a slot.
func UpgradeSlotByName(name string) (slot int, ok bool) {
	for slot, row := range upgradeSlots {
		if row.name == name && name != "" {
			return slot, true
		}
	}
	return 0, false
}

var (
	paintjobs = new(wire.Set).With(0, 2).With(NoPaintjob, NoPaintjob)
	variants  = new(wire.Set).With(0, 5).With(NoVariant, NoVariant)
	plate     = wire.Alphabet("A-Z 0-9 space", 0, 8, func(b byte) bool { return b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == ' ' })
)

// ValidPlate says what is wrong with a number plate: 0..8 of A-Z, 0-9 and space
// (page Vehicles, Tuning).
func ValidPlate(s string) error { return plate.Check(s) }

// Tuning is what is fitted to a vehicle, 46 bytes (page Vehicles, Tuning).
type Tuning struct {
	Upgrades [UpgradeSlots]uint16 // by slot: 0, or a component of that slot
	Paintjob uint8                // 0..2, NoPaintjob
	Variants [2]uint8             // shown extras of the model, 0..5, NoVariant
	Plate    string               // by ValidPlate; empty: the client's default
}

func (t *Tuning) Wire(c *wire.Codec) {
	wire.Array(c, t.Upgrades[:], func(v *uint16, c *wire.Codec) { wire.ZeroOr(c, v, FirstUpgrade, LastUpgrade) })
	wire.OneOf(c, &t.Paintjob, paintjobs)
	wire.Array(c, t.Variants[:], func(v *uint8, c *wire.Codec) { wire.OneOf(c, v, variants) })
	c.Name(&t.Plate, 9, plate)
}

// Check holds components to their slots.
func (t *Tuning) Check() error {
	for i, component := range t.Upgrades {
		if component == 0 {
			continue
		}
		slot, name, ok := UpgradeSlot(component)
		if ok && slot != i {
			return fmt.Errorf("upgrades[%d]: component %d belongs into slot %d, %s", i, component, slot, name)
		}
	}
	return nil
}

// VehicleTuning fits upgrades, paintjob, extras and plate to a vehicle.
type VehicleTuning struct {
	VehicleID uint32
	Tuning    Tuning
}

func (*VehicleTuning) ID() ID { return IDVehicleTuning }

func (p *VehicleTuning) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	c.Struct(&p.Tuning)
}

func (p *VehicleTuning) Check() error { return p.Tuning.Check() }

// Colors are a vehicle's, 8 bytes (page Vehicles, Colors).
type Colors struct {
	Palette    [4]uint8 // car color ids
	Headlights RGBA     // opaque
}

func (l *Colors) Wire(c *wire.Codec) {
	c.Bytes(l.Palette[:])
	c.Color(&l.Headlights)
}

// Check holds the headlights to be opaque.
func (l *Colors) Check() error {
	if l.Headlights.A != 255 {
		return errors.New("headlights have alpha 255")
	}
	return nil
}

// VehicleColors paints a vehicle.
type VehicleColors struct {
	VehicleID uint32
	Colors    Colors
}

func (*VehicleColors) ID() ID { return IDVehicleColors }

func (p *VehicleColors) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	c.Struct(&p.Colors)
}

func (p *VehicleColors) Check() error { return p.Colors.Check() }
