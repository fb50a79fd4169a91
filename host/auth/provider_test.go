package auth

import (
	"strings"
	"testing"
	"time"

	"darqline/resources/strict"
)

func TestValidProviders(t *testing.T) {
	valid := func() Provider {
		return Provider{Name: "forum", Origins: []string{"https://id.example.org"}, Issuer: "https://id.example.org", Audience: "my-server",
			JWKSURL: "https://id.example.org/jwks.json"}
	}
	one := func(change func(*Provider)) []Provider { p := valid(); change(&p); return []Provider{p} }
	two := func(change func(*Provider)) []Provider {
		p := valid()
		p.Name, p.Issuer = "club", "https://club.example.org"
		change(&p)
		return []Provider{valid(), p}
	}
	origins := func(n int) func(*Provider) {
		return func(p *Provider) {
			p.Origins = []string{"https://a.org", "https://b.org", "https://c.org", "https://d.org", "https://e.org"}[:n]
		}
	}
	from := func(url string) []Provider { return one(func(p *Provider) { p.JWKSURL = url }) }
	long := strings.Repeat("x", 256)
	for _, tc := range []struct {
		name string
		list []Provider
		want string
	}{
		{"none", nil, ""},
		{"one", one(func(p *Provider) {}), ""},
		{"two", two(func(p *Provider) {}), ""},
		{"name of 24", one(func(p *Provider) { p.Name = long[:24] }), ""},
		{"name of 25", one(func(p *Provider) { p.Name = long[:25] }), "auth.providers[0].name: "},
		{"no name", one(func(p *Provider) { p.Name = "" }), "[0].name: "},
		{"name with a colon", one(func(p *Provider) { p.Name = "a:b" }), "[0].name: "},
		{"name in upper case", one(func(p *Provider) { p.Name = "Forum" }), "[0].name: "},
		{"name with a path", one(func(p *Provider) { p.Name = "../x" }), "[0].name: "},
		{"name twice", two(func(p *Provider) { p.Name = "forum" }), "[1].name: \"forum\" is the name of another"},
		{"issuer twice", two(func(p *Provider) { p.Issuer = valid().Issuer }), "[1].issuer: "},
		{"no issuer", one(func(p *Provider) { p.Issuer = "" }), "[0].issuer: 0 bytes, 1..255"},
		{"issuer of 255", one(func(p *Provider) { p.Issuer = long[:255] }), ""},
		{"issuer of 256", one(func(p *Provider) { p.Issuer = long }), "[0].issuer: 256 bytes"},
		{"no audience", one(func(p *Provider) { p.Audience = "" }), "[0].audience: "},
		{"audience of 256", one(func(p *Provider) { p.Audience = long }), "[0].audience: "},
		{"no origins", one(func(p *Provider) { p.Origins = nil }), "[0].origins: at least 1"},
		{"bad origin", one(func(p *Provider) { p.Origins = []string{"https://localhost"} }), `[0].origins: origin "https://localhost"`},
		{"4 origins", one(origins(4)), ""},
		{"5 origins", one(origins(5)), "[0].origins: 5 origins, at most 4"},
		{"4 over two", two(origins(3)), ""},
		{"5 over two", two(origins(4)), "[1].origins: 5 origins with those of the providers before it"},
		{"no keys", from(""), "[0].jwks_url: this or jwks_file"},
		{"both keys", one(func(p *Provider) { p.JWKSFile = "keys.json" }), "not both"},
		{"a file", one(func(p *Provider) { p.JWKSURL, p.JWKSFile = "", "keys.json" }), ""},
		{"http on loopback", from("http://127.0.0.1:9000/jwks.json"), ""},
		{"http on localhost", from("http://localhost/jwks.json"), ""},
		{"http on ::1", from("http://[::1]:9000/jwks.json"), ""},
		{"http elsewhere", from("http://id.example.org/jwks.json"), "for loopback alone"},
		{"http on a private address", from("http://192.168.0.2/jwks.json"), "for loopback alone"},
		{"http on a name like localhost", from("http://localhost.example.org/"), "for loopback alone"},
		{"http on a decimal address", from("http://2130706433/"), "for loopback alone"},
		{"https on an address", from("https://203.0.113.5/jwks.json"), ""},
		{"another scheme", from("file:///etc/passwd"), "must be a whole URL"},
		{"ftp", from("ftp://id.example.org/"), "must begin with https://"},
		{"no scheme", from("id.example.org/jwks.json"), "must be a whole URL"},
		{"a password", from("https://a:b@id.example.org/"), "without a user"},
		{"a fragment", from("https://id.example.org/#x"), "fragment"},
		{"no URL", from("https://id.example.org/%zz"), "is not a URL"},
		{"algorithms", one(func(p *Provider) { p.Algorithms = Algorithms() }), ""},
		{"HS256", one(func(p *Provider) { p.Algorithms = []string{"HS256"} }), `[0].algorithms: "HS256" is none of`},
		{"none for an algorithm", one(func(p *Provider) { p.Algorithms = []string{"RS256", "none"} }), `"none" is none of`},
		{"type of 65", one(func(p *Provider) { p.Type = long[:65] }), "[0].type: "},
		{"max_age 10 s", one(func(p *Provider) { p.MaxAge = 10 * time.Second }), ""},
		{"max_age 9 s", one(func(p *Provider) { p.MaxAge = 9 * time.Second }), "[0].max_age: 9 seconds"},
		{"max_age a day and a second", one(func(p *Provider) { p.MaxAge = 86401 * time.Second }), "[0].max_age: "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := ValidProviders(tc.list)
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %q", err, tc.want)
			}
		})
	}
}

// The rows of the configuration hold what one key may be; ValidProviders the rest.
func TestRows(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"page Connection's example", `name = "forum"
			origins = ["https://id.example.org"]
			issuer = "https://id.example.org"
			audience = "darqline-my-server"
			jwks_url = "https://id.example.org/jwks.json"`, ""},
		{"all keys", `name = "forum"
			origins = ["http://localhost:9000"]
			issuer = "i"
			audience = "a"
			jwks_file = "keys.json"
			algorithms = ["ES256", "EdDSA"]
			type = "at+jwt"
			max_age = 60`, ""},
		{"nothing", ``, "name"},
		{"wrong values", `name = "Forum"
			origins = ["https://id.example.org:443"]
			issuer = ""
			audience = "a"
			jwks_url = "http://id.example.org"
			algorithms = ["HS256"]
			max_age = 9`, "name origins issuer jwks_url algorithms max_age"},
		{"no algorithms", `name = "f"
			origins = []
			issuer = "i"
			audience = "a"
			algorithms = []`, "origins algorithms"},
		{"a key that is none", `name = "f"
			origins = ["https://a.org"]
			issuer = "i"
			audience = "a"
			jwks = "x"`, "jwks"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var list []Provider
			table := strict.Table{strict.Key("auth.providers", strict.Tables(&list, 0, MaxProviders, (*Provider).Rows), "who may sign players in")}
			_, faults := table.Read("server.toml", []byte("[[auth.providers]]\n"+tc.text))
			if tc.want == "" {
				if err := faults.Err(); err != nil {
					t.Fatal(err)
				}
				if err := ValidProviders(list); err != nil {
					t.Error(err)
				}
				if p := list[0]; p.Type == "" || p.MaxAge == 0 || len(p.Algorithms) == 0 {
					t.Errorf("%+v", p)
				}
				return
			}
			for _, key := range strings.Fields(tc.want) {
				if err := faults.Err(); err == nil || !strings.Contains(err.Error(), key) {
					t.Errorf("%v, want a fault of %s", err, key)
				}
			}
		})
	}
}
