package client

import (
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

// TestEveryReasonHasWords: no player reads the name of a constant.
func TestEveryReasonHasWords(t *testing.T) {
	for r := range protocol.Reason(64) {
		if r.Rejectable() && refusals[r] == "" {
			t.Errorf("a refusal by %v has no words", r)
		}
		if r.Kickable() && kicks[r] == "" {
			t.Errorf("a kick by %v has no words", r)
		}
	}
}

func TestWhy(t *testing.T) {
	for want, e := range map[string]EndError{
		"you were kicked":                                                   {Kind: Kicked, Reason: protocol.ReasonKicked},
		"you were kicked: go to bed":                                        {Kind: Kicked, Reason: protocol.ReasonKicked, Text: "go to bed"},
		"you are banned: no (for ever)":                                     {Kind: Kicked, Reason: protocol.ReasonBanned, Text: "no", Seconds: protocol.Forever},
		"you are banned (for another 3 days 2 hours)":                       {Kind: Rejected, Reason: protocol.ReasonBanned, Seconds: (3*24+2)*3600 + 59*60},
		"you are banned (for another 1 day)":                                {Kind: Rejected, Reason: protocol.ReasonBanned, Seconds: 24*3600 + 59},
		"it is closing (back in 1 hour 1 minute)":                           {Kind: Kicked, Reason: protocol.ReasonServerClosing, Seconds: 3661},
		"it is closing (back in 1 second)":                                  {Kind: Kicked, Reason: protocol.ReasonServerClosing, Seconds: 1},
		"somebody with this name is there already (try again in 9 seconds)": {Kind: Rejected, Reason: protocol.ReasonNameInUse, Seconds: 9},
		"somebody has signed in with your account elsewhere":                {Kind: Kicked, Reason: protocol.ReasonSignedInElsewhere},
		"the sign-in failed or took too long":                               {Kind: Kicked, Reason: protocol.ReasonSignInFailed},
		"it does not let you in: members only":                              {Kind: Rejected, Reason: protocol.ReasonRefused, Text: "members only"},
		"":                                                                  {Kind: Silence},
	} {
		e.Server = "192.0.2.1:7777"
		if got := e.Why(); got != want {
			t.Errorf("%q, expected %q", got, want)
		}
		if !strings.HasSuffix(e.Error(), want) || !strings.Contains(e.Error(), e.Server) {
			t.Errorf("the error is %q", e.Error())
		}
	}
}

func TestRetry(t *testing.T) {
	for _, c := range []struct {
		end   EndError
		after time.Duration
		again bool
	}{
		{EndError{Kind: NoAnswer}, 0, true},
		{EndError{Kind: Silence}, 0, true},
		{EndError{Kind: Stuck}, 0, true},
		{EndError{Kind: Rejected, Reason: protocol.ReasonFull}, 5 * time.Second, true},
		{EndError{Kind: Rejected, Reason: protocol.ReasonTooMany, Seconds: 60}, time.Minute, true},
		{EndError{Kind: Rejected, Reason: protocol.ReasonTooMany, Seconds: protocol.Forever}, 0, false},
		{EndError{Kind: Rejected, Reason: protocol.ReasonBanned, Seconds: 60}, 0, false},
		{EndError{Kind: Kicked, Reason: protocol.ReasonServerClosing, Seconds: 30}, 30 * time.Second, true},
		{EndError{Kind: Kicked, Reason: protocol.ReasonServerClosing}, 0, true},
		{EndError{Kind: Kicked, Reason: protocol.ReasonTimeout}, 0, true},
		{EndError{Kind: Kicked, Reason: protocol.ReasonSignedInElsewhere}, 0, false},
		{EndError{Kind: Kicked, Reason: protocol.ReasonKicked}, 0, false},
	} {
		if after, again := c.end.Retry(); after != c.after || again != c.again {
			t.Errorf("%v: %v %v, expected %v %v", &c.end, after, again, c.after, c.again)
		}
	}
}
