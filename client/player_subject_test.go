package client

import (
	"testing"
	"time"

	"darqline/protocol"
)

// Each packet about a player changes the own one and another alike, in view and out of it.
func TestSubjects(t *testing.T) {
	skills, stats := [protocol.SkillCount]uint16{3: 7}, [protocol.StatCount]uint16{2: 8}
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		st.lane(playerSpawned(4, 9))
		st.send(remoteFrame(4, 9, 1, 1))
		look := func(id uint16) Appearance {
			if id == myID {
				return st.client.Self().Appearance
			}
			p, _ := st.client.Remote(id)
			return p.Appearance
		}
		for _, who := range []struct {
			id    uint16
			token uint32
			told  string
		}{{myID, myToken, "self alive 100/0"}, {4, 9, "remote 4/9 shown"}} {
			id, token := who.id, who.token
			for _, test := range []struct {
				packet protocol.Packet
				is     func(a Appearance) bool
			}{
				{&protocol.SetSkin{PlayerID: id, PlayerToken: token, Skin: 9}, func(a Appearance) bool { return a.Skin == 9 }},
				{&protocol.PlayerSkills{PlayerID: id, PlayerToken: token, Skills: skills}, func(a Appearance) bool { return a.Skills == skills }},
				{&protocol.SetPlayerStats{PlayerID: id, PlayerToken: token, Stats: stats}, func(a Appearance) bool { return a.Stats == stats }},
				{&protocol.SetFightingStyle{PlayerID: id, PlayerToken: token, Style: protocol.FightBoxing}, func(a Appearance) bool { return a.FightingStyle == protocol.FightBoxing }},
				{&protocol.SetWalkingStyle{PlayerID: id, PlayerToken: token, Style: 126}, func(a Appearance) bool { return a.WalkingStyle == 126 }},
				{&protocol.SetHeadless{PlayerID: id, PlayerToken: token, Headless: true}, func(a Appearance) bool { return a.Headless }},
				{&protocol.SetOnFire{PlayerID: id, PlayerToken: token, OnFire: true}, func(a Appearance) bool { return a.OnFire }},
				{&protocol.SetSpecialAction{PlayerID: id, PlayerToken: token, Action: protocol.ActionBeer}, func(a Appearance) bool { return a.Action == protocol.ActionBeer }},
				{&protocol.ApplyAnimation{PlayerID: id, PlayerToken: token, Animation: 5, Block: "PED", Name: "WALK", Speed: 1}, func(a Appearance) bool { return a.Animation.ID == 5 && a.Animation.Name == "WALK" }},
				{&protocol.ClearAnimations{PlayerID: id, PlayerToken: token}, func(a Appearance) bool { return a.Animation == Animation{} }},
			} {
				st.take()
				st.lane(test.packet)
				equal(t, st.take(), who.told)
				if !test.is(look(id)) {
					t.Errorf("%T of %d: %+v", test.packet, id, look(id))
				}
			}
		}
		st.lane(&protocol.SetSkin{PlayerID: myID, PlayerToken: myToken + 1, Skin: 11})
		st.lane(&protocol.SetSkin{PlayerID: 4, PlayerToken: 8, Skin: 11})
		st.lane(&protocol.SetSkin{PlayerID: 5, PlayerToken: 8, Skin: 11})
		equal(t, st.take())
		// Out of view it is kept; a new generation begins at the defaults, its spawn says all.
		st.lane(&protocol.PlayerStreamOut{PlayerID: 4, PlayerToken: 9, LastSeq: 1})
		st.lane(&protocol.SetSkin{PlayerID: 4, PlayerToken: 9, Skin: 12})
		st.send(remoteFrame(4, 9, 2, 1))
		if a := look(4); a.Skin != 12 || a.Stats != stats {
			t.Errorf("%+v", a)
		}
		st.lane(playerSpawned(4, 9, func(p *protocol.PlayerSpawned) { p.Skin = 13 }))
		if a := look(4); a.Skin != 13 || a.Stats != [protocol.StatCount]uint16{} || a.OnFire {
			t.Errorf("%+v", a)
		}
		st.send(remoteFrame(4, 20, 1, 1))
		st.lane(&protocol.SetSkin{PlayerID: 4, PlayerToken: 20, Skin: 14})
		if _, ok := st.client.Remote(4); ok {
			t.Error("shown without a spawn")
		}
	})
}

func TestOwnAnimation(t *testing.T) {
	animate := func(id uint16, duration uint32) *protocol.ApplyAnimation {
		return &protocol.ApplyAnimation{PlayerID: myID, PlayerToken: myToken, Animation: id, Block: "PED", Name: "WALK", Speed: 1, Duration: duration}
	}
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		time.Sleep(frameInterval)
		playing := func() uint16 {
			st.alive(time.Second)
			frames := received[*protocol.PlayerSync](st)
			return frames[len(frames)-1].Frame.Animation
		}
		st.lane(animate(1, 0))
		if got := one[*protocol.PlayerSync](st).Frame.Animation; got != 1 {
			t.Errorf("the frame has animation %d", got)
		}
		st.lane(animate(2, 3000)) // replaces it
		began := time.Now()
		if a := st.client.Self().Animation; a.ID != 2 || a.Duration != 3*time.Second || !a.Since.Equal(began) {
			t.Errorf("%+v", a)
		}
		st.client.EndAnimation(1) // not this one
		if got := playing(); got != 2 {
			t.Errorf("the frame has animation %d", got)
		}
		st.lane(&protocol.SetAnimationSpeed{PlayerID: myID, PlayerToken: myToken, Animation: 2, Speed: 0.5})
		st.lane(&protocol.SetAnimationSpeed{PlayerID: myID, PlayerToken: myToken, Animation: 1, Speed: 9})
		if a := st.client.Self().Animation; a.Speed != 0.5 || a.Played != time.Second || a.Duration != 2*time.Second {
			t.Errorf("%+v", a)
		}
		st.alive(time.Second)
		st.lane(&protocol.SetAnimationProgress{PlayerID: myID, PlayerToken: myToken, Animation: 2, Progress: 0.25})
		st.lane(&protocol.SetAnimationProgress{PlayerID: myID, PlayerToken: myToken, Animation: 1, Progress: 1})
		if a := st.client.Self().Animation; a.Progress != 0.25 || a.Played != 0 || a.Duration != time.Second {
			t.Errorf("%+v", a)
		}
		st.alive(1100 * time.Millisecond)
		if a := st.client.Self().Animation; a != (Animation{}) || time.Since(began) > 3200*time.Millisecond {
			t.Errorf("%+v", a)
		}
		st.lane(animate(3, 0))
		st.client.EndAnimation(3)
		if got := playing(); got != 0 {
			t.Errorf("the frame has animation %d", got)
		}
		st.lane(&protocol.SetSpecialAction{PlayerID: myID, PlayerToken: myToken, Action: protocol.ActionBeer})
		if st.client.EndAction(); st.client.Self().Action != protocol.ActionNone || st.client.Self().Frame.Action != protocol.ActionNone {
			t.Error("the action goes on")
		}
		st.lane(animate(4, 0))
		st.lane(&protocol.SetSpecialAction{PlayerID: myID, PlayerToken: myToken, Action: protocol.ActionBeer})
		st.kill()
		if me := st.client.Self(); me.Animation.ID != 0 || me.Action != 0 {
			t.Error("the dead dance")
		}
	})
}

// The animation of another ends when his frames carry its id and then another.
func TestTheAnimationOfAnother(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		st.lane(playerSpawned(4, 9))
		seq := uint32(0)
		frame := func(animation uint16) {
			seq++
			p := remoteFrame(4, 9, seq, 1)
			p.Frame.Animation = animation
			st.send(p)
		}
		animate := func(id uint16) {
			st.lane(&protocol.ApplyAnimation{PlayerID: 4, PlayerToken: 9, Animation: id, Block: "PED", Name: "WALK", Elapsed: 500, Blend: 250})
		}
		playing := func() uint16 {
			p, _ := st.client.Remote(4)
			return p.Animation.ID
		}
		frame(0)
		animate(1)
		frame(0) // on its way when he heard of it
		if p, _ := st.client.Remote(4); p.Animation.ID != 1 || p.Animation.Played != 500*time.Millisecond || p.Animation.Blend != 250*time.Millisecond {
			t.Errorf("%+v", p.Animation)
		}
		frame(1)
		animate(2)
		frame(1)
		frame(2)
		if playing() != 2 {
			t.Errorf("%d plays", playing())
		}
		st.take()
		frame(0)
		equal(t, st.take("remote"), "remote 4/9 shown")
		if playing() != 0 {
			t.Errorf("%d plays", playing())
		}
	})
}
