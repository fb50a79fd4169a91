package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"darqline/host/bans"
	"darqline/host/world"
)

const banUsage = "Usage: ban PLAYER [for TIME] [TEXT], or ban KIND VALUE [for TIME] [TEXT]\n" +
	"PLAYER is an id or a name of who is here; KIND is host, range, serial, account or name; TIME is such as 90m, 2h, 7d or 1d12h."

// ban bans a player who is here, or whoever comes with something.
func (c console) ban(rest string) {
	who, rest := word(rest)
	if who == "" {
		c.print(banUsage)
		return
	}
	var list []bans.Ban
	if kind := bans.Kind(who); slices.Contains(bans.Kinds, kind) {
		var value string
		if value, rest = word(rest); value == "" {
			c.print(banUsage)
			return
		}
		list = []bans.Ban{{Kind: kind, Value: value}}
	} else if list = c.bansOf(who); list == nil {
		c.print("No player has the id or name %q; \"players\" lists them. Of who is not here a name can be banned: ban name %s", who, who)
		return
	}
	length, text, err := banTerms(rest)
	if err != nil {
		c.print("%v\n%s", err, banUsage)
		return
	}
	for i := range list {
		list[i].Text, list[i].By = text, "console"
		if length > 0 {
			list[i].Expires = c.h.Bans().After(length)
		}
	}
	added, err := c.h.Bans().Add(list...)
	if err != nil {
		c.print("Nobody was banned: %v", err)
		return
	}
	for _, b := range added {
		c.print("Banned (%d): %s %s, %s.", b.ID, b.Kind, b.Value, until(b))
	}
}

// bansOf are the bans of a player who is here, nil where nobody is that.
func (c console) bansOf(who string) []bans.Ban {
	tx := c.h.World().Begin()
	defer tx.End()
	p := findPlayer(tx, who)
	if p == nil {
		return nil
	}
	list, _ := bans.OfPlayer(tx.Name(p), tx.Account(p), tx.Serial(p), tx.Address(p).Addr()) // it has no kinds that he could lack
	return list
}

// findPlayer is who has an id or a name now, or nil; also of those who sign in.
func findPlayer(tx world.Tx, who string) *world.Player {
	for _, p := range tx.Confirmed() {
		if fmt.Sprint(p.ID) == who || strings.EqualFold(tx.Name(p), who) {
			return p
		}
	}
	return nil
}

func word(text string) (first, rest string) {
	first, rest, _ = strings.Cut(strings.TrimSpace(text), " ")
	return first, strings.TrimSpace(rest)
}

// banTerms reads "for 2h Come back later": how long, 0 for ever, and what the player reads.
func banTerms(text string) (length time.Duration, rest string, err error) {
	if first, more := word(text); first == "for" {
		span, after := word(more)
		if span != "" && span[0] >= '0' && span[0] <= '9' { // else it is the text: "for cheating"
			length, err = parseSpan(span)
			return length, after, err
		}
	}
	return 0, text, nil
}

var (
	wholeSpan = regexp.MustCompile(`^(\d+[smhdw])+$`)
	spanPart  = regexp.MustCompile(`(\d+)([smhdw])`)
	spanUnits = map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour}
)

// longestSpan is how long a ban with an end may be: 100 years.
const longestSpan = 100 * 365 * 24 * time.Hour

// parseSpan reads 90m, 2h, 7d, 1d12h.
func parseSpan(text string) (total time.Duration, err error) {
	if !wholeSpan.MatchString(text) {
		return 0, fmt.Errorf("%q is no time: a number and s, m, h, d or w is one, such as 2h", text)
	}
	for _, part := range spanPart.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(part[1])
		unit := spanUnits[part[2]]
		if err != nil || n > int(longestSpan/unit) {
			return 0, errors.New("a ban for a time is for at most 100 years; without \"for\" it is for ever")
		}
		total += time.Duration(n) * unit
	}
	if total <= 0 || total > longestSpan {
		return 0, errors.New("a ban for a time is for at least 1s and at most 100 years; without \"for\" it is for ever")
	}
	return total, nil
}

func until(b bans.Ban) string {
	if b.Expires.IsZero() {
		return "for ever"
	}
	return "until " + b.Expires.Local().Format("2006-01-02 15:04:05")
}

// unban lifts a ban by its id.
func (c console) unban(rest string) {
	id, err := strconv.Atoi(rest)
	if err != nil {
		c.print("Usage: unban ID\n\"bans\" lists the ids.")
		return
	}
	gone, err := c.h.Bans().Remove(id)
	switch {
	case err != nil:
		c.print("Nothing was lifted: %v", err)
	case len(gone) == 0:
		c.print("No ban has the id %d; \"bans\" lists them.", id)
	}
	for _, b := range gone {
		c.print("Lifted (%d): %s %s.", b.ID, b.Kind, b.Value)
	}
}

// bans lists the bans that hold.
func (c console) bans() {
	all := c.h.Bans().All()
	if len(all) == 0 {
		c.print("Nobody is banned.")
		return
	}
	w := tabwriter.NewWriter(c.e.out, 0, 0, 2, ' ', 0)
	for _, b := range all {
		fmt.Fprintf(w, "  %d\t%s\t%s\t%s\t%s\tby %s\t%s\n", b.ID, b.Kind, b.Value, b.Player, until(b), b.By, b.Text)
	}
	w.Flush()
}
