package bind

import (
	"testing"

	"darqline/scriptapi/sandbox/luajson"
)

func TestJSON(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ code, want string }{
		{`return vec2(1, 2.5)`, `{"x":1,"y":2.5}`},
		{`return { pos = vec3(1, 2, 3) }`, `{"pos":{"x":1,"y":2,"z":3}}`},
		{`return { rgba(1, 2, 3), rgba(4, 5, 6, 7) }`, `[{"a":255,"b":3,"g":2,"r":1},{"a":7,"b":6,"g":5,"r":4}]`},
		{`return { at = vec3(1, 0, 0) / 0 }`, `at.x is inf`},
		{`return { items = { {}, {}, { owner = mp.players.get("ada") } } }`, `items[3].owner is a Player`},
		{`return mp.players.get("ada")`, `the value is a Player`},
	} {
		res, err := w.run(c.code)
		if err != nil {
			t.Errorf("%s: %v", c.code, err)
			continue
		}
		text, err := luajson.Encode(res.Raw(0).V, luajson.Options{Userdata: JSON})
		got := string(text)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.code, got, c.want)
		}
	}
}
