package client

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

func notification(id, duration uint32) *protocol.HudNotificationAdd {
	return &protocol.HudNotificationAdd{NotificationID: id, Duration: duration, Content: protocol.NotificationContent{Text: fmt.Sprint("note ", id)}}
}

func TestNotificationsWaitForAPlace(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.take()
		for id := uint32(1); id <= 7; id++ {
			st.lane(notification(id, 1000))
			time.Sleep(100 * time.Millisecond)
		}
		equal(t, st.take("notifications"), "notifications 1", "notifications 1 2", "notifications 1 2 3", "notifications 1 2 3 4", "notifications 1 2 3 4 5")
		time.Sleep(300 * time.Millisecond) // the first one's second is over
		equal(t, st.take("notifications"), "notifications 2 3 4 5 6")
		if n := st.client.UI().Notifications[4]; time.Until(n.Until) != time.Second {
			t.Errorf("the time of one that has waited: %v", time.Until(n.Until))
		}
		changed := notification(3, 5000)
		changed.Content.Text = "in place"
		st.lane(changed)
		equal(t, st.take("notifications"), "notifications 2 3 4 5 6")
		if n := st.client.UI().Notifications[1]; n.Content.Text != "in place" || time.Until(n.Until) != 5*time.Second {
			t.Errorf("%+v", n)
		}
		st.lane(&protocol.HudNotificationClear{NotificationID: 9})
		equal(t, st.take("notifications"))
		st.lane(&protocol.HudNotificationClear{NotificationID: 2})
		equal(t, st.take("notifications"), "notifications 3 4 5 6 7")
		st.lane(&protocol.HudNotificationClear{})
		equal(t, st.take("notifications"), "notifications")
		st.alive(10 * time.Second)
		equal(t, st.take("notifications"))
	})
}

// TestThoseThatStayLeaveRoom for those that go by themselves, and come back.
func TestThoseThatStayLeaveRoom(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		for id := uint32(1); id <= 6; id++ {
			st.lane(notification(id, 0))
		}
		st.take()
		st.lane(notification(7, 1000))
		equal(t, st.take("notifications"), "notifications 3 4 5 6 7")
		st.alive(time.Second)
		equal(t, st.take("notifications"), "notifications 2 3 4 5 6")
	})
}

func TestOfTwentyNotificationsTheOldestWithADurationGoes(t *testing.T) {
	g := newGame(testStart, Session{}, new(memoryKeys))
	kept := func() string {
		var ids []string
		for _, n := range g.ui.notes.kept {
			ids = append(ids, fmt.Sprint(n.NotificationID))
		}
		return strings.Join(ids, " ")
	}
	add := func(id, duration uint32) { g.notify(testStart, notification(id, duration)) }
	add(1, 0)
	for id := uint32(2); id <= 20; id++ {
		add(id, 1000)
	}
	add(21, 0)
	if got := kept(); got != "1 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21" {
		t.Error(got)
	}
	for id := uint32(22); id <= 39; id++ {
		add(id, 0)
	}
	if got := kept(); got != "1 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39" {
		t.Error(got)
	}
	add(40, 0) // none goes by itself
	if got := kept(); got != "21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40" {
		t.Error(got)
	}
}

func TestKillFeed(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.take()
		kill := func(victim string) { st.lane(&protocol.HudKillFeedAdd{Cause: protocol.CauseScript, Victim: victim}) }
		st.lane(&protocol.HudKillFeedClear{})
		kill("a")
		time.Sleep(time.Second)
		for _, victim := range []string{"b", "c", "d", "e", "f", "g"} {
			kill(victim)
		}
		equal(t, st.take("kills"), "kills a", "kills a b", "kills a b c", "kills a b c d", "kills a b c d e", "kills a b c d e f", "kills b c d e f g")
		st.alive(7999 * time.Millisecond)
		equal(t, st.take("kills"))
		kill("h")
		st.alive(time.Millisecond)
		equal(t, st.take("kills"), "kills c d e f g h", "kills h")
		st.lane(&protocol.HudKillFeedClear{})
		equal(t, st.take("kills"), "kills")
		st.alive(9 * time.Second)
		equal(t, st.take("kills"))
	})
}
