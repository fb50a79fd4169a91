package reference

import (
	"fmt"
	"strconv"
	"strings"

	"darqline/protocol"
)

// upgrades is the table of the slots of Tuning and their components.
func upgrades() string {
	var spans [protocol.UpgradeSlots][]string
	for first := uint16(protocol.FirstUpgrade); first <= protocol.LastUpgrade; {
		slot, _, _ := protocol.UpgradeSlot(first)
		last := first
		for next, _, ok := protocol.UpgradeSlot(last + 1); ok && next == slot; next, _, ok = protocol.UpgradeSlot(last + 1) {
			last++
		}
		spans[slot] = append(spans[slot], span(int(first), int(last)))
		first = last + 1
	}
	var b strings.Builder
	b.WriteString("| slot | components |\n|---|---|\n")
	for slot, list := range spans {
		if list == nil {
			fmt.Fprintf(&b, "| %d not used | |\n", slot)
			continue
		}
		first, _ := strconv.ParseUint(list[0][:4], 10, 16)
		_, name, _ := protocol.UpgradeSlot(uint16(first))
		fmt.Fprintf(&b, "| %d `%s` | %s |\n", slot, name, strings.Join(list, ", "))
	}
	return b.String()
}

// handling is the table of the properties of a VehicleHandling.
func handling() string {
	places := map[protocol.HandlingKind]string{
		protocol.HandlingFloat: "floats[%d]", protocol.HandlingVector: "floats[%d], the next two", protocol.HandlingBits: "bits[%d]", protocol.HandlingByte: "bytes[%d]",
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	var b strings.Builder
	b.WriteString("| bit | property | where | range |\n|---|---|---|---|\n")
	for n, h := range protocol.HandlingProperties() {
		where := fmt.Sprintf(places[h.Kind], h.At)
		between := number(h.Lo) + ".." + number(h.Hi)
		if h.Kind == protocol.HandlingBits {
			between = fmt.Sprintf("%#x", uint32(h.Hi))
		}
		fmt.Fprintf(&b, "| %d | `%s` | %s | %s |\n", n, h.Name, where, between)
	}
	return b.String()
}
