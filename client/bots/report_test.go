package bots

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestReportAsJSON(t *testing.T) {
	b, err := json.Marshal(&Report{Players: 2, Seconds: 1.5, RelayP50: .25, Reasons: map[string]int{"timeout": 1}})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"players":2,"seconds":1.5,"relay_p50_ms":0.25,"relay_p99_ms":0,"relay_p999_ms":0,"frames_expected":0,"frames_received":0,"disconnects":0,`
	if !strings.HasPrefix(string(b), want) || !strings.HasSuffix(string(b), `"reasons":{"timeout":1}}`) {
		t.Errorf("the object is\n%s\nand begins with\n%s", b, want)
	}
}

func TestReportAsTable(t *testing.T) {
	var out strings.Builder
	r := Report{Players: 3, Seconds: 10, RelayP50: 1, RelayP99: 2.5, RelayP999: 4, FramesExpected: 1000, FramesReceived: 990, Loss: loss(1000, 990),
		FramesRate: 150, BytesHeard: 1_000_000, Shots: 4, Disconnects: 2, Reasons: map[string]int{"timeout": 1, "kicked: go": 3}}
	if err := r.Write(&out); err != nil {
		t.Fatal(err)
	}
	want := `players      3
measured     10.0 s
relay delay  p50 1.00 ms, p99 2.50 ms, p99.9 4.00 ms
frames       990 of 1000 expected within 95 m: 1.000 % lost
rate         150 frames/s heard in all, 100 kB/s
game         4 shots, 0 deaths, 0 respawns, 0 teleports, 0 lines of chat
disconnects  2
reasons      3 kicked: go, 1 timeout
`
	if out.String() != want {
		t.Errorf("the table is\n%s\nwant\n%s", out.String(), want)
	}
}

func TestCheck(t *testing.T) {
	good := Defaults()
	if err := good.Check(); err != nil {
		t.Errorf("the defaults: %v", err)
	}
	for name, spoil := range map[string]func(c *Config){
		"count": func(c *Config) { c.Count = MaxCount + 1 }, "rate": func(c *Config) { c.Rate = 26 },
		"ramp": func(c *Config) { c.Ramp = 0 }, "spread": func(c *Config) { c.Spread = 9 },
		"duration": func(c *Config) { c.Duration = -1 }, "deaths": func(c *Config) { c.Deaths = 11 },
		"chat": func(c *Config) { c.Chat = -1 },
	} {
		c := Defaults()
		spoil(&c)
		if c.Check() == nil {
			t.Errorf("a wrong %s passes", name)
		}
	}
}
