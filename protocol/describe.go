package protocol

import "darqline/protocol/wire"

// Describe is the layout of a packet with its envelope, from packet_id to the
// last field; empty where the packet is not built yet.
func Describe(r *Row) wire.Layout {
	if r.New == nil {
		return wire.Layout{}
	}
	return describe(r, r.New())
}

// DescribeAnswer is the layout of a server query's answer; Describe has the
// query's.
func DescribeAnswer() wire.Layout {
	return describe(byID[IDServerQuery], new(ServerQueryAnswer))
}

func describe(r *Row, p Packet) wire.Layout {
	body := wire.Describe(p)
	return wire.Layout{Fields: append(envelope(r), body.Fields...)}
}

func envelope(r *Row) []wire.Field {
	fields := []wire.Field{{Name: "packet_id", Type: "u8", Min: 1, Max: 1, Note: hex(r.ID), Word: func(uint64) string { return r.Name }}}
	if r.HasToken() {
		fields = append(fields, wire.Field{Name: "token", Type: "u64", Min: 8, Max: 8, Note: "not 0"})
	}
	if r.HasEvent() {
		fields = append(fields, wire.Field{Name: "event_id", Type: "u32", Min: 4, Max: 4})
	}
	return fields
}

// hex writes an id as the pages do.
func hex(id ID) string {
	const digits = "0123456789ABCDEF"
	return "0x" + string([]byte{digits[id>>4], digits[id&15]})
}
