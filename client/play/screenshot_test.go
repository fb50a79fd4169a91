package play

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"darqline/client"
	"darqline/protocol"
)

const (
	shopFolder  = "../../fixtures/demo/resources/shop"
	helloFolder = "../../cmd/darqline/templates/hello"
	newFolder   = "../../cmd/darqline/templates/new"
)

// shopData are snapshots as the demo's shop sends them.
var shopData = []snapshot{
	{"catalog", 1, `{"discount":10,"items":[` +
		`{"id":"camera","name":"Camera","note":"Twelve shots, no film","price":162,"stock":12},` +
		`{"id":"parachute","name":"Parachute","note":"Packed this morning","price":585,"stock":11},` +
		`{"id":"medkit","name":"First aid kit","note":"Plasters and hope","price":81,"stock":12},` +
		`{"id":"spray","name":"Spray can","note":"One color: yours","price":40,"stock":3},` +
		`{"id":"flowers","name":"Flowers","note":"For whoever is angry","price":27,"stock":0},` +
		`{"id":"radio","name":"Radio","note":"Gets eleven stations","price":108,"stock":12},` +
		`{"id":"fuel","name":"Jerrycan","note":"Twenty litres, full","price":67,"stock":12},` +
		`{"id":"armor","name":"Body armor","note":"Worn once, works","price":4810,"stock":12}]}`},
	{"wallet", 1, `{"bag":[{"count":1,"id":"parachute","name":"Parachute"},{"count":9,"id":"spray","name":"Spray can"}],"money":1555,"name":"Nova"}`},
}

// fill puts a lively session into the model.
func fill(p *playing) {
	p.connected()
	m := p.model
	now := time.Now().UnixMilli()
	for _, l := range []line{
		{Kind: "plain", Text: "{FFB454}Nova{/} joined", Markup: true},
		{Kind: "info", Text: "Welcome back, {FFB454}Nova{/}. This is visit number 4.", Markup: true},
		{Kind: "chat", Name: "Kilo", NameColor: "#7cc4ff", Text: "anyone up for a race to the pier?"},
		{Kind: "chat", Name: "Marta", Text: "give me two minutes, I am {FF0000}red{/} with envy about your car"},
		{Kind: "plain", Text: "{C8A8E9}* Kilo revs the engine", Markup: true},
		{Kind: "plain", Text: "Marta rolls {FFB454}6{/} of 6", Markup: true},
		{Kind: "success", Text: "Kilo gave you {FFB454}$50", Markup: true},
		{Kind: "warning", Text: "amount: a whole number 1..100000 expected, got \"abc\"\nUsage: /give <to> <amount 1..100000>"},
		{Kind: "error", Text: "The race is full."},
	} {
		l.At = now
		m.addLine(l)
	}
	for i, name := range []string{"Nova", "Kilo", "Marta", "Old_Pete"} {
		m.setPlayer(player{ID: uint16(i), Name: name, Ping: 23 + i*31, You: i == 0, Color: []string{"", "#7cc4ff", "", ""}[i]})
	}
	m.setResource(resource{Name: "shop", Generation: 6, State: "ready", Received: 9120, Total: 9120})
	m.setResource(resource{Name: "race_tracks", Generation: 4, State: "downloading", Received: 5 << 20, Total: 12 << 20})
	m.setResource(resource{Name: "hud", Generation: 3, State: "failed", Reason: "integrity: hud.js is not what the manifest says"})
}

// crowded is a world with several players in view.
func crowded(p *playing) *stageOf {
	w := &stageOf{playing: p, h: &handler{m: p.model}, self: nova()}
	w.place(2495, -1688, 20)
	for i, r := range []client.Remote{
		w.other(1, 2512, -1672, 130), w.other(2, 2468, -1694, 270), w.other(3, 2478, -1662, 200), w.other(4, 2540, -1720, 0),
	} {
		w.frame(&r, 40, func(f *protocol.Frame) {
			f.Health, f.Armor, f.Weapon = []uint8{100, 62, 24, 0}[i], []uint8{0, 55, 0, 0}[i], []protocol.Weapon{30, 0, 24, 0}[i]
			f.Flags |= []protocol.PlayerFlags{protocol.FlagAiming, protocol.FlagTyping, protocol.FlagPaused, 0}[i]
		})
		if i == 3 {
			r.Dead = true
			w.h.Remote(r)
		}
	}
	w.h.Fire(protocol.CreateFire{FireID: 1, Position: protocol.Vec3{X: 2530, Y: -1665}, Size: 2})
	return w
}

// battle is what is over in a moment.
func (w *stageOf) battle() {
	w.h.Shot(protocol.RemoteWeaponShot{PlayerID: 1, PlayerToken: ownToken + 1, Weapon: 30, Hit: protocol.Ref{Kind: protocol.RefPlayer, ID: ownToken},
		Origin: protocol.Vec3{X: 2512, Y: -1672}, End: protocol.Vec3{X: 2495, Y: -1688}})
	w.h.Explosion(protocol.CreateExplosion{Type: protocol.ExplosionCar, Position: protocol.Vec3{X: 2450, Y: -1650}})
}

// TestScreenshots writes pictures of the page into the folder DARQLINE_SCREENSHOTS, for people to look at.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("DARQLINE_SCREENSHOTS")
	if dir == "" {
		t.Skip("set DARQLINE_SCREENSHOTS to a folder to take pictures of the page")
	}
	p := start(t)
	ctx := chromium(t)
	shoot := func(name string) {
		t.Helper()
		for _, size := range [][2]int64{{1280, 720}, {2560, 1440}} {
			do(t, ctx, chromedp.EmulateViewport(size[0], size[1]))
			time.Sleep(400 * time.Millisecond) // transitions; a picture, not a test
			picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, fmt.Sprintf("%s-%d.png", name, size[0]))
			if err := os.WriteFile(file, picture, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		do(t, ctx, chromedp.EmulateViewport(1280, 720))
	}
	do(t, ctx, chromedp.Navigate(p.url))
	shoot("connecting")
	fill(p)
	p.model.setSelf(self{State: "pre_spawn", Weapons: []carried{}}, ownToken)
	shoot("spawning")
	w := crowded(p)
	shoot("map")
	for _, step := range []struct {
		name string
		keys string
	}{{"near", "+++"}, {"city", "------"}, {"whole", "--------------"}} {
		for _, each := range step.keys {
			do(t, ctx, press(string(each)))
		}
		w.battle()
		shoot("map-" + step.name)
	}
	for range 12 {
		do(t, ctx, press("+"))
	}
	w.self.State, w.self.Health, w.self.Armor = client.Wasted, 0, 0
	w.self.Death = protocol.PlayerWasted{KillerID: 1, KillerToken: ownToken + 1, Cause: 30}
	w.self.Respawn = time.Now().Add(4 * time.Second)
	w.tell()
	shoot("death")
	w.self.State, w.self.Health = client.Alive, 100
	w.tell()

	p.model.openView(demoView(t, 1, 6, "shop", shopFolder, "shop.html", "all"))
	for _, s := range shopData {
		p.model.setData(1, s)
	}
	until(t, ctx, `document.querySelector(".frame.loaded")`)
	shoot("shop")

	p.model.notify(notice{Kind: "error", Resource: "shop", Count: 1, Text: "shop/main.lua:12: unexpected symbol near 'end'"})
	p.model.notify(notice{Kind: "success", Resource: "bank", Count: 1, Text: "bank reloaded: generation 7, 43 ms"})
	shoot("notices")
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#stage").focus()`), chromedp.KeyEvent("r"))
	shoot("resources")
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#players-button").click()`))
	shoot("players")
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#help-button").click()`))
	shoot("help")
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#help-button").click()`))

	p.model.openView(demoView(t, 2, 7, "hello", helloFolder, "hello.html", "all"))
	p.model.setData(2, snapshot{"server", 1, `{"name":"My server","player":"Nova"}`})
	until(t, ctx, `document.querySelector(".frame.loaded")`)
	shoot("hello")
	p.model.openView(demoView(t, 3, 8, "my_first", newFolder, "view.html", "all"))
	p.model.setData(3, snapshot{"greeting", 1, `{"text":"Welcome","name":"Nova"}`})
	p.model.setData(3, snapshot{"clicks", 1, `{"count":7}`})
	until(t, ctx, `document.querySelector(".frame.loaded")`)
	shoot("new")

	p.session.end <- &ending{text: "connection lost: 127.0.0.1:7777 has gone silent"}
	shoot("waiting")
}
