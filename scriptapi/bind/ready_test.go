package bind

import (
	"errors"
	"testing"

	"darqline/scriptapi/sandbox"
)

type guest struct{ in bool }

// TestEarly holds a handle whose thing is not ready to what is early, in every way to use it.
func TestEarly(t *testing.T) {
	g := &guest{}
	r := New()
	NewHandle(r, HandleSpec[*guest]{Name: "Guest", Type: "guest", Doc: "Somebody.", Data: true, Early: "Works at the door.",
		Ready: func(g *guest) error {
			if !g.in {
				return errors.New("he stands at the door")
			}
			return nil
		}}).Add(
		Prop("name", "His name.", func(*guest) string { return "Ada" }, func(*guest, string) error { return nil }, Early()),
		Prop("seat", "Where he sits.", func(*guest) int { return 1 }, func(*guest, int) error { return nil }),
		Method("greet", "Greets him.", func(*Call, *guest, None) (string, error) { return "hello", nil }, Early()),
		Method("feed", "Feeds him.", func(*Call, *guest, None) (None, error) { return None{}, nil }),
	)
	r.Module("house", "A house.").Add(
		Func("guest", "The guest.", func(*Call, None) (*guest, error) { return g, nil }),
		Func("ring", "Has him ring.", func(_ *Call, a struct {
			Guest *guest `lua:"guest" early:"true" doc:"Who."`
		}) (None, error) {
			return None{}, nil
		}),
		Func("seat", "Seats some.", func(_ *Call, a struct {
			Guests []*guest `lua:"guests" doc:"Who."`
		}) (None, error) {
			return None{}, nil
		}),
	)
	sched := sandbox.NewScheduler(sandbox.Config{Post: func(func()) error { return nil }})
	t.Cleanup(sched.Close)
	env := r.Open(sched.NewState(sandbox.StateConfig{Name: "house"}))
	run := func(code string) string {
		p, err := sandbox.Compile("main.lua", []byte("local g = house.guest()\n"+code))
		if err != nil {
			t.Fatal(err)
		}
		var fault *sandbox.ScriptError
		if _, _, err = env.RunProgram(p, Run{Event: "entry"}); errors.As(err, &fault) {
			return fault.Message
		}
		return ""
	}
	for code, want := range map[string]string{
		`return g.name`:             "",
		`g.name = "Eve"`:            "",
		`g:greet()`:                 "",
		`g.data.x = g.valid`:        "",
		`house.ring(g)`:             "",
		`return g.seat`:             "guest.seat: he stands at the door",
		`g.seat = 2`:                "guest.seat: he stands at the door",
		`g:feed()`:                  "guest:feed: he stands at the door",
		`g.feed(g)`:                 "guest:feed: he stands at the door",
		`house.seat({ g })`:         `house.seat: argument 1 "guests": he stands at the door`,
		`local f = g.feed; f(g)`:    "guest:feed: he stands at the door",
		`return g.saet`:             `guest.saet: no such property or method; did you mean "seat"?`,
		`house.ring(house.guest())`: "",
	} {
		if got := run(code); got != want {
			t.Errorf("at the door, %s:\n got %s\nwant %s", code, got, want)
		}
	}
	g.in = true
	for _, code := range []string{`g.seat = g.seat`, `g:feed()`, `house.seat({ g })`} {
		if got := run(code); got != "" {
			t.Errorf("inside, %s: %s", code, got)
		}
	}
	if doc := r.handles[0].members["greet"].doc; doc != "Greets him. Works at the door." {
		t.Errorf("the docs say %q", doc)
	}
}
