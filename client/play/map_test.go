package play

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"darqline/client"
	"darqline/protocol"
	"darqline/protocol/wire"
)

// stageOf plays the server's part in a world: what the client would tell.
type stageOf struct {
	*playing
	h    *handler
	self client.Self
}

const ownToken = 100

// inWorld puts the own player, Nova with id 0, into the world near Grove Street.
func inWorld(p *playing) *stageOf {
	w := &stageOf{playing: p, h: &handler{m: p.model}, self: nova()}
	w.connected()
	p.model.setPlayer(player{ID: 0, Name: "Nova", You: true})
	w.place(2495, -1688, 0)
	return w
}

// nova is the own player, with an AK-47 in hand.
func nova() client.Self {
	s := client.Self{
		ID: 0, Token: ownToken, State: client.Alive, Health: 86.4, Armor: 40, Money: 12450, Wanted: 2, Weapon: 30,
		Bounds: protocol.SetWorldBounds{MinX: -wire.MaxCoordinate, MinY: -wire.MaxCoordinate, MaxX: wire.MaxCoordinate, MaxY: wire.MaxCoordinate},
	}
	s.Inventory[2] = client.Held{Weapon: 22, Has: true, Ammo: 68, Clip: 17}
	s.Inventory[5] = client.Held{Weapon: 30, Has: true, Ammo: 118, Clip: 28}
	s.Inventory[8] = client.Held{Weapon: 16, Has: true, Ammo: 6, Clip: 1}
	return s
}

// place spawns the own player there with the next epoch.
func (w *stageOf) place(x, y float32, heading float64) {
	w.self.Frame.Epoch++
	w.self.Frame.Position = protocol.Vec3{X: x, Y: y, Z: 13.5}
	w.tell()
	w.h.Placed(client.Placement{Epoch: w.self.Frame.Epoch, Position: w.self.Frame.Position, Heading: heading})
}

// tell hands the own player's state on.
func (w *stageOf) tell() {
	w.session.be(w.self)
	w.h.Self(w.self)
}

// other shows another player with token 100+id.
func (w *stageOf) other(id uint16, x, y float32, heading float64) client.Remote {
	r := client.Remote{ID: id, Token: ownToken + uint32(id), Shown: true, Frame: protocol.Frame{
		Position: protocol.Vec3{X: x, Y: y, Z: 13.5}, Heading: protocol.Angle(heading), AimYaw: protocol.Angle(heading),
		Flags: protocol.FlagOnGround, Health: 100,
	}}
	w.show(r)
	return r
}

func (w *stageOf) show(r client.Remote) {
	w.session.mu.Lock()
	w.session.remotes = append(w.session.remotes, r)
	w.session.mu.Unlock()
	w.h.Remote(r)
}

// frame moves another player.
func (w *stageOf) frame(r *client.Remote, ms uint16, change func(*protocol.Frame)) {
	r.Frame.Time += ms
	change(&r.Frame)
	w.h.Frame(r.ID, r.Token, &r.Frame)
}

// position is the newest own frame that the session got.
func (w *stageOf) position() protocol.Frame { return w.session.Self().Frame }

// open opens the page and waits for its world.
func (w *stageOf) open(t *testing.T) context.Context {
	t.Helper()
	ctx := chromium(t)
	do(t, ctx, chromedp.Navigate(w.url))
	until(t, ctx, `window.darqlinePlay?.look().me`)
	return ctx
}

// key presses or releases a key of the map.
func key(kind, code string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](fmt.Sprintf(
		`document.activeElement.dispatchEvent(new KeyboardEvent(%q, { code: %q, key: %q, bubbles: true, cancelable: true }))`, kind, code, code))
}

// eventually waits until a condition of the test's own side holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("never: " + what)
		}
	}
}

// TestWalk: the keys move the own player, and the server hears of it.
func TestWalk(t *testing.T) {
	w := inWorld(start(t))
	ctx := w.open(t)
	do(t, ctx, key("keydown", "KeyW"))
	eventually(t, "the player walks north", func() bool {
		f := w.position()
		return f.Position.Y > -1685 && f.Position.X == 2495 && f.Position.Z == 13.5 && f.MoveY == 127 && f.MoveX == 0 &&
			f.Heading == 0 && f.Velocity == [3]int16{0, 350, 0}
	})
	do(t, ctx, key("keydown", "ShiftLeft"), key("keydown", "KeyD"))
	eventually(t, "the player sprints north-east", func() bool {
		f := w.position()
		return f.Keys&protocol.KeySprint != 0 && f.Heading == protocol.Angle(315) && f.Velocity[0] == f.Velocity[1] && f.Velocity[0] > 440
	})
	do(t, ctx, key("keyup", "ShiftLeft"), key("keyup", "KeyD"), key("keyup", "KeyW"))
	eventually(t, "the player stands", func() bool { return w.position().Velocity == [3]int16{} && w.position().MoveY == 0 })

	do(t, ctx, key("keydown", "Space"), key("keyup", "Space"))
	eventually(t, "a tap of the jump key reaches a frame", func() bool { return w.position().Keys&protocol.KeyJump != 0 })

	do(t, ctx, press("t"))
	until(t, ctx, `document.activeElement.id === "line"`)
	eventually(t, "the frames say that the player types", func() bool { return w.position().Flags&protocol.FlagTyping != 0 })
	before := w.position().Position
	do(t, ctx, chromedp.KeyEvent("wwww"))
	until(t, ctx, `document.activeElement.value === "wwww"`)
	do(t, ctx, chromedp.KeyEvent(kb.Escape))
	eventually(t, "the player no longer types", func() bool { return w.position().Flags&protocol.FlagTyping == 0 })
	if after := w.position().Position; after != before {
		t.Errorf("typing walked from %v to %v", before, after)
	}

	if w.position().Flags&protocol.FlagPaused != 0 {
		t.Error("the frames say that the player is away")
	}
	w.self.Frozen = true
	w.tell()
	until(t, ctx, `document.querySelector("#marks").textContent === "Frozen"`)
	do(t, ctx, key("keydown", "KeyS"), key("keyup", "KeyS"))
	w.self.Frozen = false
	w.place(-2000, 300, 90)
	until(t, ctx, `window.darqlinePlay.look().me.x === -2000 && Math.abs(window.darqlinePlay.look().eye.x + 2000) < 1`)
	eventually(t, "the frames carry the new epoch", func() bool { return w.position().Epoch == 2 && w.position().Heading == protocol.Angle(90) })
}

// TestAway: while no page has the keyboard the player stands and is away, for others to see.
func TestAway(t *testing.T) {
	w := inWorld(start(t))
	away := func() bool { return w.position().Flags&protocol.FlagPaused != 0 }
	eventually(t, "without a page the player is away", away)
	conn := w.dial(t)
	say(t, conn, `{"type":"focus","focus":true}`)
	eventually(t, "a page has the keyboard", func() bool { return !away() })
	say(t, conn, `{"type":"move","move":{"epoch":1,"position":[1,2,3],"velocity":[3,0,0],"heading":90,"stick":[127,0],"keys":8}}`)
	eventually(t, "it moves the player", func() bool { return w.position().MoveX == 127 && w.position().Position.Z == 3 })
	other := w.dial(t)
	say(t, other, `{"type":"focus"}`)
	say(t, conn, `{"type":"focus"}`)
	eventually(t, "the keyboard is elsewhere", func() bool {
		f := w.position()
		return away() && f.MoveX == 0 && f.Keys == 0 && f.Velocity == [3]int16{} && f.Position.Z == 3
	})
	say(t, other, `{"type":"focus","focus":true}`)
	eventually(t, "the other page has it", func() bool { return !away() })
	other.CloseNow()
	eventually(t, "the page with the keyboard was closed", away)
}

// TestOthers: another player comes, moves between his frames, is hit, dies and goes.
func TestOthers(t *testing.T) {
	w := inWorld(start(t))
	ctx := w.open(t)
	w.model.setPlayer(player{ID: 5, Name: "Kilo", Color: "#7cc4ff"})
	r := w.other(5, 2500, -1680, 90)
	until(t, ctx, `(() => { const [p] = window.darqlinePlay.look().peds; return p?.name === "Kilo" && p.x === 2500 && p.heading === 90 })()`)
	for range 30 {
		w.frame(&r, 40, func(f *protocol.Frame) { f.Position.X += 0.2; f.Velocity[0] = 500; f.Weapon = 31 })
		time.Sleep(40 * time.Millisecond) // the pace of the frames
	}
	until(t, ctx, `(() => { const [p] = window.darqlinePlay.look().peds; return p.x > 2503 && p.weaponName === "M4" })()`)
	w.frame(&r, 40, func(f *protocol.Frame) { f.Velocity[0] = 0; f.Health = 40 })
	until(t, ctx, `window.darqlinePlay.look().peds[0].health === 40`)

	w.h.Shot(protocol.RemoteWeaponShot{PlayerID: 5, PlayerToken: 105, Weapon: 31, Hit: protocol.Ref{Kind: protocol.RefPlayer, ID: ownToken},
		Origin: r.Frame.Position, End: protocol.Vec3{X: 2495, Y: -1688, Z: 13}})
	until(t, ctx, `window.darqlinePlay.look().effects.moments.includes("shot")`)
	w.h.Explosion(protocol.CreateExplosion{Type: protocol.ExplosionBoat, Position: r.Frame.Position})
	until(t, ctx, `window.darqlinePlay.look().effects.moments.includes("blast")`)
	w.h.Fire(protocol.CreateFire{FireID: 9, Position: protocol.Vec3{X: 2600, Y: -1600}, Size: 2})
	until(t, ctx, `window.darqlinePlay.look().effects.fires === 1`)
	w.h.Extinguished(protocol.ExtinguishFire{Position: protocol.Vec3{X: 2610, Y: -1600}, Radius: 20})
	until(t, ctx, `window.darqlinePlay.look().effects.fires === 0`)
	w.h.Projectile(protocol.RemoteProjectileCreate{PlayerID: 5, PlayerToken: 105, ProjectileID: 3, Weapon: 39,
		Origin: r.Frame.Position, Velocity: protocol.Vec3{X: 3, Z: 1}})
	until(t, ctx, `window.darqlinePlay.look().effects.satchels === 1`)
	w.h.Satchels(client.Satchels{PlayerID: 5, PlayerToken: 105, Positions: []protocol.Vec3{r.Frame.Position}})
	until(t, ctx, `window.darqlinePlay.look().effects.satchels === 0`)

	r.Dead = true
	w.h.Wasted(protocol.PlayerWasted{PlayerID: 5, PlayerToken: 105, KillerID: protocol.NoPlayer})
	w.h.Remote(r)
	until(t, ctx, `window.darqlinePlay.look().peds[0].dead && window.darqlinePlay.look().effects.moments.includes("death")`)

	second := tab(t, ctx) // a page that is opened later sees him lie although no frame comes
	do(t, second, chromedp.Navigate(w.url))
	until(t, second, `window.darqlinePlay?.look().peds[0]?.dead`)
	r.Shown = false
	w.h.Remote(r)
	for _, each := range []context.Context{ctx, second} {
		until(t, each, `window.darqlinePlay.look().peds.length === 0`)
	}
}

// TestFight: a click shoots, at a player or at the ground; a grenade flies; the death screen asks for the respawn.
func TestFight(t *testing.T) {
	w := inWorld(start(t))
	ctx := w.open(t)
	w.other(5, 2505, -1688, 90)
	until(t, ctx, `window.darqlinePlay.look().peds.length === 1`)
	click := func(x, y float64) {
		t.Helper()
		at := evaluate[[]float64](t, ctx, fmt.Sprintf(`window.darqlinePlay.look().toScreen(%v, %v)`, x, y))
		do(t, ctx, chromedp.MouseClickXY(at[0], at[1]))
	}
	click(2505, -1688)
	w.session.expect(t, "shoot {player 105} 2505,-1688 rounds 0")
	w.session.expect(t, "hit 105 by ak47 shot 7 pellets 1 amount 0.0")
	until(t, ctx, `window.darqlinePlay.look().effects.moments.includes("shot")`)
	eventually(t, "the player turns to what it shoots at", func() bool { return math.Abs(protocol.Degrees(w.position().Heading)-270) < 3 })
	click(2495, -1660)
	w.session.expect(t, "shoot {ground 0} 2495,-1660 rounds 0")

	do(t, ctx, press("3"))
	w.session.expect(t, "arm grenade")
	w.self.Weapon = 16
	w.tell()
	until(t, ctx, `document.querySelector("#weapon").textContent.startsWith("Grenade")`)
	click(2495, -1684)
	w.session.expect(t, "throw to 2495,-1684")
	until(t, ctx, `window.darqlinePlay.look().effects.flying === 1`)
	w.session.expect(t, "hurt explosion {none 0} 82.5")
	until(t, ctx, `window.darqlinePlay.look().effects.moments.includes("blast")`)

	w.self.State, w.self.Health = client.Wasted, 0
	w.self.Death = protocol.PlayerWasted{KillerID: 5, KillerToken: 105, Cause: 30, BodyPart: protocol.PartHead}
	w.self.Respawn = time.Now().Add(4 * time.Second)
	w.model.setPlayer(player{ID: 5, Name: "Kilo"})
	w.tell()
	until(t, ctx, `document.querySelector("#death").innerText.includes("Killed by Kilo: AK-47.")`)
	until(t, ctx, `document.querySelector("#death-time").textContent.startsWith("Respawn in")`)
	click(2495, -1660) // of the dead: nothing
	do(t, ctx, press("r"))
	w.session.expect(t, "respawn")
	w.self.State, w.self.Health = client.Alive, 100
	w.place(2495, -1688, 0)
	until(t, ctx, `document.querySelector("#death").hidden`)
}

// TestEye: follow, zoom, drag, and the server's camera and fade.
func TestEye(t *testing.T) {
	w := inWorld(start(t))
	w.self.Weapon = 0
	w.tell()
	ctx := w.open(t)
	until(t, ctx, `Math.abs(window.darqlinePlay.look().eye.x - 2495) < 0.1`)
	scale := evaluate[float64](t, ctx, `window.darqlinePlay.look().eye.scale`)
	do(t, ctx, press("+"))
	until(t, ctx, fmt.Sprintf(`window.darqlinePlay.look().eye.scale > %v`, scale*1.4))
	for range 20 {
		do(t, ctx, press("-"))
	}
	until(t, ctx, `(() => { const l = window.darqlinePlay.look(), [x] = l.toScreen(-3000, 0), [, y] = l.toScreen(0, 3000); return x > 0 && y > 0 })()`)
	for range 12 {
		do(t, ctx, press("+"))
	}
	until(t, ctx, `Math.abs(window.darqlinePlay.look().eye.x - 2495) < 0.1`)
	drag := `(() => { const map = document.querySelector("#map"); for (const [type, x] of [["pointerdown", 900], ["pointermove", 800], ["pointerup", 800]])
		map.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: 300, button: 0, pointerId: 1 })) })()`
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#map").setPointerCapture = () => {}`), chromedp.Evaluate[chromedp.Void](drag))
	until(t, ctx, `!window.darqlinePlay.look().following && window.darqlinePlay.look().eye.x > 2496`)
	until(t, ctx, `document.querySelector("#follow").getAttribute("aria-pressed") === "false"`)
	do(t, ctx, press("f"))
	until(t, ctx, `window.darqlinePlay.look().following && Math.abs(window.darqlinePlay.look().eye.x - 2495) < 0.1`)

	do(t, ctx, chromedp.EmulateViewport(1920, 1080, chromedp.EmulateScale(2)))
	until(t, ctx, `document.querySelector("#map").width === 3840 && document.querySelector("#map").height === 2160`)
	do(t, ctx, chromedp.EmulateViewport(1280, 720))
	until(t, ctx, `document.querySelector("#map").width === 1280`)

	w.h.Camera(protocol.SetCamera{Mode: protocol.CameraFixed, Target: protocol.Vec3{X: -1500, Y: 800}, PlayerID: protocol.NoPlayer})
	until(t, ctx, `window.darqlinePlay.look().eye.x === -1500 && document.querySelector("#follow").disabled`)
	w.h.Camera(protocol.SetCamera{Mode: protocol.CameraGlide, Target: protocol.Vec3{X: 0, Y: 0}, Duration: 300, PlayerID: protocol.NoPlayer})
	until(t, ctx, `Math.abs(window.darqlinePlay.look().eye.x) < 0.01`)
	w.other(5, 1000, 1000, 0)
	w.h.Camera(protocol.SetCamera{Mode: protocol.CameraFollowPlayer, PlayerID: 5, Subject: 105})
	until(t, ctx, `Math.abs(window.darqlinePlay.look().eye.x - 1000) < 1`)
	w.h.Camera(protocol.SetCamera{Mode: protocol.CameraLeave, Fade: protocol.FadeOut, FadeTime: 50, FadeColor: protocol.RGBA{R: 255, A: 255}})
	until(t, ctx, `(() => { const style = getComputedStyle(document.querySelector("#fade")); return style.opacity === "1" && style.backgroundColor === "rgb(255, 0, 0)" })()`)
	w.h.Camera(protocol.SetCamera{Mode: protocol.CameraPlayer, Fade: protocol.FadeIn, FadeTime: 50})
	until(t, ctx, `getComputedStyle(document.querySelector("#fade")).opacity === "0" && Math.abs(window.darqlinePlay.look().eye.x - 2495) < 0.1`)
}

// TestSpawning: the wait for the spawn is shown, and explained when it is long; a camera of the server takes its place.
func TestSpawning(t *testing.T) {
	w := inWorld(start(t))
	w.self.State = client.PreSpawn
	w.tell()
	ctx := chromium(t)
	do(t, ctx, chromedp.Navigate(w.url))
	until(t, ctx, `!document.querySelector("#waiting").hidden && document.querySelector("#vitals").hidden`)
	until(t, ctx, `document.querySelector("#waiting-text").textContent.includes("has not put you into the world yet")`)
	w.self.Camera.Mode = protocol.CameraFixed
	w.tell()
	until(t, ctx, `document.querySelector("#waiting").hidden`)
	w.self.Camera.Mode, w.self.State = protocol.CameraPlayer, client.Alive
	w.place(2495, -1688, 0)
	until(t, ctx, `!document.querySelector("#vitals").hidden && document.querySelector("#waiting").hidden`)
}

// TestDisplayedView: a view that only displays lets the mouse and the keys through to the map.
func TestDisplayedView(t *testing.T) {
	w := inWorld(start(t))
	ctx := w.open(t)
	w.model.openView(testView(1, 6, "hud", "hud.html", "none", map[string]string{"hud.html": `<!doctype html>hud`}))
	w.session.expect(t, "loaded 1")
	until(t, ctx, `document.querySelector(".frame.loaded")`)
	at := evaluate[[]float64](t, ctx, `window.darqlinePlay.look().toScreen(2495, -1660)`)
	do(t, ctx, chromedp.MouseClickXY(at[0], at[1]))
	w.session.expect(t, "shoot {ground 0} 2495,-1660 rounds 0")
	do(t, ctx, key("keydown", "KeyA"))
	eventually(t, "the player walks west", func() bool { return w.position().Velocity == [3]int16{-350, 0, 0} })
	do(t, ctx, key("keyup", "KeyA"))
}
