package samples

import (
	"fmt"

	p "darqline/protocol"
)

func views() []Sample {
	var files []p.FileEntry
	for i := range p.MaxFilesPerPart {
		files = append(files, p.FileEntry{Path: fmt.Sprintf("img/coin-%d.png", i), Size: uint32(i * 600_000), SHA256: bytes32(byte(i * 32))})
	}
	count, fields, err := p.BuildFields([]p.ViewField{
		{Name: "item", Type: p.FieldString, String: "white_tee"},
		{Name: "amount", Type: p.FieldNumber, Number: 2},
		{Name: "gift", Type: p.FieldBoolean, Bool: true},
	})
	if err != nil {
		panic(err)
	}
	return []Sample{
		{File: "resource_files", Packet: &p.ResourceFiles{Name: "shop", Generation: 12, Total: 3, First: 1, Entries: []p.FileEntry{
			{Path: "shop.html", Size: 2048, SHA256: bytes32(0x00)}, {Path: "img/coin.webp", Size: p.MaxClientFile, SHA256: bytes32(0xE0)},
		}}},
		{File: "resource_files_full", Packet: &p.ResourceFiles{Name: "the-resource_with_31-bytes_name", Generation: 0xFFFFFFFF, Total: 64, First: 57, Entries: files}},
		{File: "resource_remove", Packet: &p.ResourceRemove{Name: "shop", Generation: 12}},
		{File: "view_open", Packet: &p.ViewOpen{ViewID: 31337, Name: "shop", Generation: 12, Entry: "shop.html", Input: p.InputAll}},
		{File: "view_open_sign_in", Packet: &p.ViewOpen{ViewID: 31338, Name: "accounts", Generation: 3, Entry: "sign-in/index.html", Input: p.InputAll, Origins: []string{
			"https://id.example.org", "https://login.example.org:8443", "http://127.0.0.1:8080", "http://localhost",
		}}},
		{File: "view_close", Packet: &p.ViewClose{ViewID: 31337}},
		{File: "view_data", Packet: &p.ViewData{ViewID: 31337, Revision: 4, Topic: "wallet", Part: 0, Parts: 1, Data: []byte(`{"money":500,"owned":[]}`)}},
		{File: "view_data_part", Packet: &p.ViewData{ViewID: 31337, Revision: 5, Topic: "catalog", Part: 15, Parts: 16, Data: []byte(long(`"0123456789",`, p.SnapshotPart))}},
		{File: "view_status", Packet: &p.ViewStatus{ViewID: 31337, Status: p.ViewFailedNoBrowser}},
		{File: "view_action", Packet: &p.ViewAction{ViewID: 31337, Revision: 4, Action: "buy", Count: count, Fields: fields}},
		{File: "view_action_empty", Packet: &p.ViewAction{ViewID: 31337, Revision: 0, Action: "leave", Fields: make([]byte, p.ActionFieldsSize)}},
	}
}
