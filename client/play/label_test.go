package play

import (
	"regexp"
	"strings"
	"testing"
)

func TestLabel(t *testing.T) {
	for _, c := range []struct{ resource, want string }{
		{"shop", "shop"},
		{"race-tracks", "race-tracks"},
		{"7", "7"},
		{"my_shop", "r-my-shop--4"},
		{"my-shop", "my-shop"},
		{"_", "r----1"},
		{"-", "r----0"},
		{"a--b", "r-a--b--0"},
		{"xn--a", "r-xn--a--0"}, // punycode would mean something else to a browser
		{strings.Repeat("_", 31), "r-" + strings.Repeat("-", 33) + "7fffffff"},
	} {
		if got := label(c.resource); got != c.want {
			t.Errorf("label(%q) = %q, expected %q", c.resource, got, c.want)
		}
	}
}

// TestLabelApart goes through every name of up to 7 characters of a small alphabet that has all kinds: no two names
// have one label, and each label is a valid one.
func TestLabelApart(t *testing.T) {
	valid := regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	owner := map[string]string{}
	var walk func(name string)
	walk = func(name string) {
		if name != "" {
			l := label(name)
			if !valid.MatchString(l) || strings.HasPrefix(l, "xn--") {
				t.Errorf("label(%q) = %q is no DNS label", name, l)
			}
			if other, taken := owner[l]; taken {
				t.Errorf("%q and %q have the label %q", name, other, l)
			}
			owner[l] = name
		}
		if len(name) == 7 {
			return
		}
		for _, c := range "r1-_" {
			walk(name + string(c))
		}
	}
	walk("")
}
