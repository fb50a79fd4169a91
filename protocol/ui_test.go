package protocol_test

import (
	"strings"
	"testing"

	"darqline/protocol"
	"darqline/protocol/internal/samples"
)

// TestSendsNothingHalf has what a struct can hold and the wire cannot: it is
// not sent without the part that has no place.
func TestSendsNothingHalf(t *testing.T) {
	for _, tc := range []struct {
		file   string
		change func(p protocol.Packet)
		want   string
	}{
		{"dialog_form_part", func(p protocol.Packet) { p.(*protocol.DialogForm).Content.Head.Body = "x" }, "is not sent, and must be empty"},
		{"dialog_table_rows", func(p protocol.Packet) { p.(*protocol.DialogTableRows).Columns = 2 }, "rows[0].cells at byte 16: 3 instead of 2"},
		{"dialog_table_rows", func(p protocol.Packet) { p.(*protocol.DialogTableRows).Columns = 4 }, "3 instead of 4"},
		{"hud_gauge", func(p protocol.Packet) { p.(*protocol.HudGauge).Present = false }, "what is removed has no other fields"},
		{"hud_announcement", func(p protocol.Packet) { p.(*protocol.HudAnnouncement).Duration = 0 }, "what is removed has no other fields"},
		{"edit_state_entries", func(p protocol.Packet) { p.(*protocol.EditState).Entries[0].Present = false }, "what is removed has no other fields"},
		{"edit_state_end", func(p protocol.Packet) { p.(*protocol.EditState).Map = "arena" }, "what is removed has no other fields"},
		{"edit_state_end", func(p protocol.Packet) {
			p.(*protocol.EditState).Entries = []protocol.EditEntry{{EntityID: 1}}
		}, "a session that has ended has no entries"},
		{"query_ping_answer", func(p protocol.Packet) { p.(*protocol.ServerQueryAnswer).Body[0].Value = strings.Repeat("x", 256) }, "256 bytes, at most 255 fit"},
		{"query_ping", func(p protocol.Packet) { p.(*protocol.ServerQuery).Padding = nil }, "0 bytes are outside 44..1180"},
		{"query_ping", func(p protocol.Packet) { p.(*protocol.ServerQuery).Kind = protocol.QueryChallenge }, "128 is outside 0..3"},
	} {
		s := samples.Named(tc.file)
		tc.change(s.Packet)
		if b, err := protocol.Append(nil, s.Header, s.Packet); err == nil || len(b) != 0 || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %d bytes, %v\nwant %s", tc.file, len(b), err, tc.want)
		}
	}
}

// TestDefaultNametag is the default of page Chat, HUD and dialogs.
func TestDefaultNametag(t *testing.T) {
	want := protocol.PlayerNametag{PlayerID: 3, PlayerToken: 7, Flags: 1 + 2 + 4 + 16, Distance: 40}
	if got := protocol.DefaultNametag(3, 7); *got != want {
		t.Errorf("%+v", got)
	}
	if _, err := protocol.Append(nil, protocol.Header{Event: 1}, protocol.DefaultNametag(3, 7)); err != nil {
		t.Error(err)
	}
}

// TestUIWords has the words that Lua uses for the UI and the editor.
func TestUIWords(t *testing.T) {
	for got, want := range map[string]string{
		protocol.PlaceTopLeft.String(): "top_left", protocol.PlaceCenter.String(): "center", protocol.Icon(40).String(): "oxygen",
		protocol.FormNote.String(): "note", protocol.CountdownLarge.String(): "large", protocol.SpeedKmh.String(): "km/h", protocol.OfferFromLeft.String(): "from_left",
		protocol.MapHiddenBuildings.String(): "hidden_buildings", protocol.EditEndDimension.String(): "dimension", protocol.EditLocked.String(): "locked",
		protocol.QueryChallenge.String(): "challenge", protocol.QueryTag(200).String(): "QueryTag(200)", protocol.AlignRight.String(): "right", protocol.Icon(41).String(): "Icon(41)",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if i, ok := protocol.ByName[protocol.Icon]("skull"); !ok || i != 38 {
		t.Errorf("skull is %d, %v", i, ok)
	}
}
