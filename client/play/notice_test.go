package play

import "testing"

func TestParseNotice(t *testing.T) {
	for _, c := range []struct{ text, resource, rest string }{
		{"[darqline] shop reloaded: generation 7, 43 ms", "shop", "shop reloaded: generation 7, 43 ms"},
		{"[darqline] shop/main.lua:12: unexpected symbol near 'end'", "shop", "shop/main.lua:12: unexpected symbol near 'end'"},
		{"[darqline] shop: stopped", "shop", "shop: stopped"},
		{"[darqline] shop", "shop", "shop"},
	} {
		n, ok := parseNotice("error", c.text)
		if !ok || n.Resource != c.resource || n.Text != c.rest || n.Kind != "error" {
			t.Errorf("parseNotice(%q) = %+v, %v", c.text, n, ok)
		}
	}
	if _, ok := parseNotice("error", "shop/main.lua:12: [darqline] "); ok {
		t.Error("a text without the prefix is no notice")
	}
}

func fault(resource, text string) notice {
	return notice{Kind: "error", Resource: resource, Text: text, Count: 1}
}

func TestNotices(t *testing.T) {
	m := newModel("", "")
	m.notify(fault("shop", "shop/main.lua:12: a"))
	m.notify(fault("shop", "shop/main.lua:12: a"))
	m.notify(fault("bank", "bank/main.lua:1: b"))
	if len(m.notices) != 2 || m.notices[0].Count != 2 {
		t.Fatalf("a fault that comes again is counted: %+v", m.notices)
	}
	m.notify(notice{Kind: "success", Resource: "shop", Text: "shop reloaded", Count: 1})
	if len(m.notices) != 1 || m.notices[0].Resource != "bank" {
		t.Fatalf("a good reload ends the faults of its resource alone: %+v", m.notices)
	}
	m.dismiss(m.notices[0].ID)
	if len(m.notices) != 0 {
		t.Fatalf("dismissed notices go: %+v", m.notices)
	}
	for i := range 2 * maxNotices {
		m.notify(fault("shop", string(rune('a'+i))))
	}
	if len(m.notices) != maxNotices || m.notices[maxNotices-1].Text != string(rune('a'+2*maxNotices-1)) {
		t.Fatalf("%d notices, expected the newest %d", len(m.notices), maxNotices)
	}
}

func TestPageFaultsEndWithTheNextView(t *testing.T) {
	m := newModel("", "")
	m.origin = func(host string) string { return host }
	m.openView(testView(1, 6, "shop", "a.html", "all", nil))
	m.faultView(1, "a.js:3: x is not defined")
	m.faultView(2, "of a view that is not open")
	m.notify(fault("shop", "shop/main.lua:12: a"))
	if len(m.notices) != 2 || m.notices[0].Text != "shop/a.js:3: x is not defined" {
		t.Fatalf("got %+v", m.notices)
	}
	m.openView(testView(2, 7, "shop", "a.html", "all", nil))
	if len(m.notices) != 1 || m.notices[0].Page {
		t.Fatalf("a new view ends the page's faults, not the script's: %+v", m.notices)
	}
}
