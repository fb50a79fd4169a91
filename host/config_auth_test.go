package host

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"darqline/host/auth"
)

// provider is a [[auth.providers]] with what is given, each line in the place of the one that it begins as.
func provider(lines ...string) string {
	all := []string{`name = "forum"`, `origins = ["https://id.example.org"]`, `issuer = "https://id.example.org"`, `audience = "darqline-test"`,
		`jwks_url = "https://id.example.org/jwks.json"`}
	for _, line := range lines {
		key, value, _ := strings.Cut(line, " ")
		i := slices.IndexFunc(all, func(s string) bool { return strings.HasPrefix(s, key+" ") })
		switch {
		case i < 0:
			all = append(all, line)
		case value == "":
			all = slices.Delete(all, i, i+1)
		default:
			all[i] = line
		}
	}
	return "[[auth.providers]]\n" + strings.Join(all, "\n") + "\n"
}

func TestAuthKeys(t *testing.T) {
	c, fault := read(t, "[auth]\ntimeout = 60\nattempts = 3\nduplicate = \"reject\"\n"+
		provider(`algorithms = ["ES256", "EdDSA"]`, `type = "at+jwt"`, `max_age = 30`)+
		provider(`name = "club"`, `origins = ["https://a.example.org:8443", "http://localhost:9000"]`, `issuer = "club"`, "jwks_url", `jwks_file = "club.json"`))
	if fault != "" {
		t.Fatal(fault)
	}
	want := AuthConfig{Timeout: time.Minute, Attempts: 3, Duplicate: "reject", Providers: []auth.Provider{
		{Name: "forum", Origins: []string{"https://id.example.org"}, Issuer: "https://id.example.org", Audience: "darqline-test",
			JWKSURL: "https://id.example.org/jwks.json", Algorithms: []string{"ES256", "EdDSA"}, Type: "at+jwt", MaxAge: 30 * time.Second},
		{Name: "club", Origins: []string{"https://a.example.org:8443", "http://localhost:9000"}, Issuer: "club", Audience: "darqline-test",
			JWKSFile: "club.json", Algorithms: []string{"RS256"}, Type: "JWT", MaxAge: 10 * time.Minute}}}
	if got := fmt.Sprintf("%+v", c.Auth); got != fmt.Sprintf("%+v", want) {
		t.Errorf("got\n%s\nwant\n%+v", got, want)
	}
	if got := c.providers()[1].JWKSFile; got != filepath.Join(c.Dir, "club.json") {
		t.Errorf("the file with keys is %s", got)
	}
	if rules := c.Auth.rules(); !rules.Reject || len(rules.Origins) != 3 {
		t.Errorf("the world is told %+v", rules)
	}
	if w := c.warnings(); len(w) != 1 || w[0] != "auth.providers[1].origins: http://localhost:9000 signs in nobody but players on this machine, because it is http" {
		t.Errorf("warnings %q", w)
	}
}

func TestAuthFaults(t *testing.T) {
	two := provider() + provider(`name = "club"`, `issuer = "club"`)
	for text, want := range map[string]string{
		"[auth]\ntimeout = 9\n":                                  "2: auth.timeout must be 10..3600, not 9",
		"[auth]\nattempts = 101\n":                               "2: auth.attempts must be 1..100, not 101",
		"[auth]\nduplicate = \"kick\"\n":                         `2: auth.duplicate must be "replace" or "reject", not "kick"`,
		"[auth]\nprovider = 1\n":                                 `2: unknown key "provider" in [auth]; did you mean "providers"?`,
		"[auth.providers]\nname = \"x\"\n":                       "1: auth.providers must be a list, not a table",
		provider(`name = "Forum"`):                               `2: auth.providers[0].name: "Forum": a provider's name is 1..24 of a-z, 0-9 and _`,
		provider("audience"):                                     `1: missing key "audience" in auth.providers[0]`,
		provider(`issuer = ""`):                                  `4: auth.providers[0].issuer must have 1..255 bytes, not 0`,
		provider(`audiense = "x"`):                               `7: unknown key "audiense" in auth.providers[0]; did you mean "audience"?`,
		provider(`origins = []`):                                 `3: auth.providers[0].origins must have 1..4 entries, not 0`,
		provider(`origins = ["https://1.2.3.4"]`):                `3: auth.providers[0].origins[0]: origin "https://1.2.3.4": "1.2.3.4" is an IP address or has a number for a top-level domain`,
		provider(`origins = ["https://id.example.org:443"]`):     `3: auth.providers[0].origins[0]: origin "https://id.example.org:443": the default port 443 is not written`,
		provider(`algorithms = ["HS256"]`):                       `7: auth.providers[0].algorithms[0] must be "RS256", "ES256" or "EdDSA", not "HS256"`,
		provider(`max_age = 9`):                                  `7: auth.providers[0].max_age must be 10..86400, not 9`,
		provider(`jwks_url = "http://id.example.org/jwks.json"`): `6: auth.providers[0].jwks_url: "http://id.example.org/jwks.json": http:// is for loopback alone`,
		provider("jwks_url"):                                     `1: auth.providers[0].jwks_url: this or jwks_file is required`,
		provider(`jwks_file = "x"`):                              `6: auth.providers[0].jwks_url: set this or jwks_file, not both`,
		provider() + provider(`issuer = "x"`):                    `8: auth.providers[1].name: "forum" is the name of another provider, too`,
		provider() + provider(`name = "x"`):                      `10: auth.providers[1].issuer: "https://id.example.org" is the issuer of another provider, too`,
		two + provider(`name = "x"`, `issuer = "x"`, `origins = ["https://a.de", "https://b.de", "https://c.de"]`): `15: auth.providers[2].origins: 5 origins`,
	} {
		if _, got := read(t, text); !strings.HasPrefix(got, "server.toml:"+want) || strings.Contains(got, "\n") {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestAccountPermissionKeys: what permissions.players gives, and what is said of accounts that nobody has.
func TestAccountPermissionKeys(t *testing.T) {
	const given = "[permissions.groups]\nadmin = [\"kick\"]\n[permissions.players]\n\"forum:4711\" = [\"admin\"]\n\"fourm:1\" = [\"kick\"]\n"
	c, fault := read(t, provider()+given)
	if fault != "" {
		t.Fatal(fault)
	}
	if got := strings.Join(c.Permissions.ofPlayers().Accounts["forum:4711"], " "); got != "admin kick" {
		t.Errorf("forum:4711 has %q", got)
	}
	want := `permissions.players: nobody can have the account "fourm:1", because no [[auth.providers]] is called "fourm"; did you mean "forum"?`
	if w := c.warnings(); len(w) != 1 || w[0] != want {
		t.Errorf("warnings %q", w)
	}
	if _, fault := read(t, "[permissions.players]\nTommy = []\n"); !strings.HasPrefix(fault, `server.toml:2: a name in [permissions.players]: "Tommy" is no account`) {
		t.Error(fault)
	}
}

// TestProvidersThatAreWrongStartNothing: a configuration that a program makes is judged as a file is.
func TestProvidersThatAreWrongStartNothing(t *testing.T) {
	c := Defaults()
	c.Dir = t.TempDir()
	if err := os.Mkdir(filepath.Join(c.Dir, "resources"), 0o755); err != nil {
		t.Fatal(err)
	}
	c.Auth.Providers = []auth.Provider{{Name: "forum"}}
	if _, err := New(c, Options{}); err == nil || !strings.Contains(err.Error(), "auth.providers[0].issuer") {
		t.Errorf("New says %v", err)
	}
}
