package nearest

import "testing"

func TestName(t *testing.T) {
	keys := []string{"description", "version", "entry", "requires", "client", "maps", "settings", "files", "max_players"}
	for _, c := range []struct {
		got, want string
	}{
		{"fiels", "files"},
		{"Files", "files"},
		{"file", "files"},
		{"maxplayers", "max_players"},
		{"max-players", "max_players"},
		{"MAX_PLAYERS", "max_players"},
		{"desription", "description"},
		{"require", "requires"},
		{"map", "maps"},
		{"verzion", "version"},
		{"", ""},
		{"xy", ""},
		{"banana", ""},
		{"entry", ""}, // the very name is no suggestion
		{"лавка", ""},
		{"a name of a hundred characters that nobody would ever have meant to be one of the keys of this file", ""},
	} {
		got, ok := Name(c.got, keys)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("Name(%q) = %q, %v, want %q", c.got, got, ok, c.want)
		}
	}
}

func TestFirstOfEquallyNearWins(t *testing.T) {
	if got, _ := Name("cat", []string{"bat", "rat", "car"}); got != "bat" {
		t.Errorf("got %q", got)
	}
}

func TestTwoLettersOnlyByCase(t *testing.T) {
	if got, ok := Name("ID", []string{"it", "id"}); !ok || got != "id" {
		t.Errorf("got %q, %v", got, ok)
	}
}
