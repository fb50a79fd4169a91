package bind

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"darqline/scriptapi/sandbox"
)

// sign is a thing whose properties are the fields that it is made of.
type sign struct {
	args signArgs
	gone bool
}

type signArgs struct {
	Text  string  `lua:"text" range:"1..5" doc:"What it says."`
	Size  uint8   `lua:"size" range:"1..9" default:"3" doc:"How large."`
	Color *RGBA   `lua:"color" doc:"Its color."`
	On    bool    `lua:"on" default:"true" doc:"Whether it is lit."`
	For   *player `lua:"for_player,optional" made:"only" doc:"Who sees it."`
}

type overrideArgs struct {
	Values *Changes[signArgs] `lua:"values" doc:"What differs."`
}

// signs is a state with signs; it gives what a piece of code returns.
func signs(t *testing.T) func(code string) string {
	r := New()
	NewHandle(r, HandleSpec[*player]{Name: "Player", Type: "player"})
	var kept *Changes[signArgs]
	NewHandle(r, HandleSpec[*sign]{Name: "Sign", Type: "sign", Valid: func(s *sign) bool { return !s.gone }}).Add(
		Fields(func(s *sign) *signArgs { return &s.args }, func(s *sign, next *signArgs) error {
			if next.Text == "no" {
				return errors.New("not that")
			}
			s.args = *next
			return nil
		})...).Add(
		Method("override", "Changes a copy.", func(_ *Call, s *sign, a overrideArgs) (string, error) {
			kept = a.Values
			if kept == nil {
				return "none", nil
			}
			seen := s.args
			kept.Apply(&seen)
			return fmt.Sprint(seen.Text, seen.Size, seen.On, seen.Color != nil, kept.Has("size"), kept.Has("text")), nil
		}),
		Method("remove", "Takes it away.", func(_ *Call, s *sign, _ None) (None, error) { s.gone = true; return None{}, nil }),
		Method("last", "What it said.", func(_ *Call, s *sign, _ None) (string, error) { return s.args.Text, nil }, Late()),
	)
	r.Module("mp", "").Add(Func("sign", "Makes one.", func(_ *Call, a signArgs) (*sign, error) { return &sign{args: a}, nil }, Keyed()))
	sched := sandbox.NewScheduler(sandbox.Config{Post: func(func()) error { return nil }})
	t.Cleanup(sched.Close)
	env := r.Open(sched.NewState(sandbox.StateConfig{Name: "shop"}))
	return func(code string) string {
		p, err := sandbox.Compile("main.lua", []byte(`local s = mp.sign{ text = "hi" } local function show() return tostring(s.text) .. " " .. s.size .. " " .. tostring(s.on) .. " " .. tostring(s.color) end `+code))
		if err != nil {
			t.Fatal(err)
		}
		res, _, err := env.RunProgram(p, Run{Event: "entry"})
		if err != nil {
			return strings.TrimPrefix(err.Error(), "shop/main.lua:1: ")
		}
		plain, err := res.Raw(0).Plain()
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(plain)
	}
}

func TestFields(t *testing.T) {
	run := signs(t)
	for _, c := range []struct{ code, want string }{
		{`return show()`, "hi 3 true nil"},
		{`s.text, s.size, s.on, s.color = "ho", 9, false, "#0102037f" return show()`, "ho 9 false rgba(1, 2, 3, 127)"},
		{`s.size, s.color = 9, "#FFFFFF" s.size, s.color = nil, nil return show()`, "hi 3 true nil"},
		{`s.text = nil`, `sign.text: a string of 1..5 bytes expected, got nil`},
		{`s.text = "longer"`, `sign.text: a string of 1..5 bytes expected, got string "longer"`},
		{`s.size = 10`, `sign.size: integer 1..9 expected, got 10`},
		{`s.color = "#12345"`, `sign.color: an rgba or "#RRGGBB" expected, got string "#12345"`},
		{`s.color = "#12345G"`, `sign.color: an rgba or "#RRGGBB" expected, got string "#12345G"`},
		{`s.text = "no"`, `sign.text: not that`},
		{`pcall(function() s.text = "no" end) return show()`, "hi 3 true nil"},
		{`s.for_player = nil`, `sign.for_player: it can only be read`},
		{`return s.for_player`, "<nil>"},
		{`return s:override{ size = 5, color = rgba(1, 2, 3) }`, "hi5 true true true false"},
		{`return s:override{}`, "hi3 true false false false"},
		{`return s:override(nil)`, "none"},
		{`return s:override(5)`, `sign:override: argument 1 "values": a table expected, got number 5`},
		{`return s:override{ size = 0 }`, `sign:override: argument 1 "values": values.size: integer 1..9 expected, got 0`},
		{`return s:override{ for_player = 0 }`, `sign:override: argument 1 "values": a table with the keys text, size, color and on expected, got the unknown key "for_player"`},
		{`s:remove() return s.text`, `sign.text: this sign is gone`},
		{`s:remove() return s:last()`, "hi"},
	} {
		if got := run(c.code); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.code, got, c.want)
		}
	}
}
