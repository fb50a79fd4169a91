package client

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

// shop announces generation 1 of a resource with a page and a script.
func (st *stage) shop() []protocol.FileEntry {
	entries := st.serve("shop", map[string]string{"shop.html": "<p>", "shop.js": "1"})
	st.manifest("shop", 1, entries)
	return entries
}

func openShop(id uint32) *protocol.ViewOpen {
	return &protocol.ViewOpen{ViewID: id, Name: "shop", Generation: 1, Entry: "shop.html", Input: protocol.InputAll}
}

// statuses gives what the client reported of views since the last call: "id status".
func (st *stage) statuses() []string {
	var list []string
	for _, p := range received[*protocol.ViewStatus](st) {
		list = append(list, fmt.Sprint(p.ViewID, " ", p.Status))
	}
	return list
}

// shown connects and opens view 7 of shop.
func (st *stage) shown() *View {
	st.t.Helper()
	st.connect()
	st.shop()
	st.lane(openShop(7))
	if got := st.take("view"); len(got) != 1 {
		st.t.Fatalf("not opened: %v", got)
	}
	st.statuses()
	return st.opened()
}

func TestViewOpensFromCheckedFiles(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		v := st.shown()
		if v.ID != 7 || v.Resource != "shop" || v.Generation != 1 || v.Entry != "shop.html" || v.Input != protocol.InputAll || len(v.Origins()) != 0 {
			t.Errorf("view %+v", v)
		}
		for path, want := range map[string]string{"shop.html": "text/html; charset=utf-8 <p>", "shop.js": "text/javascript; charset=utf-8 1"} {
			body, contentType, err := v.Open(path)
			if got := contentType + " " + string(body); got != want || err != nil {
				t.Errorf("%s: %s %v", path, got, err)
			}
		}
		for _, path := range []string{"", "../shop.html", "other.js", "/shop.html", "SHOP.HTML"} {
			if _, _, err := v.Open(path); err == nil {
				t.Errorf("%q was given", path)
			}
		}
		if err := st.client.ViewLoaded(7); err != nil {
			t.Fatal(err)
		}
		st.client.ViewLoaded(7) // a second load is not told
		st.client.ViewLoaded(8)
		equal(t, st.statuses(), "7 loaded")
	})
}

func TestViewWaitsForItsFiles(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.serve("shop", nil)
		st.web.hold = make(chan struct{})
		st.shop()
		st.lane(openShop(7))
		st.lane(&protocol.ViewData{ViewID: 7, Revision: 1, Topic: "early", Parts: 1, Data: []byte("1")})
		st.client.ViewLoaded(7) // of a page that cannot be there yet
		equal(t, st.take("view"))
		equal(t, st.statuses())
		close(st.web.hold)
		equal(t, st.take("view"), "view 7 opened shop/1 shop.html", "view 7 data early@1 1")
	})
}

func TestViewFailures(t *testing.T) {
	for _, tt := range []struct {
		name   string
		make   func(st *stage)
		status string
	}{
		{"download", func(st *stage) { st.web.bodies = nil }, "7 download"},
		{"integrity", func(st *stage) { st.web.set("/shop/shop.js", []byte("2")) }, "7 integrity"},
	} {
		bubble(t, func(t *testing.T, st *stage) {
			entries := st.serve("shop", map[string]string{"shop.html": "<p>", "shop.js": "1"})
			tt.make(st)
			st.connect()
			st.manifest("shop", 1, entries)
			st.lane(openShop(7))
			st.lane(&protocol.ViewData{ViewID: 7, Topic: "a", Parts: 1, Data: []byte("1")})
			for range 200 {
				st.alive(time.Second)
			}
			equal(t, st.statuses(), tt.status)
			equal(t, st.take("view"))
			st.lane(openShop(8)) // of what has failed before
			equal(t, st.statuses(), strings.Replace(tt.status, "7", "8", 1))
		})
	}
}

func TestViewWithoutABrowser(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.shop()
		st.take()
		st.lane(openShop(7))
		equal(t, st.statuses(), "7 no_browser")
		equal(t, st.take())
	}, func(c *Config) { c.NoBrowser = true })
}

func TestViewOfAPageThatIsNotInTheManifest(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.shop()
		p := openShop(7)
		p.Entry = "other.html"
		st.lane(p)
		equal(t, st.statuses(), "7 page")
	})
}

func TestViewFailedByThePage(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		v := st.shown()
		if st.client.ViewFailed(7, protocol.ViewLoaded) == nil || st.client.ViewFailed(7, 99) == nil {
			t.Error("that is no failure")
		}
		st.client.ViewFailed(8, protocol.ViewFailedPage)
		equal(t, st.statuses())
		st.client.ViewFailed(7, protocol.ViewFailedPage)
		equal(t, st.take("view"), "view 7 closed failed")
		equal(t, st.statuses(), "7 page")
		if _, _, err := v.Open("shop.html"); !errors.Is(err, ErrViewClosed) || !v.Closed() {
			t.Errorf("a closed view gives files: %v", err)
		}
	})
}

func TestANewViewReplacesTheOpenOne(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		first := st.shown()
		st.lane(openShop(8))
		equal(t, st.take("view"), "view 7 closed replaced", "view 8 opened shop/1 shop.html")
		st.lane(&protocol.ViewClose{ViewID: 7})
		if !first.Closed() || st.opened().Closed() {
			t.Error("the wrong one is closed")
		}
		equal(t, st.statuses())
		st.lane(&protocol.ViewClose{ViewID: 8})
		equal(t, st.take("view"), "view 8 closed closed")
	})
}

func TestAReplacedViewThatWaitedNeverOpens(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.serve("shop", nil)
		st.web.hold = make(chan struct{})
		st.shop()
		st.lane(openShop(7))
		st.lane(openShop(8))
		close(st.web.hold)
		equal(t, st.take("view"), "view 8 opened shop/1 shop.html")
	})
}

func TestAViewThatEndsWhileItsFilesAreReadNeverOpens(t *testing.T) {
	for name, end := range map[string]func(s *session){
		"replaced": func(s *session) { s.views.openNew(&protocol.ViewOpen{ViewID: 8, Name: "none", Entry: "a.html"}) },
		"closed":   func(s *session) { s.views.close(7) },
		"removed":  func(s *session) { s.library.remove("shop", 1) },
		"failed":   func(s *session) { s.views.fail(7, protocol.ViewFailedPage) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, st *stage) {
				st.connect()
				st.shop()
				st.client.do(func(s *session) {
					s.views.openNew(openShop(7))
					end(s)
				})
				equal(t, st.take("view"))
			})
		})
	}
}

func TestViewOfAnOldGenerationNeverOpens(t *testing.T) {
	remove := func(st *stage) { st.lane(&protocol.ResourceRemove{Name: "shop", Generation: 1}) }
	for _, tt := range []struct {
		name     string
		before   func(st *stage)
		after    func(st *stage)
		statuses []string
	}{
		{"removed before", remove, nil, []string{"7 download"}},
		{"replaced before", func(st *stage) { st.manifest("shop", 2, st.serve("shop", map[string]string{"shop.html": "2"})) }, nil, []string{"7 download"}},
		{"never announced", func(st *stage) { st.lane(&protocol.ResourceRemove{Name: "shop", Generation: 1}) }, nil, []string{"7 download"}},
		{"removed while it waits", nil, remove, nil},
		{"replaced while it waits", nil, func(st *stage) { st.manifest("shop", 2, st.serve("shop", map[string]string{"shop.html": "2"})) }, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, st *stage) {
				st.connect()
				st.serve("shop", nil)
				st.web.hold = make(chan struct{})
				st.shop()
				if tt.before != nil {
					tt.before(st)
				}
				st.lane(openShop(7))
				if tt.after != nil {
					tt.after(st)
				}
				close(st.web.hold)
				st.alive(time.Minute)
				equal(t, st.take("view"))
				equal(t, st.statuses(), tt.statuses...)
			})
		})
	}
}

func TestRemovalClosesTheOpenView(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		v := st.shown()
		st.lane(&protocol.ResourceRemove{Name: "shop", Generation: 1})
		equal(t, st.take("view", "resource"), "resource shop/1 removed", "view 7 closed removed")
		if !v.Closed() {
			t.Error("still open")
		}
		equal(t, st.statuses())
	})
}

func TestTheEndOfTheSessionClosesTheOpenView(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		v := st.shown()
		st.stop()
		equal(t, st.take("view"), "view 7 closed session")
		if !v.Closed() {
			t.Error("still open")
		}
	})
}

func TestAnOpenViewSurvivesWhatHappensToTheCache(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		v := st.shown()
		if err := os.RemoveAll(st.client.cache.dir); err != nil {
			t.Fatal(err)
		}
		if body, _, err := v.Open("shop.js"); err != nil || string(body) != "1" {
			t.Errorf("%q %v", body, err)
		}
	})
}

func TestADamagedCachedFileIsDownloadedAgainBeforeTheViewOpens(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"changed": func(path string) error { return os.WriteFile(path, []byte("2"), 0o600) },
		"cut":     func(path string) error { return os.Truncate(path, 0) },
		"gone":    os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, st *stage) {
				st.connect()
				entries := st.shop()
				st.web.take()
				if err := damage(st.client.cache.path(blob{entries[1].SHA256, 1})); err != nil {
					t.Fatal(err)
				}
				st.lane(openShop(7))
				equal(t, st.take("view"), "view 7 opened shop/1 shop.html")
				equal(t, st.web.take(), "/shop/shop.js")
				if body, _, err := st.opened().Open("shop.js"); err != nil || string(body) != "1" {
					t.Errorf("%q %v", body, err)
				}
			})
		})
	}
}

func TestACacheThatDamagesEverythingFailsTheView(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.client.cache.write = func(f *os.File, b []byte) (int, error) { return f.Write(make([]byte, len(b))) }
		st.connect()
		st.shop()
		st.lane(openShop(7))
		equal(t, st.statuses(), "7 download")
		equal(t, st.take("view"))
		if asked := st.web.take(); len(asked) != 2*maxLoads {
			t.Errorf("asked %v", asked)
		}
	})
}

func TestViewDataAssembly(t *testing.T) {
	type part struct {
		view, revision uint32
		topic          string
		part, parts    uint8
		data           string
	}
	for _, tt := range []struct {
		name  string
		parts []part
		want  []string
	}{
		{"one part", []part{{7, 1, "a", 0, 1, `{"x":1}`}}, []string{`view 7 data a@1 {"x":1}`}},
		{"in order", []part{{7, 1, "a", 0, 3, `[1`}, {7, 1, "a", 1, 3, `,2`}, {7, 1, "a", 2, 3, `]`}}, []string{`view 7 data a@1 [1,2]`}},
		{"empty parts", []part{{7, 1, "a", 0, 2, ``}, {7, 1, "a", 1, 2, `[]`}}, []string{`view 7 data a@1 []`}},
		{"a part is missing", []part{{7, 1, "a", 0, 3, `[1`}, {7, 1, "a", 2, 3, `]`}}, nil},
		{"out of order resets", []part{{7, 1, "a", 0, 2, `[`}, {7, 1, "a", 0, 2, `[1`}, {7, 1, "a", 1, 2, `]`}}, []string{`view 7 data a@1 [1]`}},
		{"a late part does not go on", []part{{7, 1, "a", 0, 3, `1`}, {7, 1, "a", 2, 3, `3`}, {7, 1, "a", 1, 3, `2`}, {7, 1, "a", 2, 3, `3`}}, nil},
		{"begins in the middle", []part{{7, 1, "a", 1, 2, `1`}}, nil},
		{"another revision resets", []part{{7, 1, "a", 0, 2, `[`}, {7, 2, "a", 1, 2, `]`}}, nil},
		{"another count resets", []part{{7, 1, "a", 0, 2, `[`}, {7, 1, "a", 1, 3, `]`}}, nil},
		{"topics are apart", []part{{7, 1, "a", 0, 2, `[`}, {7, 1, "b", 0, 1, `2`}, {7, 1, "a", 1, 2, `]`}}, []string{`view 7 data b@1 2`, `view 7 data a@1 []`}},
		{"another view", []part{{8, 1, "a", 0, 1, `1`}}, nil},
		{"no JSON", []part{{7, 1, "a", 0, 1, `{`}, {7, 1, "a", 0, 1, "\"\xff\""}, {7, 1, "a", 0, 1, ``}}, nil},
		{"the revision is never lowered", []part{{7, 5, "a", 0, 1, `1`}, {7, 4, "b", 0, 1, `2`}, {7, 5, "b", 0, 1, `3`}}, []string{`view 7 data a@5 1`, `view 7 data b@5 3`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, st *stage) {
				st.shown()
				for _, p := range tt.parts {
					st.lane(&protocol.ViewData{ViewID: p.view, Revision: p.revision, Topic: p.topic, Part: p.part, Parts: p.parts, Data: []byte(p.data)})
				}
				equal(t, st.take("view"), tt.want...)
			})
		})
	}
}

func TestLatestSnapshots(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		v := st.shown()
		data := func(topic, json string, revision uint32) {
			st.lane(&protocol.ViewData{ViewID: 7, Revision: revision, Topic: topic, Parts: 1, Data: []byte(json)})
		}
		data("a", "1", 0)
		data("b", "2", 0)
		data("a", "3", 1)
		var got []string
		for _, s := range v.Latest() {
			got = append(got, fmt.Sprintf("%s@%d %s", s.Topic, s.Revision, s.JSON))
		}
		equal(t, got, "b@0 2", "a@1 3")
		for i := range 40 {
			data(fmt.Sprint("t", i), "1", 1)
		}
		if n := len(v.Latest()); n != maxTopics {
			t.Errorf("%d topics", n)
		}
	})
}

func TestViewAction(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.shown()
		fields := []protocol.ViewField{{Name: "item", Type: protocol.FieldString, String: "hat"}, {Name: "amount", Type: protocol.FieldNumber, Number: 2}}
		st.client.ViewAction(7, 3, "buy", fields) // the page was not reported as loaded
		if got := received[*protocol.ViewAction](st); len(got) != 0 {
			t.Error("an action before the page had loaded")
		}
		st.client.ViewLoaded(7)
		st.client.ViewAction(8, 3, "buy", fields)
		if err := st.client.ViewAction(7, 3, "buy", fields); err != nil {
			t.Fatal(err)
		}
		got := one[*protocol.ViewAction](st)
		back, err := protocol.ParseFields(got.Count, got.Fields)
		if err != nil || len(back) != 2 || back[0] != fields[0] || got.Revision != 3 || got.Action != "buy" || got.ViewID != 7 {
			t.Errorf("sent %+v, fields %v %v", got, back, err)
		}
		for _, bad := range [][]protocol.ViewField{
			{{Name: "Bad Name"}},
			{{Name: "s", Type: protocol.FieldString, String: strings.Repeat("x", 256)}},
			make([]protocol.ViewField, 17),
		} {
			if st.client.ViewAction(7, 3, "buy", bad) == nil {
				t.Errorf("%v was taken", bad)
			}
		}
		if st.client.ViewAction(7, 3, strings.Repeat("x", 33), nil) == nil {
			t.Error("a long action was taken")
		}
	})
}
