package scriptapi

import (
	"fmt"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

type feedKillArgs struct {
	Victim   bind.Raw       `lua:"victim" doc:"Who is dead: a player, or a text of up to 47 bytes."`
	Killer   bind.Raw       `lua:"killer,optional" doc:"Who did it: a player or a text; nobody without it."`
	Cause    protocol.Cause `lua:"cause" default:"script" doc:"How."`
	Headshot bool           `lua:"headshot" default:"false" doc:"Whether it was a shot at the head."`
	To       bind.Raw       `lua:"to,optional" doc:"Who sees it: a player or a list of them; everyone without it."`
}

type clearKillsArgs struct {
	Player *world.Player `lua:"player,optional" doc:"Whose; everyone's without it."`
}

// killFacts is what handlers of kill_feed get.
type killFacts struct {
	Killer   *world.Player  `lua:"killer,optional" doc:"Who did it, or nil."`
	Victim   *world.Player  `lua:"victim" doc:"Who is dead."`
	Cause    protocol.Cause `lua:"cause" doc:"How."`
	Headshot bool           `lua:"headshot" doc:"Whether it was a shot at the head."`
}

type killFeedArgs struct {
	Entry killFacts `lua:"entry" doc:"What is about to be added."`
}

func declareFeedEvent(r *bind.Registry) *bind.Event[killFeedArgs] {
	return bind.NewEvent[killFeedArgs](r, "kill_feed", "A death is about to be added to the kill feed by itself; false keeps it out.", true)
}

func (rt *Runtime) declareFeed(r *bind.Registry) {
	r.Module("mp.ui.kill_feed", "Who has killed whom.").Add(
		bind.Func("add", "Adds an entry, of players or texts.", rt.addKill, bind.Keyed(),
			bind.Example(`mp.ui.kill_feed.add{ victim = "The boss", killer = player, cause = "ak47", headshot = true }`)),
		bind.Func("clear", "Empties the kill feed of one or of all.", func(_ *bind.Call, a clearKillsArgs) (bind.None, error) {
			return rt.with(func(tx world.Tx) error { return tx.ClearKills(a.Player) })
		}),
		bind.GetSet("auto", "Whether each death is added by itself.", func(*bind.Call) bool {
			tx := rt.begin()
			defer tx.End()
			return tx.AutoKills()
		}, func(_ *bind.Call, on bool) error {
			tx := rt.begin()
			defer tx.End()
			tx.SetAutoKills(on)
			return nil
		}),
	)
}

func (rt *Runtime) addKill(_ *bind.Call, a feedKillArgs) (bind.None, error) {
	k := world.Kill{Cause: a.Cause, HeadShot: a.Headshot}
	to, err := receivers(a.To)
	if err != nil {
		return bind.None{}, err
	}
	if k.Victim, k.VictimName, err = somebody("victim", a.Victim); err != nil {
		return bind.None{}, err
	}
	if k.Killer, k.KillerName, err = somebody("killer", a.Killer); err != nil {
		return bind.None{}, err
	}
	return rt.with(func(tx world.Tx) error { return tx.AddKill(k, to) })
}

// somebody is a player or a text.
func somebody(key string, v bind.Raw) (*world.Player, string, error) {
	plain, err := v.Plain()
	if err != nil {
		return nil, "", fmt.Errorf("key %q: %w", key, err)
	}
	switch v := plain.(type) {
	case *world.Player:
		return v, "", nil
	case string:
		return nil, v, nil
	case nil:
		return nil, "", nil
	}
	return nil, "", fmt.Errorf("key %q: a Player or a string expected, got %s", key, v.Describe())
}

func (rt *Runtime) dispatchKill(e world.KillFeed) (cancelled bool) {
	return raise(rt, rt.events.killFeed, killFeedArgs{killFacts{stillHere(e.Kill.Killer), e.Kill.Victim, e.Kill.Cause, e.Kill.HeadShot}})
}
