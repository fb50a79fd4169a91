package resources

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got\n%s\nwant\n%s", what, got, want)
	}
}

// A panic behind one resource is that resource's failure, and the next save heals it.
func TestAPanicOfTheRunnerStaysWithItsResource(t *testing.T) {
	w := newWorld(t, map[string]string{"shop/resource.toml": "", "shop/main.lua": "one", "bank/resource.toml": "", "bank/main.lua": "one"}).run()
	w.write("shop/main.lua", "crash")
	expect(t, "crash", w.do(w.manager.Reload("shop")), errFault.Error())
	expect(t, "state", w.state("shop"), "failed")
	expect(t, "the other one", w.state("bank"), "running")
	if log := w.happened(); !strings.HasSuffix(log, "start shop 3 \"crash\" state of 2\nretract shop 3") {
		t.Errorf("happened:\n%s", log)
	}
	w.write("shop/main.lua", "mended")
	expect(t, "mended", w.do(w.manager.Reload("shop")), "")
	expect(t, "state", w.state("shop"), "running")
}

func TestLife(t *testing.T) {
	w := newWorld(t, map[string]string{"shop/resource.toml": "", "shop/main.lua": "one"}).run()
	expect(t, "start", w.happened(), "publish shop 1\nstart shop 1 \"one\" <nil>\nchanged shop 0")

	w.write("shop/main.lua", "two")
	expect(t, "reload", w.do(w.manager.Reload("shop")), "")
	expect(t, "reload", w.happened(), "stop shop 1 reload\nchanged shop 2\nretract shop 1\npublish shop 2\n"+
		"start shop 2 \"two\" state of 1\nchanged shop 0")

	expect(t, "reload of the same bytes", w.do(w.manager.Reload("shop")), "")
	expect(t, "reload of the same bytes", w.happened(), "stop shop 2 reload\nchanged shop 2\nretract shop 2\npublish shop 3\n"+
		"start shop 3 \"two\" state of 2\nchanged shop 0")

	w.write("shop/main.lua", "typo")
	expect(t, "typo", w.do(w.manager.Reload("shop")), "shop/main.lua:1: syntax error near 'typo'")
	expect(t, "typo", w.happened(), "")
	s, _ := w.manager.Get("shop")
	if s.State != Running || s.Generation != 3 || s.Error == nil {
		t.Errorf("after a typo: %+v", s)
	}

	w.write("shop/main.lua", "error")
	expect(t, "error", w.do(w.manager.Reload("shop")), "shop/main.lua:1: error")
	expect(t, "error", w.happened(), "stop shop 3 reload\nchanged shop 2\nretract shop 3\npublish shop 4\n"+
		"start shop 4 \"error\" state of 3\nretract shop 4")
	expect(t, "state", w.state("shop"), "failed")

	w.write("shop/main.lua", "mended")
	expect(t, "mended", w.do(w.manager.Reload("shop")), "")
	expect(t, "the state outlives a failed reload", w.happened(), "publish shop 5\nstart shop 5 \"mended\" state of 3\nchanged shop 0")

	expect(t, "start again", w.do(w.manager.Start("shop")), `resource "shop" runs already; "reload shop" begins it anew`)
	expect(t, "stop", w.do(w.manager.Stop("shop")), "")
	expect(t, "stop", w.happened(), "stop shop 5 stop\nchanged shop 1\nretract shop 5")
	expect(t, "stop again", w.do(w.manager.Stop("shop")), `resource "shop" does not run`)
	expect(t, "reload of what is stopped", w.do(w.manager.Reload("shop")), `resource "shop" does not run; "start shop" starts it`)
	expect(t, "start", w.do(w.manager.Start("shop")), "")
	expect(t, "no state after a stop", w.happened(), "publish shop 6\nstart shop 6 \"mended\" <nil>\nchanged shop 0")

	expect(t, "unknown", w.do(w.manager.Start("shpo")), `there is no resource "shpo"; did you mean "shop"?`)
	expect(t, "died", w.do(w.manager.Died("shop", 5, errors.New("old"))), "")
	expect(t, "an old generation's death", w.happened(), "")
	expect(t, "died", w.do(w.manager.Died("shop", 6, errors.New("out of budget"))), "")
	expect(t, "died", w.happened(), "stop shop 6 stop\nchanged shop 1\nretract shop 6")
	expect(t, "died", w.state("shop"), "failed")
}

func TestCompilerPanic(t *testing.T) {
	w := newWorld(t, map[string]string{"shop/resource.toml": "", "shop/main.lua": "panic"}).run()
	s, _ := w.manager.Get("shop")
	if s.State != Failed || s.Error.Error() != `compiling resource "shop": of the compiler` {
		t.Errorf("%+v", s)
	}
}

func TestOrder(t *testing.T) {
	file := func(requires string) string { return "requires = [" + requires + "]" }
	w := newWorld(t, map[string]string{
		"a/resource.toml": file(`"c"`), "a/main.lua": "",
		"b/resource.toml": "", "b/main.lua": "",
		"c/resource.toml": file(`"d"`), "c/main.lua": "",
		"d/resource.toml": "", "d/main.lua": "",
		"x/resource.toml": "\n" + file(`"y"`), "x/main.lua": "",
		"y/resource.toml": file(`"z"`), "y/main.lua": "",
		"z/resource.toml": file(`"x"`), "z/main.lua": "",
		"m/resource.toml": file(`"bb"`), "m/main.lua": "",
	})
	w.config.Start = []string{"b", "*", "a", "accounts"}
	w.run()
	var started []string
	for _, line := range strings.Split(w.happened(), "\n") {
		if strings.HasPrefix(line, "start ") {
			started = append(started, strings.Fields(line)[1])
		}
	}
	if !slices.Equal(started, []string{"b", "d", "c", "a"}) {
		t.Errorf("started %v", started)
	}
	errs := map[string]string{}
	for _, s := range w.manager.List() {
		if s.Error != nil {
			errs[s.Name] = s.Error.Error()
		}
	}
	expect(t, "circle", errs["x"], "x/resource.toml:2: the resources require each other: x -> y -> z -> x")
	expect(t, "circle", errs["z"], "z/resource.toml:1: the resources require each other: z -> x -> y -> z")
	expect(t, "missing", errs["m"], `m/resource.toml:1: requires "bb", but there is no such resource; there is "a", "b", "c", "d", "m", "x", "y" and "z"`)

	w.write("bb/resource.toml", "")
	w.write("bb/main.lua", "")
	w.happened()
	expect(t, "the missing one comes", w.do(w.manager.Start("bb")), "")
	if got := w.happened(); !strings.Contains(got, "start bb 5") || !strings.Contains(got, "start m 6") {
		t.Errorf("what waited for it is tried again: %s", got)
	}
	for n := range w.notices {
		if n.Resource == "accounts" {
			expect(t, "start list", n.Err.Error(), `server.start names "accounts", but there is no such resource; `+
				`there is "a", "b", "c", "d", "m", "x", "y" and "z"`)
			break
		}
	}
}

// TestFullScriptLoop holds that work which the script loop does not take leaves everything as it was.
func TestFullScriptLoop(t *testing.T) {
	w := newWorld(t, map[string]string{"shop/resource.toml": "", "shop/main.lua": "one"})
	var full error
	w.config.Post = func(f func()) error {
		if full == nil {
			f()
		}
		return full
	}
	m, err := New(w.config)
	must(t, err)
	m.startAll(t.Context())
	w.happened()
	w.write("shop/main.lua", "two")
	shop := m.resources["shop"]

	full = errors.New("full")
	for name, do := range map[string]func() error{
		"reload": func() error { return m.reload(shop, false) },
		"stop":   func() error { return m.stop(shop) },
		"died":   func() error { return m.died(shop, 1, errors.New("x")) },
	} {
		if err := do(); err == nil || err.Error() != "the script loop takes no more work: full" {
			t.Errorf("%s: %v", name, err)
		}
		if shop.state != Running || shop.current == nil || shop.number != 1 {
			t.Errorf("after %s: %+v", name, shop)
		}
	}
	expect(t, "calls", w.happened(), "")
	full = nil
	must(t, m.reload(shop, false))
	if got := w.happened(); !strings.Contains(got, "start shop 3 \"two\" state of 1") {
		t.Error(got)
	}
}

// TestBrokenRequirement says the fault of a resource once, however many require it, and starts them when it is mended.
func TestBrokenRequirement(t *testing.T) {
	needs := "requires = [\"bank\"]"
	w := newWorld(t, map[string]string{"bank/resource.toml": "", "bank/main.lua": "typo",
		"a/resource.toml": needs, "a/main.lua": "", "b/resource.toml": needs, "b/main.lua": ""}).run()
	var failed []string
	for range 3 {
		n := w.wait(NoticeFailed)
		failed = append(failed, n.Err.Error())
	}
	expect(t, "faults", strings.Join(failed, "\n"), "bank/main.lua:1: syntax error near 'typo'\n"+
		"a/resource.toml:1: requires \"bank\", which has failed; this one starts when that one does\n"+
		"b/resource.toml:1: requires \"bank\", which has failed; this one starts when that one does")
	w.still()
	w.write("bank/main.lua", "mended")
	expect(t, "reload", w.do(w.manager.Reload("bank")), "")
	for _, name := range []string{"bank", "a", "b"} {
		expect(t, name, w.state(name), "running")
	}
}

func TestStopsInReverse(t *testing.T) {
	w := newWorld(t, map[string]string{"a/resource.toml": "requires = [\"b\"]", "a/main.lua": "", "b/resource.toml": "", "b/main.lua": ""})
	m, err := New(w.config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	loop := func(until <-chan struct{}) {
		for {
			select {
			case f := <-w.loop:
				f()
			case <-until:
				return
			}
		}
	}
	loop(m.Started())
	again := make(chan struct{})
	go func() { // b is now the last started, but a requires it still
		defer close(again)
		if err := errors.Join(m.Stop("b").Wait(ctx), m.Start("b").Wait(ctx)); err != nil {
			t.Error(err)
		}
	}()
	loop(again)
	w.happened()
	done := make(chan struct{})
	cancel()
	go func() {
		defer close(done)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	loop(done)
	expect(t, "end", w.happened(), "stop a 2 stop\nchanged a 1\nretract a 2\nstop b 3 stop\nchanged b 1\nretract b 3")
	if err := m.Start("a").Wait(context.Background()); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// TestQuickReloadsAreOne holds five reloads that come while one runs to one more, with the last bytes.
func TestQuickReloadsAreOne(t *testing.T) {
	w := newWorld(t, map[string]string{"shop/resource.toml": "", "shop/main.lua": "0"}).run()
	hold, held := make(chan struct{}), make(chan struct{})
	go func() { w.loop <- func() { close(held); <-hold } }()
	<-held
	first := w.manager.Reload("shop") // is taken and waits for the script loop
	for first2 := true; first2; {
		w.manager.queue.mu.Lock()
		first2 = len(w.manager.queue.waiting) > 0
		w.manager.queue.mu.Unlock()
	}
	w.happened()
	var last *Operation
	for _, text := range []string{"1", "2", "3", "4", "5"} {
		w.write("shop/main.lua", text)
		last = w.manager.Reload("shop")
	}
	close(hold)
	expect(t, "first", w.do(first), "")
	expect(t, "last", w.do(last), "")
	if got := w.happened(); strings.Count(got, "start shop") != 2 || !strings.Contains(got, `start shop 3 "5"`) {
		t.Errorf("got\n%s", got)
	}
}

func TestQueueIsBounded(t *testing.T) {
	w := newWorld(t, map[string]string{})
	m, err := New(w.config)
	if err != nil {
		t.Fatal(err)
	}
	var last *Operation
	for i := range maxWaiting + 1 {
		last = m.Start(strings.Repeat("x", i+1))
	}
	expect(t, "too many", w.do(last), "1024 operations on resources wait already")
}

func TestBuiltin(t *testing.T) {
	builtin := fstest.MapFS{
		"hello/resource.toml": {Data: []byte("description = \"Hello\"\n[client]\nfiles = [\"a.html\"]")},
		"hello/main.lua":      {Data: []byte("hi")},
		"hello/a.html":        {Data: []byte("<p>")},
		"README":              {Data: []byte("no folder")},
	}
	for name, files := range map[string]map[string]string{"no folder": nil, "empty folder": {}, "no resource in it": {"Тест/main.lua": ""}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, files)
			w.config.Builtin = builtin
			w.run()
			expect(t, "start", w.happened(), "publish hello 1\nstart hello 1 \"hi\" <nil>\nchanged hello 0")
			expect(t, "reload", w.do(w.manager.Reload("hello")), "")
			s, _ := w.manager.Get("hello")
			if s.Description != "Hello" || s.Dir != "" || s.Generation != 2 {
				t.Errorf("got %+v", s)
			}
		})
	}
	t.Run("a resource in it", func(t *testing.T) {
		w := newWorld(t, map[string]string{"shop/resource.toml": "", "shop/main.lua": ""})
		w.config.Builtin = builtin
		w.run()
		expect(t, "hello", w.state("hello"), "unknown")
	})
}

func TestNewRefusesAFile(t *testing.T) {
	w := newWorld(t, nil)
	if err := os.WriteFile(w.dir, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := New(w.config); err == nil || !strings.HasPrefix(err.Error(), "the folder of resources cannot be read: ") {
		t.Errorf("got %v", err)
	}
}

// TestSnapshot holds that what is served is what was hashed, whatever happens to the file.
func TestSnapshot(t *testing.T) {
	w := newWorld(t, map[string]string{"shop/resource.toml": "[client]\nfiles = [\"a.css\"]", "shop/main.lua": "", "shop/a.css": "old"}).run()
	body := func() []byte { return w.manager.resources["shop"].current.Bundle.ClientFiles[0].Body } // quiet: nobody writes
	first := body()
	w.write("shop/a.css", "new")
	if !bytes.Equal(first, []byte("old")) {
		t.Error("the bytes have changed")
	}
	expect(t, "reload", w.do(w.manager.Reload("shop")), "")
	if !bytes.Equal(first, []byte("old")) || !bytes.Equal(body(), []byte("new")) {
		t.Error("wrong bytes after the reload")
	}
}
