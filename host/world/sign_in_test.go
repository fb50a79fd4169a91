package world

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"darqline/protocol"
)

var testSignIn = SignInRules{Origins: []string{"https://id.example.org", "http://127.0.0.1:9000"}}

// signIn brings a player as far as his sign-in; what he is greeted with is taken off.
func (r *rig) signIn(name string) (*link, *Player) {
	r.do(func(tx Tx) {
		if len(tx.w.cfg.SignIn.Origins) == 0 {
			tx.SetSignIn(testSignIn)
		}
	})
	l := r.connect(name)
	r.took()
	var p *Player
	r.do(func(tx Tx) { p = tx.SignIn(l) })
	r.want("the greeting of "+name, l.said(), "UiTheme, PlatformKeys")
	r.want("the event of "+name, r.took(), "player_sign_in")
	return l, p
}

// account gives a player an account, as the host does when no script has refused it.
func (r *rig) account(p *Player, account string) {
	r.do(PlayerAccount{Player: p, Account: account}.Apply)
}

func TestNobodyOfTheGameKnowsWhoSignsIn(t *testing.T) {
	r := newRig(t)
	alice, ap := r.join("Alice")
	r.took()
	alice.drain()
	tommy, p := r.signIn("Tommy")
	r.do(func(tx Tx) {
		if tx.PlayerCount() != 1 || tx.PlayerByID(p.ID) != nil || len(tx.Players()) != 1 {
			t.Error("he is among the players")
		}
		if whole, parts := tx.PlayersNamed("tommy"); whole != nil || parts != nil {
			t.Error("he is found by his name")
		}
		if list := tx.SigningIn(); len(list) != 1 || list[0] != p || !p.SignsIn() {
			t.Errorf("%v sign in", list)
		}
		if tx.PlayerOf(tommy) != p {
			t.Error("his connection is not known")
		}
		tx.Broadcast(Notice{Text: "to all"})
		tx.Say(ap, ChatLine{Text: "to him", Name: "Alice", To: []*Player{p}})
		tx.Message(p, Notice{Text: "sign in"})
		tx.Receive(p, &protocol.RequestSpawn{})
		tx.Receive(p, &protocol.ClientChat{Text: "hello"})
		tx.RefreshPings()
		theme := Themes["light"]
		if err := tx.SetTheme(theme); err != nil {
			t.Error(err)
		}
		if err := tx.SetPlatformKeys(nil, map[protocol.Function]protocol.Key{0: protocol.KeyNone}); err != nil {
			t.Error(err)
		}
		tx.TellLocal("for who is on this machine", protocol.MessageInfo)
		tx.Tick()
	})
	r.want("what he is sent", tommy.drain(), "line sign in, UiTheme, PlatformKeys")
	r.want("what happens", r.took(), "")
	alice.drain()
	r.do(func(tx Tx) { tx.Leave(tommy, protocol.ReasonTimeout, "") })
	r.want("his leave, to others", alice.drain(), "")
	if e, ok := r.events[0].(PlayerLeave); !ok || e.Player != p || e.Joined || e.Reason != protocol.ReasonTimeout {
		t.Errorf("his leave, to scripts: %+v", r.events[0])
	}
	r.do(func(tx Tx) {
		if len(tx.SigningIn()) != 0 || tx.PlayerOf(tommy) != nil {
			t.Error("he is still there")
		}
	})
}

// TestWhoHasSignedInIsSentWhatAJoinerIs: past AuthAccepted there is no difference.
func TestWhoHasSignedInIsSentWhatAJoinerIs(t *testing.T) {
	sent := func(signs bool) string {
		r := newRig(t)
		r.join("Alice")
		r.took()
		if !signs {
			l := r.connect("Tommy")
			r.do(func(tx Tx) { tx.Join(l) })
			return l.drain() + " / " + r.took()
		}
		l, p := r.signIn("Tommy")
		r.account(p, "forum:1")
		return l.drain() + " / " + r.took()
	}
	joiner, signed := sent(false), sent(true)
	if want := "UiTheme, PlatformKeys, " + strings.Replace(signed, "AuthAccepted, ", "", 1); joiner != want || !strings.HasPrefix(signed, "AuthAccepted, ") {
		t.Errorf("a joiner is sent\n%s\nwho has signed in\n%s", joiner, signed)
	}
}

// origins are those of a ViewOpen, or "none".
func (l *link) origins() string {
	var list []string
	for _, p := range l.sent {
		if m, ok := p.(*protocol.ViewOpen); ok {
			list = append(list, fmt.Sprintf("%d%v", m.ViewID, m.Origins))
		}
	}
	l.sent = nil
	return strings.Join(list, ", ")
}

func TestOrigins(t *testing.T) {
	r := newRig(t)
	d := &ViewDefinition{Resource: "login", Generation: 7, Name: "login", Entry: "login.html"}
	open := func(p *Player) { r.do(func(tx Tx) { tx.OpenView(p, d) }) }
	flush := func(l *link) string { l.flush(); return l.origins() }
	l, p := r.signIn("Tommy")
	open(p)
	r.want("far away, without http", flush(l), "1[https://id.example.org]")
	l.addr = netip.MustParseAddrPort("127.0.0.1:5000")
	open(p)
	r.want("on this machine", flush(l), "2[https://id.example.org http://127.0.0.1:9000]")
	open(p) // and it waits
	r.account(p, "forum:1")
	r.want("one that still waited", flush(l), "3[]")
	open(p)
	r.want("past AuthAccepted", flush(l), "4[]")

	l, p = r.signIn("Lance")
	open(p)
	r.do(func(tx Tx) { tx.CloseView(tx.OpenViewOf(p), CloseScript) })
	r.account(p, "forum:2")
	r.want("one that was closed", flush(l), "")
	l, p = r.signIn("Ken")
	open(p)
	flush(l)
	r.took()
	r.do(func(tx Tx) { tx.CloseViewsOf(7, CloseReload) })
	r.want("the resource reloads", r.took(), "closed reload, closed reload")
}

// TestAccountsThatAreHere: the older player's leave is over before the newer one's join.
func TestAccountsThatAreHere(t *testing.T) {
	r := newRig(t)
	older, op := r.signIn("Older")
	r.account(op, "forum:1")
	r.took()
	newer, np := r.signIn("Newer")
	r.account(np, "forum:1")
	r.want("the older one", older.kicked, "signed_in_elsewhere ")
	r.want("nothing yet", newer.said()+r.took(), "")
	third, tp := r.signIn("Third")
	r.account(tp, "forum:1")
	r.want("the newer one", newer.kicked, "signed_in_elsewhere ")
	newer.ended = true
	r.do(func(tx Tx) {
		tx.Leave(older, protocol.ReasonSignedInElsewhere, "")
		tx.Leave(newer, protocol.ReasonSignedInElsewhere, "")
	})
	r.want("two leaves", r.took(), "player_leave, player_leave")
	r.do(func(tx Tx) { tx.Forget(op) })
	r.want("whose heir has gone, too", r.took(), "")
	r.do(func(tx Tx) { tx.Forget(np) })
	r.want("the last one", r.took(), "player_join")
	if said := third.said(); !strings.HasPrefix(said, "AuthAccepted") {
		t.Errorf("he is sent %s", said)
	}
}

func TestRejectedAccounts(t *testing.T) {
	r := newRig(t)
	rules := testSignIn
	rules.Reject = true
	r.do(func(tx Tx) { tx.SetSignIn(rules) })
	older, op := r.signIn("Older")
	r.account(op, "forum:1")
	r.took()
	newer, np := r.signIn("Newer")
	r.do(func(tx Tx) {
		if tx.MayHave(np, "forum:1") || !tx.MayHave(np, "forum:2") {
			t.Error("who is here does not keep his account")
		}
	})
	r.want("the newer one", newer.kicked, "signed_in_elsewhere "+textElsewhere)
	r.account(np, "forum:1")
	r.want("the older one stays", older.kicked, "")
	r.do(func(tx Tx) { tx.Leave(older, protocol.ReasonQuit, ""); tx.Forget(op) })
	r.account(np, "forum:1")
	r.do(func(tx Tx) { r.want("when he has left", tx.Account(np), "forum:1") })
}

// TestKickedWhileAScriptDecides: who was sent away by then replaces nobody.
func TestKickedWhileAScriptDecides(t *testing.T) {
	r := newRig(t)
	older, op := r.signIn("Older")
	r.account(op, "forum:1")
	r.took()
	newer, np := r.signIn("Newer")
	newer.ended = true
	r.account(np, "forum:1")
	r.want("the older one", older.kicked, "")
	r.do(func(tx Tx) { r.want("the newer one's account", tx.Account(np), "") })
}

func TestNobodySignsInAnyMore(t *testing.T) {
	r := newRig(t)
	l, _ := r.signIn("Tommy")
	done, dp := r.signIn("Lance")
	r.account(dp, "forum:1")
	r.do(func(tx Tx) { tx.SetSignIn(SignInRules{}) })
	r.want("who signs in", l.kicked, "sign_in_failed "+textNoProvider)
	r.want("who has", done.kicked, "")
	late := r.connect("Late")
	r.do(func(tx Tx) { tx.SignIn(late) })
	r.want("who was told so before", late.kicked, "sign_in_failed "+textNoProvider)
}

// TestAccountPermissions: an account has what the configuration gives it, from the sign-in on and live.
func TestAccountPermissions(t *testing.T) {
	r := newRig(t)
	has := func(p *Player) (names string) {
		r.do(func(tx Tx) { names = strings.Join(tx.Permissions(p), " ") })
		return names
	}
	set := func(list ...string) {
		r.do(func(tx Tx) { tx.SetPermissions(Permissions{Accounts: map[string][]string{"forum:1": list}}) })
	}
	set("admin")
	_, p := r.signIn("Tommy")
	r.do(func(tx Tx) { tx.Grant(p, "vip") })
	r.want("before", has(p), "vip")
	r.account(p, "forum:1")
	r.want("signed in", has(p), "admin vip")
	set("kick")
	r.want("live", has(p), "kick vip")
}
