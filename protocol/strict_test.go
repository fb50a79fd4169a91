package protocol_test

import (
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"darqline/protocol"
	"darqline/protocol/internal/samples"
)

// patched is a sample with bytes (hex) put over a field.
func patched(t *testing.T, file, field, bytes string) []byte {
	t.Helper()
	s := samples.Named(file)
	r, _ := protocol.Lookup(s.Header.ID)
	name, further, _ := strings.Cut(field, "+")
	at := 0
	for _, c := range further {
		at = 10*at + int(c-'0')
	}
	found := false
	for _, f := range protocol.Describe(r).Fields {
		if f.Name == name {
			found = true
			break
		}
		if f.Min != f.Max { // a text whose length came before
			at += len(s.Packet.(*protocol.ChatMessage).Name)
			continue
		}
		at += f.Min
	}
	patch, err := hex.DecodeString(bytes)
	if err != nil || !found {
		t.Fatalf("%s of %s: %v", field, r.Name, err)
	}
	b := s.Bytes()
	copy(b[at:at+len(patch)], patch)
	return b
}

// TestAppendRefuses changes one sample and reads why it is not sent.
func TestAppendRefuses(t *testing.T) {
	long := strings.Repeat("x", 2000)
	for _, tc := range []struct {
		file   string
		change func(p protocol.Packet)
		want   string
	}{
		{"client_hello", func(p protocol.Packet) { p.(*protocol.ClientHello).Nonce = 0 }, "nonce at byte 3: must not be 0"},
		{"client_hello_first", func(p protocol.Packet) { p.(*protocol.ClientHello).Name = "" }, "name is empty and resume is 0"},
		{"client_hello", func(p protocol.Packet) { p.(*protocol.ClientHello).Name = long[:48] }, "48 bytes, at most 47 fit"},
		{"client_hello", func(p protocol.Packet) { p.(*protocol.ClientHello).Name = "a\x00b" }, "a NUL inside the text"},
		{"client_hello", func(p protocol.Packet) { p.(*protocol.ClientHello).Name = "a\xFFb" }, "byte 0xff is not UTF-8"},
		{"client_hello", func(p protocol.Packet) { p.(*protocol.ClientHello).Locale = "EN" }, "'E' is not of [a-z0-9-]"},
		{"connect_challenge", func(p protocol.Packet) { p.(*protocol.ConnectChallenge).Flags = 2 }, "bits 0x2 are not defined"},
		{"server_hello", func(p protocol.Packet) { p.(*protocol.ServerHello).PlayerID = protocol.NoPlayer }, "65535 is outside"},
		{"server_hello", func(p protocol.Packet) { p.(*protocol.ServerHello).Timeout = 5999 }, "less than 6 keepalives"},
		{"server_hello", func(p protocol.Packet) { p.(*protocol.ServerHello).AuthNonce[31] = 1 }, "auth_nonce is set"},
		{"connect_reject", func(p protocol.Packet) { p.(*protocol.ConnectReject).Reason = protocol.ReasonQuit }, "0 is not one of"},
		{"kick_notify", func(p protocol.Packet) { p.(*protocol.KickNotify).Reason = protocol.ReasonFull }, "12 is not one of"},
		{"kick_notify", func(p protocol.Packet) { p.(*protocol.KickNotify).Text = long[:128] }, "128 bytes, at most 127 fit"},
		{"player_leave", func(p protocol.Packet) { p.(*protocol.PlayerLeave).Reason = protocol.ReasonResume }, "19 is not one of"},
		{"auth_assertion", func(p protocol.Packet) { p.(*protocol.AuthAssertion).Data = nil }, "part 0 of 2 has 0 bytes"},
		{"auth_assertion_last", func(p protocol.Packet) { p.(*protocol.AuthAssertion).Data = nil }, "0 is outside 1..1024"},
		{"auth_assertion_last", func(p protocol.Packet) { p.(*protocol.AuthAssertion).Data = []byte(long[:1025]) }, "1025 is outside 1..1024"},
		{"auth_assertion_last", func(p protocol.Packet) { p.(*protocol.AuthAssertion).Data = []byte("a=") }, "'=' is not of base64url"},
		{"auth_accepted", func(p protocol.Packet) { p.(*protocol.AuthAccepted).Account = "forum" }, "has no colon"},
		{"player_sync", func(p protocol.Packet) { p.(*protocol.PlayerSync).Frame.Position.X = float32(math.NaN()) }, "(NaN, -1688.5, 13.75)"},
		{"player_sync", func(p protocol.Packet) { p.(*protocol.PlayerSync).Frame.Weapon = 19 }, "19 is not one of"},
		{"player_sync", func(p protocol.Packet) { p.(*protocol.PlayerSync).Frame.Carrier = 0 }, "without a carrier"},
		{"player_sync", func(p protocol.Packet) { p.(*protocol.PlayerSync).Frame.MoveX = -128 }, "-128 is outside"},
		{"player_sync", func(p protocol.Packet) { p.(*protocol.PlayerSync).Frame.CarrierOffset[2] = -5001 }, "is not within ±5000"},
		{"client_chat", func(p protocol.Packet) { p.(*protocol.ClientChat).Text = "" }, "0 bytes are outside 1..512"},
		{"client_chat", func(p protocol.Packet) { p.(*protocol.ClientChat).Text = long[:513] }, "513 bytes are outside 1..512"},
		{"client_chat", func(p protocol.Packet) { p.(*protocol.ClientChat).Text = "a\nb" }, "control character U+000A"},
		{"chat_message", func(p protocol.Packet) { p.(*protocol.ChatMessage).Name = long[:256+5] }, "261 bytes are outside 1..64"},
		{"chat_message", func(p protocol.Packet) { p.(*protocol.ChatMessage).Color = protocol.RGBA{R: 1} }, "with alpha 0"},
		{"server_message", func(p protocol.Packet) { p.(*protocol.ServerMessage).Text = strings.Repeat("\n", 12) }, "more than 12 lines"},
		{"server_message", func(p protocol.Packet) { p.(*protocol.ServerMessage).Text = "" }, "text is empty and the window is not emptied"},
		{"player_chat_bubble", func(p protocol.Packet) { p.(*protocol.PlayerChatBubble).Text = "" }, "text is empty; a bubble without a text is removed"},
		{"player_chat_bubble", func(p protocol.Packet) { p.(*protocol.PlayerChatBubble).Duration = 0 }, "what is removed has no other fields"},
		{"player_chat_bubble_remove", func(p protocol.Packet) { p.(*protocol.PlayerChatBubble).Distance = 5 }, "what is removed has no other fields"},
		{"ui_theme", func(p protocol.Packet) { p.(*protocol.UiTheme).Colors[protocol.ColorText].A = 0 }, "colors[4] must not"},
		{"platform_keys", func(p protocol.Packet) { p.(*protocol.PlatformKeys).Keys[0] = protocol.KeyEscape }, "Escape"},
		{"platform_keys", func(p protocol.Packet) { p.(*protocol.PlatformKeys).Keys[0] = 200 }, "200 is outside"},
		{"player_list_entry", func(p protocol.Packet) { p.(*protocol.PlayerListEntry).Entries = nil }, "0 is outside 1..170"},
		{"player_list_entry", func(p protocol.Packet) { p.(*protocol.PlayerListEntry).Entries[0].Op = 4 }, "4 is outside 0..3"},
		{"player_list_entry", func(p protocol.Packet) { p.(*protocol.PlayerListEntry).Entries[0].Cells = make([]string, 7) }, "7 is outside 0..6"},
		{"player_list_entry", func(p protocol.Packet) { p.(*protocol.PlayerListEntry).Entries[1].Cells[0] = long[:33] }, "entries[1].cells[0] at byte"},
		{"player_list_entry", func(p protocol.Packet) {
			l := p.(*protocol.PlayerListEntry)
			for i := range 5 {
				e := l.Entries[1]
				e.PlayerID = uint16(1000 + i)
				l.Entries = append(l.Entries, e)
				for j := range e.Cells {
					e.Cells[j] = long[:32]
				}
			}
		}, "the packet is too large"},
		{"resource_files", func(p protocol.Packet) { p.(*protocol.ResourceFiles).Entries = nil }, "0 is outside 1..7"},
		{"resource_files", func(p protocol.Packet) { p.(*protocol.ResourceFiles).First = 2 }, "files 2..3 are outside"},
		{"resource_files", func(p protocol.Packet) { p.(*protocol.ResourceFiles).Entries[1].Path = "../x.js" }, `entries[1].path at byte 176: "../x.js" has a segment ".."`},
		{"resource_files", func(p protocol.Packet) {
			f := p.(*protocol.ResourceFiles)
			f.Total, f.Entries = 64, make([]protocol.FileEntry, 300)
		}, "files 1..300 are outside"},
		{"resource_files_full", func(p protocol.Packet) {
			f := p.(*protocol.ResourceFiles)
			f.First, f.Entries = 0, append(f.Entries, f.Entries[0])
		}, "8 is outside 1..7"},
		{"view_open", func(p protocol.Packet) { p.(*protocol.ViewOpen).Entry = "shop.css" }, "is not an .html file"},
		{"view_open", func(p protocol.Packet) { p.(*protocol.ViewOpen).Origins = []string{""} }, `origin "": an origin begins`},
		{"view_open", func(p protocol.Packet) { p.(*protocol.ViewOpen).Origins = []string{"https://a.de\nb.de"} }, "is not a lowercase DNS name"},
		{"view_open", func(p protocol.Packet) { p.(*protocol.ViewOpen).Origins = make([]string, 5) }, "5 origins, at most 4"},
		{"view_open", func(p protocol.Packet) { p.(*protocol.ViewOpen).Origins = []string{long[:300]} }, "300 bytes, at most 255 fit"},
		{"view_data", func(p protocol.Packet) { p.(*protocol.ViewData).Data = []byte(long[:1025]) }, "1025 is outside 0..1024"},
		{"view_data", func(p protocol.Packet) { p.(*protocol.ViewData).Part = 1 }, "part 1 of 1"},
		{"view_action", func(p protocol.Packet) { p.(*protocol.ViewAction).Action = long[:33] }, "33 bytes, at most 32 fit"},
		{"view_action", func(p protocol.Packet) { p.(*protocol.ViewAction).Fields = []byte(long[:1025]) }, "1025 bytes, at most 1024 fit"},
	} {
		s := samples.Named(tc.file)
		tc.change(s.Packet)
		b, err := protocol.Append(nil, s.Header, s.Packet)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %s", tc.file, err, tc.want)
		}
		if len(b) != 0 {
			t.Errorf("%s: %d bytes came with the fault", tc.file, len(b))
		}
	}
}

// TestLenient has what page Resource files and views drops but acknowledges:
// it decodes, and encodes to the same bytes.
func TestLenient(t *testing.T) {
	for _, tc := range []struct{ file, field, bytes string }{
		{"view_status", "status", "05"},
		{"view_status", "status", "FF"},
		{"view_status", "view_id", "00000000"},
		{"view_action", "action", "00"},
		{"view_action", "action", "FF"},
		{"view_action", "action", strings.Repeat("61", 32)},
		{"view_action", "action+31", "61"},
		{"view_action", "count", "FF"},
		{"view_action", "fields", "00"},
		{"view_action", "fields+1023", "01"},
	} {
		b := patched(t, tc.file, tc.field, tc.bytes)
		h, p, err := protocol.Decode(b, protocol.ClientToServer)
		if err != nil {
			t.Errorf("%v: %v", tc, err)
			continue
		}
		if again, err := protocol.Append(nil, h, p); err != nil || string(again) != string(b) {
			t.Errorf("%v: %v, or other bytes", tc, err)
		}
	}
	// fewer bytes of fields than there is room for are filled up
	s := samples.Named("view_action_empty")
	s.Packet.(*protocol.ViewAction).Fields = nil
	if got := s.Bytes(); string(got) != string(samples.Named("view_action_empty").Bytes()) {
		t.Errorf("%x", got)
	}
}
