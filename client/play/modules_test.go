package play

import (
	"encoding/base64"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestModules runs what the page computes: the projection, the motion between frames, walking, and who is under the
// pointer.
func TestModules(t *testing.T) {
	p := start(t)
	ctx := chromium(t)
	do(t, ctx, chromedp.Navigate(p.url))
	golden, err := os.ReadFile("../../fixtures/protocol/remote_player_sync.bin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, body string }{
		{"a frame of the golden file", `
			const { decode, PACKET_SIZE } = await import("/map/frames.js");
			const bytes = Uint8Array.from(atob("` + base64.StdEncoding.EncodeToString(golden) + `"), (c) => c.charCodeAt(0));
			same(bytes.length, PACKET_SIZE);
			const twice = new Uint8Array(2 * bytes.length);
			twice.set(bytes); twice.set(bytes, bytes.length);
			const [a, b] = decode(twice.buffer);
			same(JSON.stringify(a), JSON.stringify(b));
			same(JSON.stringify(a), JSON.stringify({
				id: 258, token: 70001, seq: 4711, time: 60123, epoch: 7, interior: 3, x: 2495.25, y: -1688.5, z: 13.75,
				vx: -5.12, vy: 3, vz: 0.25, heading: 90, aim: 270, keys: 1033, flags: 65, weapon: 31, action: 0, health: 87, armor: 12,
			}));`},
		{"between two frames", `
			const { Track, turn } = await import("/map/track.js");
			const track = new Track();
			same(track.at(0), undefined);
			const frame = (time, x, more) => ({ time, epoch: 1, x, y: 0, z: 3, vx: 10, vy: 0, vz: 0, heading: 350, aim: 0, ...more });
			track.push(frame(65500, 0), 1000);
			near(track.at(1000).x, 0, "before it is due, the first frame stands");
			track.push(frame(64, 1, { heading: 10 }), 1100);        // 100 ms later by a clock that wraps
			near(track.at(1150).x, 0.5, "100 ms behind, half way");
			near(track.at(1150).heading, 0, "the shorter way round");
			near(track.at(1300).x, 2, "100 ms beyond the newest, by its velocity");
			near(track.at(9999).x, 3.5, "not more than 250 ms");
			track.push(frame(54, 77), 1110);                        // older by its clock: the server's own, as after a death
			near(track.at(1200).x, 77, "the newest place stands");
			track.push(frame(90, 500, { epoch: 2 }), 1120);
			near(track.at(1120).x, 500, "another epoch is there at once");
			near(turn(10, 350, 0.5), 0);
			near(turn(90, 270, 0.25), 45);`},
		{"a path that becomes slower", `
			const { Track } = await import("/map/track.js");
			const track = new Track();
			let last = -Infinity;
			for (let i = 0; i < 400; i++) {
				const late = i < 200 ? 10 : 90;
				track.push({ time: (i * 40) & 0xffff, epoch: 0, x: i, y: 0, z: 0, vx: 25, vy: 0, vz: 0, heading: 0, aim: 0 }, i * 40 + late);
				const { x } = track.at(i * 40 + late);
				if (x < last - 0.01) throw new Error("it goes back at " + i + ": " + last + " to " + x);
				last = x;
			}`},
		{"the projection", `
			const { Eye } = await import("/map/projection.js");
			const eye = new Eye();
			eye.frame({ left: 300, top: 50, width: 900, height: 600 });
			eye.lookAt(100, -200);
			near(eye.screenX(100), 750); near(eye.screenY(-200), 350);
			near(eye.worldX(eye.screenX(123)), 123); near(eye.worldY(eye.screenY(-45)), -45);
			if (eye.screenY(0) >= eye.screenY(-200)) throw new Error("north is not up");
			const x = eye.worldX(400), y = eye.worldY(500);
			eye.zoomAt(400, 500, 1.7);
			near(eye.worldX(400), x); near(eye.worldY(500), y);
			for (let i = 0; i < 50; i++) eye.zoomAt(400, 500, 0.5);
			near(eye.scale, eye.farthest);
			if (eye.screenX(-3000) < 300 || eye.screenY(-3000) > 650) throw new Error("the whole land is not in sight");
			for (let i = 0; i < 50; i++) eye.zoomTo(eye.scale * 2);
			near(eye.scale, 24);
			eye.lookAt(5000, 0); near(eye.x, 5000);`},
		{"walking", `
			const { step, headingOf, direction, SPEED } = await import("/map/walk.js");
			const everywhere = [-20000, -20000, 20000, 20000];
			const me = { x: 0, y: 0, heading: 0, pushX: 0, pushY: 0 };
			step(me, { x: 0, y: 1 }, {}, 1, everywhere);
			near(me.y, 3.5); near(me.vy, 3.5); near(me.heading, 0);
			step(me, { x: -1, y: 0 }, { sprint: true }, 1, everywhere);
			near(me.x, -6.5); near(me.heading, 90);
			step(me, { x: 1, y: 0 }, { walk: true, sprint: true }, 1, everywhere);
			near(me.x, -5); near(me.heading, 270);
			step(me, { x: Math.SQRT1_2, y: -Math.SQRT1_2 }, {}, 1, everywhere);
			near(Math.hypot(me.vx, me.vy), SPEED.run);
			step(me, { x: 1, y: 0 }, {}, 1, [-10, -10, -4, 10]);
			near(me.x, -4, "bounds hold");
			Object.assign(me, { pushX: 10, pushY: 0 });
			for (let i = 0; i < 60; i++) step(me, { x: 0, y: 0 }, {}, 0.05, everywhere);
			same(me.pushX, 0);
			if (me.x < -2 || me.x > 4) throw new Error("a push of 10 m/s went to " + me.x);
			near(headingOf(...direction(123)), 123);`},
		{"who is under the pointer", `
			const { pick } = await import("/map/pick.js");
			const peds = [{ id: 1, x: 0, y: 0 }, { id: 2, x: 3, y: 0 }];
			same(pick(peds, 2, 0, 2).id, 2);
			same(pick(peds, 0.5, 0.2, 24).id, 1);
			same(pick(peds, 1.5, 0, 24), null);
			same(pick([], 0, 0, 1), null);`},
		{"the land", `
			const { lands, names, roads } = await import("/map/land.js");
			const inside = ([x, y]) => lands.some(({ shape }) => {
				let odd = false;
				for (let i = 0, j = shape.length - 1; i < shape.length; j = i++) {
					const [ax, ay] = shape[i], [bx, by] = shape[j];
					if (ay > y !== by > y && x < (bx - ax) * (y - ay) / (by - ay) + ax) odd = !odd;
				}
				return odd;
			});
			for (const { shape } of lands) for (const [x, y] of shape) if (!(Math.abs(x) <= 3000 && Math.abs(y) <= 3000)) throw new Error(x + "," + y);
			for (const [kind, name, x, y] of names) if (kind !== "sea" && !/Bridge|Span/.test(name) && !inside([x, y])) throw new Error(name + " is in the water");
			for (const at of [[2495, -1688], [-2000, 300], [2000, 1500], [1700, -2500], [-2330, -1620]]) same(inside(at), true);
			for (const at of [[500, -2500], [-1000, 750], [0, -2500], [2990, -2990]]) same(inside(at), false);
			same(roads.every(({ line }) => line.length > 1 && line.flat().every(Number.isFinite)), true);`},
	} {
		out := evaluate[string](t, ctx, `(async () => {
			const same = (a, b, what = "") => { if (a !== b) throw new Error(what + " " + a + ", expected " + b); };
			const near = (a, b, what = "") => { if (!(Math.abs(a - b) < 1e-3)) throw new Error(what + " " + a + ", expected " + b); };
			try { `+c.body+`; return ""; } catch (error) { return error.stack; }
		})()`)
		if out != "" {
			t.Errorf("%s: %s", c.name, out)
		}
	}
}
