package auth

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"darqline/protocol"
	"darqline/resources/strict"
)

// MaxProviders is how many there can be: each has an origin of its own, and a view carries 4 of them.
const MaxProviders = protocol.MaxOrigins

// Provider is one of [[auth.providers]] (page Connection, Server configuration): who signs assertions for this server.
type Provider struct {
	Name       string        // 1..24 of a-z 0-9 _; the account is NAME:subject
	Origins    []string      // 1..4, by protocol.ValidOrigins; where the page of the sign-in view may send requests
	Issuer     string        // 1..255 bytes, exactly the claim iss
	Audience   string        // 1..255 bytes, exactly in the claim aud
	JWKSURL    string        // https, or http on loopback; or
	JWKSFile   string        // a file of the same form
	Algorithms []string      // of Algorithms(); none: RS256
	Type       string        // an accepted typ beside JWT; "": JWT
	MaxAge     time.Duration // since iat, 10 s..24 h; 0: 600 s
}

// Algorithms are the signatures that a provider can use.
func Algorithms() []string { return []string{"RS256", "ES256", "EdDSA"} }

// Rows declare the keys of one of [[auth.providers]], with their defaults put into p.
func (p *Provider) Rows() strict.Table {
	*p = p.withDefaults()
	return strict.Table{
		strict.Key("name", strict.String(&p.Name, strict.Check("1..24 of a-z 0-9 _", validName)),
			"the part of the account before the colon").Live().Required(),
		strict.Key("origins", strict.List(&p.Origins, 1, protocol.MaxOrigins, func(s *string) strict.Value {
			return strict.String(s, strict.Check("an origin", validOrigin))
		}), "where the page of the sign-in view may send requests; 4 over all providers").Live().Required(),
		strict.Key("issuer", strict.String(&p.Issuer, strict.Bytes(1, 255)), "exactly the claim `iss`").Live().Required(),
		strict.Key("audience", strict.String(&p.Audience, strict.Bytes(1, 255)), "exactly in the claim `aud`").Live().Required(),
		strict.Key("jwks_url", strict.String(&p.JWKSURL, strict.Bytes(1, 2048), strict.Check("https, or http on loopback", validURL)),
			"where the provider's keys are; this or `jwks_file`").Live(),
		strict.Key("jwks_file", strict.String(&p.JWKSFile, strict.Bytes(1, 4096)), "a file with the provider's keys; read again when it changes").Live(),
		strict.Key("algorithms", strict.List(&p.Algorithms, 1, len(Algorithms()), func(s *string) strict.Value {
			return strict.Choice(s, Algorithms()...)
		}), "accepted signatures").Live(),
		strict.Key("type", strict.String(&p.Type, strict.Bytes(1, 64)), "accepted `typ` besides none and `JWT`").Live(),
		strict.Key("max_age", strict.Seconds(&p.MaxAge, 10, 86400), "seconds since the assertion was issued").Live(),
	}
}

// ValidProviders says what is wrong with providers, each for itself and all together. Each fault names its key.
func ValidProviders(list []Provider) error {
	var faults []error
	if len(list) > MaxProviders {
		faults = append(faults, fmt.Errorf("auth.providers: %d, at most %d are allowed", len(list), MaxProviders))
	}
	origins := 0
	for i, p := range list {
		at := fmt.Sprintf("auth.providers[%d]", i)
		for _, fault := range p.faults() {
			faults = append(faults, fmt.Errorf("%s.%w", at, fault))
		}
		for _, other := range list[:i] {
			if p.Name == other.Name && p.Name != "" {
				faults = append(faults, fmt.Errorf("%s.name: %q is the name of another provider, too", at, p.Name))
			}
			if p.Issuer == other.Issuer && p.Issuer != "" {
				faults = append(faults, fmt.Errorf("%s.issuer: %q is the issuer of another provider, too: an assertion could not tell them apart", at, p.Issuer))
			}
		}
		if origins += len(p.Origins); origins > protocol.MaxOrigins && origins-len(p.Origins) <= protocol.MaxOrigins {
			faults = append(faults, fmt.Errorf("%s.origins: %d origins with those of the providers before it, at most %d over all", at, origins, protocol.MaxOrigins))
		}
	}
	return errors.Join(faults...)
}

// faults are what is wrong with one provider; each begins with the name of its key.
func (p Provider) faults() (faults []error) {
	check := func(key string, err error) {
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", key, err))
		}
	}
	p = p.withDefaults()
	check("name", validName(p.Name))
	if len(p.Origins) == 0 {
		check("origins", errors.New("at least 1 is required"))
	}
	check("origins", protocol.ValidOrigins(p.Origins))
	check("issuer", within(len(p.Issuer), 1, 255, "bytes"))
	check("audience", within(len(p.Audience), 1, 255, "bytes"))
	switch {
	case p.JWKSURL == "" && p.JWKSFile == "":
		check("jwks_url", errors.New("this or jwks_file is required: without the provider's keys nobody could be let in"))
	case p.JWKSURL != "" && p.JWKSFile != "":
		check("jwks_url", errors.New("set this or jwks_file, not both"))
	case p.JWKSURL != "":
		check("jwks_url", validURL(p.JWKSURL))
	}
	for _, alg := range p.Algorithms {
		if !slices.Contains(Algorithms(), alg) {
			check("algorithms", fmt.Errorf("%q is none of %s", alg, strings.Join(Algorithms(), ", ")))
		}
	}
	check("type", within(len(p.Type), 1, 64, "bytes"))
	check("max_age", within(int(p.MaxAge/time.Second), 10, 86400, "seconds"))
	return faults
}

func (p Provider) withDefaults() Provider {
	if len(p.Algorithms) == 0 {
		p.Algorithms = []string{"RS256"}
	}
	if p.Type == "" {
		p.Type = "JWT"
	}
	if p.MaxAge == 0 {
		p.MaxAge = 600 * time.Second
	}
	return p
}

func within(n, lo, hi int, unit string) error {
	if n < lo || n > hi {
		return fmt.Errorf("%d %s, %d..%d are allowed", n, unit, lo, hi)
	}
	return nil
}

func validName(name string) error {
	if name == "" || len(name) > 24 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return fmt.Errorf("%q: a provider's name is 1..24 of a-z, 0-9 and _", name)
	}
	return nil
}

func validOrigin(origin string) error { return protocol.ValidOrigins([]string{origin}) }

// validURL takes what keys may be fetched from: https, or http on loopback.
func validURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return fmt.Errorf("%q is not a URL: %w", text, err)
	case u.Hostname() == "" || u.Opaque != "":
		return fmt.Errorf("%q must be a whole URL, such as https://id.example.org/jwks.json", text)
	case u.User != nil || u.Fragment != "":
		return fmt.Errorf("%q must be without a user, a password and a fragment", text)
	case u.Scheme == "https", u.Scheme == "http" && loopback(u.Hostname()):
		return nil
	case u.Scheme == "http":
		return fmt.Errorf("%q: http:// is for loopback alone, because keys that come over it could be anyone's; use https://", text)
	}
	return fmt.Errorf("%q must begin with https://", text)
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
