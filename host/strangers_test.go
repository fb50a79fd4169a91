package host

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// Who comes and goes all the time does not fill the disk, nor keep other lines out; how much was left out is said.
func TestStrangersDoNotFillTheLog(t *testing.T) {
	var log bytes.Buffer
	var now time.Duration
	s := newStrangers(slog.New(slog.NewTextHandler(&log, nil)), func() time.Duration { return now })
	for i := range 50_000 {
		now += time.Millisecond
		s.say("refused", "name", fmt.Sprintf("Eve%d", i))
	}
	if n := strings.Count(log.String(), "msg=refused"); n < linesAtOnce || n > linesAtOnce+50*linesPerSecond {
		t.Errorf("%d lines of 50,000 in 50 s", n)
	}
	s.say("joined", "name", "Alice")
	s.sum()
	for _, want := range []string{"msg=joined name=Alice", "of=refused count=487"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%q is missing", want)
		}
	}
	log.Reset()
	if s.sum(); log.Len() > 0 {
		t.Errorf("said again: %s", log.String())
	}
}
