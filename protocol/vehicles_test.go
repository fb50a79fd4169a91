package protocol_test

import (
	"math"
	"strings"
	"testing"

	"darqline/protocol"
	"darqline/protocol/internal/samples"
)

func TestVehicleWords(t *testing.T) {
	for got, want := range map[string]string{
		wordsOf[protocol.OwnerRole](t):         "0none 1driver 2syncer 3carrier 4remote",
		wordsOf[protocol.SeatHow](t):           "0normal 1server 2jump 3jacked 4died 5fell",
		wordsOf[protocol.OccupancyPhase](t):    "0out 1entering 2seated 3exiting 4refused",
		wordsOf[protocol.EnterPhase](t):        "0request 1seated 2abandoned",
		wordsOf[protocol.ExitPhase](t):         "0request 1done 2abandoned",
		wordsOf[protocol.EnterRefusal](t):      "0not possible 1taken 2locked 3too far 4wreck 5by script",
		wordsOf[protocol.VehicleDeathCause](t): "0script 1burnt 2explosion 3water",
		wordsOf[protocol.VehicleWeapon](t):     "0gun 1rocket 2missile 3flare 4shell 5bomb",
		wordsOf[protocol.Winch](t):             "0none 1large 2harness 3small",
		wordsOf[protocol.AttachKind](t):        "0none 1player 2vehicle 3object",
		wordsOf[protocol.VehicleOp](t):         "0remove 1put",
		wordsOf[protocol.VehicleStatus](t):     "0alive 1wreck",
	} {
		if got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
	var controls []string
	for c := range protocol.Control(16) {
		controls = append(controls, c.String())
	}
	if got := strings.Join(controls, " "); got != "engine lights siren locked alarm taxi_light door door door door door door window window window window" {
		t.Error(got)
	}
}

// TestUpgrades has a component at each end of some slots of the table, and
// holds every component to one slot.
func TestUpgrades(t *testing.T) {
	for component, want := range map[uint16]string{
		1000: "spoiler", 1004: "hood", 1005: "hood", 1006: "roof", 1007: "sideskirt", 1008: "nitro", 1010: "nitro", 1013: "headlights", 1018: "exhaust",
		1025: "wheels", 1086: "stereo", 1087: "hydraulics", 1098: "wheels", 1100: "front_bullbar", 1109: "rear_bullbar", 1117: "front_bumper",
		1142: "vent_left", 1143: "vent_right", 1144: "vent_left", 1145: "vent_right", 1191: "front_bumper", 1193: "rear_bumper",
	} {
		slot, name, ok := protocol.UpgradeSlot(component)
		found, known := protocol.UpgradeSlotByName(want)
		if !ok || name != want || !known || found != slot {
			t.Errorf("%d is of slot %d, %s, %v; want %s", component, slot, name, ok, want)
		}
	}
	counts := make([]int, protocol.UpgradeSlots)
	for component := uint16(protocol.FirstUpgrade); component <= protocol.LastUpgrade; component++ {
		slot, name, ok := protocol.UpgradeSlot(component)
		if !ok || name == "" {
			t.Errorf("%d is of no slot", component)
		}
		counts[slot]++
	}
	for slot, want := range []int{4, 2, 20, 42, 5, 2, 2, 17, 3, 1, 1, 0, 17, 29, 25, 22, 2} {
		if counts[slot] != want {
			t.Errorf("slot %d has %d components, want %d", slot, counts[slot], want)
		}
	}
	for _, component := range []uint16{0, 999, 1194, math.MaxUint16} {
		if slot, name, ok := protocol.UpgradeSlot(component); ok {
			t.Errorf("%d is of slot %d, %s", component, slot, name)
		}
	}
	if slot, ok := protocol.UpgradeSlotByName(""); ok {
		t.Errorf("no name is slot %d", slot)
	}
}

func TestValidPlate(t *testing.T) {
	judge(t, protocol.ValidPlate, []verdict{
		{"", ""}, {"LS 1992A", ""}, {"        ", ""}, {"0", ""},
		{"ABCDEFGHI", "9 bytes are outside 0..8"}, {"ls", "'l' is not of A-Z 0-9 space"}, {"A-1", "'-'"}, {"Ä", "is not of"}, {"A\x00", "is not of"},
	})
}

// TestHandling sets each property alone, at both ends of its range and beyond.
func TestHandling(t *testing.T) {
	properties := protocol.HandlingProperties()
	for n := range properties {
		h := &properties[n]
		if n > 0 && h.Name == properties[n-1].Name {
			t.Errorf("two properties are called %s", h.Name)
		}
		for _, tc := range []struct {
			value float64
			ok    bool
		}{{h.Lo, true}, {h.Hi, true}, {h.Lo - 1, false}, {h.Hi + math.Max(1, h.Hi/1000), false}} {
			p := &protocol.VehicleHandling{VehicleID: 1, Mask: 1 << n}
			switch h.Kind {
			case protocol.HandlingBits:
				if tc.value < 0 || tc.value > math.MaxUint32 {
					continue // the field cannot hold it
				}
				p.Bits[h.At] = uint32(tc.value)
			case protocol.HandlingByte:
				if tc.value < 0 || tc.value > math.MaxUint8 {
					continue
				}
				p.Bytes[h.At] = uint8(tc.value)
			default:
				p.Floats[h.At] = float32(tc.value)
				if h.Kind == protocol.HandlingVector {
					p.Floats[h.At+1], p.Floats[h.At+2] = p.Floats[h.At], p.Floats[h.At]
				}
			}
			_, err := protocol.Append(nil, protocol.Header{}, p)
			if (err == nil) != tc.ok {
				t.Errorf("%s = %g: %v", h.Name, tc.value, err)
			}
			p.Mask = 0
			if _, err := protocol.Append(nil, protocol.Header{}, p); tc.value != 0 && err == nil {
				t.Errorf("%s = %g without its bit is sent", h.Name, tc.value)
			}
		}
	}
}

func TestMaxRounds(t *testing.T) {
	for w, want := range []uint8{10, 2, 1, 1, 1, 1} {
		if got := protocol.VehicleWeapon(w).MaxRounds(); got != want {
			t.Errorf("%v has up to %d rounds, want %d", protocol.VehicleWeapon(w), got, want)
		}
	}
}

// TestRelay holds RemoteVehicleFrame to being VehicleFrame from byte 9 on.
func TestRelay(t *testing.T) {
	frame, remote := samples.Named("vehicle_frame").Bytes(), samples.Named("remote_vehicle_frame").Bytes()
	if string(frame[9:]) != string(remote[1:]) {
		t.Errorf("%x is not the end of %x", remote[1:], frame)
	}
}
