package host

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"darqline/host/bans"
	"darqline/host/session"
	"darqline/host/world"
	"darqline/protocol"
)

// bansLook is how often the file of the bans is looked at for edits, and for bans that are over.
const bansLook = 2 * time.Second

// loggedBans is how many changes at once the log has one by one.
const loggedBans = 20

// openBans reads the bans, and says where they could not be written.
func (h *Host) openBans(cfg *Config) error {
	path := cfg.Bans.File
	if !filepath.IsAbs(path) {
		path = filepath.Join(cfg.Dir, path)
	}
	list, err := bans.Open(path, bans.Options{NameKey: session.NameKey, Now: h.opt.wall, FS: h.opt.disk, Logger: h.log, Changed: h.bansChanged})
	if err != nil {
		return fmt.Errorf("bans.file: %w", err)
	}
	h.bans = list
	if err := list.Writable(); err != nil {
		h.log.Warn(fmt.Sprintf("bans.file: nobody can be banned: %v", err))
	}
	return nil
}

// Bans is who may not join. Whoever is here and fits a new ban is sent away before Add returns; Add and Remove wait for
// the disk.
func (h *Host) Bans() *bans.List { return h.bans }

// banned looks a ban up for the sessions.
func (h *Host) banned(s session.BanSubject) (session.Banned, bool) {
	b, ok := h.bans.Match(s.Host, s.Serial, s.NameKey, s.Account)
	return session.Banned{Seconds: b.Left(h.opt.wall()), Text: b.Text}, ok
}

// bansChanged sends away who is banned now, and tells log and scripts.
func (h *Host) bansChanged(added, removed []bans.Ban) {
	if len(added) > 0 {
		h.sessions.KickWhere(func(c *session.Conn) bool {
			if b, ok := h.banned(c.BanSubject()); ok { // each with his own ban's words
				c.KickFor(protocol.ReasonBanned, b.Text, b.Seconds)
			}
			return false
		}, protocol.ReasonBanned, "", 0)
	}
	if len(added)+len(removed) > loggedBans {
		h.log.Info("bans changed", "added", len(added), "removed", len(removed))
	} else {
		h.logBans("banned", added)
		now := h.opt.wall()
		over := func(b bans.Ban) bool { return !b.Expires.IsZero() && !now.Before(b.Expires) }
		h.logBans("ban over", slices.DeleteFunc(slices.Clone(removed), func(b bans.Ban) bool { return !over(b) }))
		h.logBans("ban lifted", slices.DeleteFunc(slices.Clone(removed), over))
	}
	tellBans(h, added, func(b bans.Ban) world.Event { return bans.Added{Ban: b} })
	tellBans(h, removed, func(b bans.Ban) world.Event { return bans.Removed{Ban: b} })
}

func (h *Host) logBans(what string, list []bans.Ban) {
	for _, b := range list {
		args := with([]any{"id", b.ID, string(b.Kind), b.Value}, "player", b.Player)
		h.log.Info(what, append(args, "by", b.By, "text", b.Text)...)
	}
}

// tellBans runs the handlers of an event for each ban: one item of the queue, however many they are.
func tellBans(h *Host, list []bans.Ban, event func(bans.Ban) world.Event) {
	if len(list) == 0 || !h.listens(event(list[0]).LuaName()) {
		return
	}
	h.script.Post(func() {
		for _, b := range list {
			h.handle(event(b))
		}
	})
}

// refreshBans takes over what was edited in the file, and forgets bans that are over.
func (h *Host) refreshBans() {
	if err := h.bans.Refresh(); err != nil {
		h.log.Error(fmt.Sprintf("bans.file: the bans are those of before: %v", err))
	}
}
