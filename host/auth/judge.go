package auth

import (
	"bytes"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// leeway is how far the clocks of provider and server may be apart.
const leeway = 60 * time.Second

// refusal is why an assertion is not good: the word of page Connection, and a sentence for the log.
type refusal struct {
	reason, why string
	newer       bool // newer keys of the provider may change it
}

func refuse(reason, format string, args ...any) *refusal {
	return &refusal{reason: reason, why: fmt.Sprintf(format, args...)}
}

// issuer finds the provider that an assertion says it is from.
func (a *assertion) issuer(providers []provider) (*provider, *refusal) {
	iss, ok := a.claims["iss"].(string)
	for i := range providers {
		if ok && iss == providers[i].Issuer {
			return &providers[i], nil
		}
	}
	return nil, refuse(Issuer, "iss is %s, which is the issuer of no provider", shown(a.claims["iss"]))
}

// judge makes the checks of page Connection from the algorithm on, in its order, up to the bans.
func (a *assertion) judge(p Provider, keys *keySet, nonce [32]byte, now time.Time) *refusal {
	for _, check := range []func() *refusal{
		func() *refusal { return a.algorithm(p) },
		func() *refusal { return a.signature(p, keys) },
		func() *refusal { return a.audience(p) },
		func() *refusal { return a.times(p, now) },
		func() *refusal { return a.nonce(nonce) },
		a.subject,
	} {
		if r := check(); r != nil {
			return r
		}
	}
	return nil
}

// algorithm looks at the header: what would have the key come from the assertion itself, or would change what is signed, is
// never looked at further.
func (a *assertion) algorithm(p Provider) *refusal {
	for _, name := range []string{"crit", "jku", "jwk", "x5u", "x5c", "b64"} {
		if _, there := a.header[name]; there {
			return refuse(Algorithm, "the header has %s", name)
		}
	}
	if alg, _ := a.header["alg"].(string); !slices.Contains(p.Algorithms, alg) || !slices.Contains(Algorithms(), alg) {
		return refuse(Algorithm, "alg is %s, provider %s has %s", shown(a.header["alg"]), p.Name, strings.Join(p.Algorithms, ", "))
	}
	if typ, there := a.header["typ"]; there && typ != "JWT" && typ != p.Type {
		return refuse(Algorithm, "typ is %s, JWT or %s is wanted", shown(typ), p.Type)
	}
	return nil
}

// signature finds the keys that may have signed the assertion and tries them.
func (a *assertion) signature(p Provider, set *keySet) *refusal {
	if set == nil {
		return &refusal{Unavailable, "the keys of provider " + p.Name + " are not known", true}
	}
	alg := a.header["alg"].(string)
	keys, r := set.find(a.header, alg)
	if r != nil {
		return r
	}
	jws, err := jose.ParseSignedCompact(a.jwt, []jose.SignatureAlgorithm{jose.SignatureAlgorithm(alg)})
	if err != nil {
		return refuse(Signature, "it cannot be read") // the error may hold parts of it
	}
	for _, key := range keys {
		if body, err := jws.Verify(key.public); err == nil && bytes.Equal(body, a.body) {
			return nil
		}
	}
	return refuse(Signature, "no key of provider %s has signed it", p.Name)
}

func (a *assertion) audience(p Provider) *refusal {
	switch aud := a.claims["aud"].(type) {
	case string:
		if aud == p.Audience {
			return nil
		}
	case []any:
		if len(aud) > 8 {
			return refuse(Audience, "aud has %d entries, at most 8 are allowed", len(aud))
		}
		if slices.ContainsFunc(aud, func(v any) bool { _, ok := v.(string); return !ok }) {
			return refuse(Audience, "aud has an entry that is not a string")
		}
		if !slices.Contains(aud, any(p.Audience)) {
			break
		}
		if len(aud) > 1 && a.claims["azp"] != p.Audience {
			return refuse(Audience, "aud has %d entries, and azp is %s", len(aud), shown(a.claims["azp"]))
		}
		return nil
	}
	return refuse(Audience, "aud is %s, provider %s has %s", shown(a.claims["aud"]), p.Name, short(p.Audience))
}

func (a *assertion) times(p Provider, wall time.Time) *refusal {
	now := float64(wall.UnixMilli()) / 1000
	slack := leeway.Seconds()
	exp, ok := number(a.claims["exp"])
	if !ok {
		return refuse(Expired, "exp is %s, not a number", shown(a.claims["exp"]))
	}
	iat, ok := number(a.claims["iat"])
	if !ok {
		return refuse(Expired, "iat is %s, not a number", shown(a.claims["iat"]))
	}
	nbf := math.Inf(-1)
	if v, there := a.claims["nbf"]; there {
		if nbf, ok = number(v); !ok {
			return refuse(Expired, "nbf is %s, not a number", shown(v))
		}
	}
	switch {
	case exp <= now-slack:
		return refuse(Expired, "it ended %s ago", seconds(now-exp))
	case iat > now+slack:
		return refuse(Expired, "it is issued %s ahead of this server's clock", seconds(iat-now))
	case nbf > now+slack:
		return refuse(Expired, "it begins in %s", seconds(nbf-now))
	case iat < now-p.MaxAge.Seconds()-slack:
		return refuse(Expired, "it is %s old, max_age is %s", seconds(now-iat), p.MaxAge)
	}
	return nil
}

func (a *assertion) nonce(want [32]byte) *refusal {
	got, ok := a.claims["nonce"].(string)
	if !ok {
		return refuse(Nonce, "nonce is %s", shown(a.claims["nonce"]))
	}
	if subtle.ConstantTimeCompare([]byte(got), []byte(base64.RawURLEncoding.EncodeToString(want[:]))) != 1 {
		return refuse(Nonce, "nonce is not this connection's")
	}
	return nil
}

func (a *assertion) subject() *refusal {
	sub, ok := a.claims["sub"].(string)
	if !ok || sub == "" || len(sub) > 64 || strings.ContainsFunc(sub, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return refuse(Subject, "sub is %s, not 1..64 bytes of printable ASCII without space", shown(a.claims["sub"]))
	}
	return nil
}

// shown is a claim for the log, a little of it.
func shown(v any) string {
	switch v := v.(type) {
	case nil:
		return "missing"
	case string:
		return short(v)
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return short(fmt.Sprint(v))
}

// seconds is a span that may be longer than a time.Duration holds.
func seconds(s float64) string { return fmt.Sprintf("%.0f s", s) }
