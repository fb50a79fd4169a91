package resources

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"
)

// NoticeKind is what a [Notice] is about.
type NoticeKind uint8

const (
	NoticeStarted  NoticeKind = iota
	NoticeReloaded            // the new generation runs
	NoticeStopped             // Err says why, where nobody asked for it
	NoticeFailed              // a start failed or a generation died: the resource does not run
	NoticeKept                // a reload was refused: the old generation runs on
	NoticeMended              // after NoticeKept: the files are again those that run
	NoticeFound               // a folder has become a resource
	NoticeGone                // a resource's folder is gone
	NoticeIgnored             // a folder is not a resource; Err says why and what to do
)

// Notice is one thing that happened to a resource.
type Notice struct {
	Kind       NoticeKind
	Resource   string
	Generation uint32        // that runs now, or ran last
	Err        error         // Faults, or what Runner.Start gave
	Took       time.Duration // reading, compiling and swapping
	Pause      time.Duration // the part of Took that the script loop spent
}

// tell logs a notice and hands it on.
func (m *Manager) tell(n Notice) {
	log := m.c.Logger.With("resource", n.Resource)
	if n.Generation != 0 {
		log = log.With("generation", n.Generation)
	}
	took := []any{"took", n.Took.Round(time.Microsecond), "pause", n.Pause.Round(time.Microsecond)}
	switch n.Kind {
	case NoticeStarted:
		log.Info("started", took...)
	case NoticeReloaded:
		log.Info("reloaded", took...)
	case NoticeStopped:
		if n.Err != nil {
			log.Warn("stopped: " + n.Err.Error())
		} else {
			log.Info("stopped")
		}
	case NoticeFailed:
		each(n.Err, log.Error)
	case NoticeKept:
		each(n.Err, log.Error)
		log.Warn("not reloaded: the old generation runs on")
	case NoticeMended:
		log.Info("its files are again those that run")
	case NoticeFound:
		log.Info("a new resource; \"start " + n.Resource + "\" runs it")
	case NoticeGone:
		log.Warn("its folder is gone")
	case NoticeIgnored:
		level := slog.LevelWarn
		if strings.HasPrefix(n.Resource, ".") {
			level = slog.LevelInfo // .git and its like are nobody's mistake
		}
		log.Log(context.Background(), level, n.Err.Error())
	}
	if m.c.Notice != nil {
		m.c.Notice(n)
	}
}

// each logs the faults of an error one by one; an error of a script knows more than its line.
func each(err error, log func(text string, attrs ...any)) {
	var faults Faults
	if !errors.As(err, &faults) {
		var attrs []any
		var more interface{ LogAttrs() []any }
		if errors.As(err, &more) {
			attrs = more.LogAttrs()
		}
		log(err.Error(), attrs...)
		return
	}
	for _, f := range faults {
		log(f.String())
	}
}
