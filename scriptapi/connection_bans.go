package scriptapi

import (
	"fmt"
	"time"

	"darqline/host/bans"
	"darqline/host/world"
	"darqline/scriptapi/bind"
)

// banEvents are the declarations of what happens to bans.
type banEvents struct {
	add    *bind.Event[banArgs]
	remove *bind.Event[banArgs]
}

type banArgs struct {
	Ban banFacts `lua:"ban" doc:"What it is about, for how long, and who made it."`
}

// banFacts is a ban as scripts read it.
type banFacts struct {
	ID      int       `lua:"id" doc:"For mp.server.unban. Bans that were made of one player together share it."`
	Kind    bans.Kind `lua:"kind" enum:"host|range|serial|account|name" doc:"What it is about."`
	Value   string    `lua:"value" doc:"Which one, such as 203.0.113.5."`
	Player  *string   `lua:"player,optional" doc:"The name of whom it was made for, as it was then; nil where nobody was here."`
	Text    string    `lua:"text" doc:"What the player reads; may be empty."`
	By      string    `lua:"by" doc:"The resource that made it, or console; empty where the file does not say."`
	Created int       `lua:"created" doc:"When it was made, as os.time has it."`
	Expires *int      `lua:"expires,optional" doc:"When it ends, as os.time has it; nil is never."`
}

func factsOfBan(b bans.Ban) banFacts {
	facts := banFacts{ID: b.ID, Kind: b.Kind, Value: b.Value, Text: b.Text, By: b.By, Created: int(b.Created.Unix())}
	if b.Player != "" {
		facts.Player = &b.Player
	}
	if !b.Expires.IsZero() {
		expires := int(b.Expires.Unix())
		facts.Expires = &expires
	}
	return facts
}

func declareBanEvents(r *bind.Registry) *banEvents {
	return &banEvents{
		add: bind.NewEvent[banArgs](r, "ban_add",
			"A ban holds: a script, the console or an edit of the file has made it. One event for each kind of several.", false),
		remove: bind.NewEvent[banArgs](r, "ban_remove", "A ban holds no more: it was lifted, or its time is over.", false),
	}
}

// dispatchBan runs the handlers of a ban's event.
func (rt *Runtime) dispatchBan(e world.Event) {
	switch e := e.(type) {
	case bans.Added:
		raise(rt, rt.events.bans.add, banArgs{factsOfBan(e.Ban)})
	case bans.Removed:
		raise(rt, rt.events.bans.remove, banArgs{factsOfBan(e.Ban)})
	}
}

type banPlayerArgs struct {
	Text    string      `lua:"text,optional" range:"0..127" doc:"What he reads, now and when he tries again."`
	Seconds *int        `lua:"seconds,optional" range:"1..4294967294" doc:"For how long; for ever without it."`
	By      []bans.Kind `lua:"by,optional" enum:"account|serial|host" doc:"What of him is banned; without it his account if he has one, else serial and host."`
}

type banServerArgs struct {
	Host    *string `lua:"host,optional" range:"1..64" doc:"An IP address; of IPv6 its /64."`
	Range   *string `lua:"range,optional" range:"1..64" doc:"A network, at least /8, and /32 for IPv6: 203.0.113.0/24."`
	Serial  *string `lua:"serial,optional" range:"1..64" doc:"What player.serial says: 64 hex digits."`
	Account *string `lua:"account,optional" range:"1..95" doc:"Such as forum:4711."`
	Name    *string `lua:"name,optional" range:"1..47" doc:"A player's name."`
	Text    string  `lua:"text,optional" range:"0..127" doc:"What who is banned reads."`
	Seconds *int    `lua:"seconds,optional" range:"1..4294967294" doc:"For how long; for ever without it."`
}

type unbanArgs struct {
	ID int `lua:"id" range:"1.." doc:"The ban's number."`
}

const bansPermission = "bans"

func (rt *Runtime) declareBans(r *bind.Registry) {
	r.Module("mp.server", "").Add(
		bind.Func("ban", "Bans a host, a range, a serial, an account or a name: one of the five is given. Who is here and fits is sent away. "+
			"It returns when the ban is on the disk; if it cannot be written, nobody is banned and it is an error.",
			rt.banOnServer, bind.Keyed(), bind.Needs(bansPermission),
			bind.Example(`mp.server.ban{ range = "203.0.113.0/24", text = "No proxies, please", seconds = 86400 }`)),
		bind.Func("unban", "Lifts a ban: all that share the id.", func(c *bind.Call, a unbanArgs) (bool, error) {
			if err := rt.need(c, bansPermission); err != nil {
				return false, err
			}
			removed, err := rt.cfg.Bans.Remove(a.ID)
			return len(removed) > 0, err
		}, bind.Needs(bansPermission), bind.Returns("Whether there was one.")),
		bind.Func("bans", "Lists the bans that hold, in the order of their making.", func(*bind.Call, bind.None) ([]banFacts, error) {
			all := rt.cfg.Bans.All()
			facts := make([]banFacts, len(all))
			for i, b := range all {
				facts[i] = factsOfBan(b)
			}
			return facts, nil
		}, bind.Example(`for _, ban in ipairs(mp.server.bans()) do mp.log.info(ban.id, ban.kind, ban.value, ban.text) end`)),
	)
}

// declarePlayerBan declares the ban of a player.
func (rt *Runtime) declarePlayerBan(h *bind.Handle[*world.Player]) {
	h.Add(bind.Method("ban", "Bans him and sends him away. The handle is valid until player_leave is over. "+
		"It returns when the ban is on the disk; if it cannot be written, he is not banned and it is an error.",
		rt.banPlayer, bind.Keyed(), bind.Early(), bind.Needs(bansPermission),
		bind.Returns("The ban; the first where several things of him are banned. They share its id."),
		bind.Example(`player:ban{ text = "Take a day off", seconds = 86400 }`)))
}

func (rt *Runtime) banPlayer(c *bind.Call, p *world.Player, a banPlayerArgs) (banFacts, error) {
	tx := rt.begin()
	list, err := bans.OfPlayer(tx.Name(p), tx.Account(p), tx.Serial(p), tx.Address(p).Addr(), a.By...)
	tx.End()
	if err != nil {
		return banFacts{}, err
	}
	return rt.ban(c, a.Text, a.Seconds, list...)
}

func (rt *Runtime) banOnServer(c *bind.Call, a banServerArgs) (banFacts, error) {
	var list []bans.Ban
	for i, value := range [...]*string{a.Host, a.Range, a.Serial, a.Account, a.Name} {
		if value != nil {
			list = append(list, bans.Ban{Kind: bans.Kinds[i], Value: *value})
		}
	}
	if len(list) != 1 {
		return banFacts{}, fmt.Errorf("one of host, range, serial, account and name expected, got %d of them", len(list))
	}
	return rt.ban(c, a.Text, a.Seconds, list[0])
}

// ban makes bans that belong together, and gives the first.
func (rt *Runtime) ban(c *bind.Call, text string, seconds *int, list ...bans.Ban) (banFacts, error) {
	if err := rt.need(c, bansPermission); err != nil {
		return banFacts{}, err
	}
	var ends time.Time
	if seconds != nil {
		ends = rt.cfg.Bans.After(time.Duration(*seconds) * time.Second)
	}
	for i := range list {
		list[i].Text, list[i].By, list[i].Expires = text, instanceOf(c).name(), ends
	}
	added, err := rt.cfg.Bans.Add(list...)
	if err != nil {
		return banFacts{}, err
	}
	return factsOfBan(added[0]), nil
}
