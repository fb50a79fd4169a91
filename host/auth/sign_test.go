package auth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"maps"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// The keys of the tests, by kid: private ones that are good for nothing else.
//
//go:embed testdata/keys.json
var keysJSON []byte

var testKeys = func() map[string]jose.JSONWebKey {
	var set jose.JSONWebKeySet
	if err := json.Unmarshal(keysJSON, &set); err != nil {
		panic(err)
	}
	keys := make(map[string]jose.JSONWebKey)
	for _, k := range set.Keys {
		keys[k.KeyID] = k
	}
	return keys
}()

// jwks is a set of public keys: of kids of the test keys, or whole JSON objects.
func jwks(entries ...any) string {
	var set struct {
		Keys []any `json:"keys"`
	}
	for _, e := range entries {
		if kid, ok := e.(string); ok {
			e = publicKey(kid, nil)
		}
		set.Keys = append(set.Keys, e)
	}
	data, err := json.Marshal(set)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// publicKey is the public JWK of a kid with some members changed; nil takes one out.
func publicKey(kid string, changes map[string]any) map[string]any {
	key := testKeys[kid]
	data, err := key.Public().MarshalJSON()
	if err != nil {
		panic(err)
	}
	var o map[string]any
	if err := json.Unmarshal(data, &o); err != nil {
		panic(err)
	}
	return changed(o, changes)
}

func changed(o, changes map[string]any) map[string]any {
	o = maps.Clone(o)
	for k, v := range changes {
		if o[k] = v; v == nil {
			delete(o, k)
		}
	}
	return o
}

type members = map[string]any

var (
	testNow   = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	testNonce = [32]byte{1, 2, 3, 31: 0xFF}
	forum     = Provider{Name: "forum", Origins: []string{"https://id.example.org"}, Issuer: "https://id.example.org", Audience: "my-server",
		Algorithms: []string{"RS256", "ES256", "EdDSA"}, Type: "game+jwt"}
)

// claims are good ones with some changed; nil takes one out.
func claims(changes members) string {
	return encode(changed(members{"iss": forum.Issuer, "aud": forum.Audience, "sub": "4711", "iat": testNow.Unix(), "exp": testNow.Unix() + 3600,
		"nonce": base64.RawURLEncoding.EncodeToString(testNonce[:])}, changes))
}

func header(alg, kid string, changes members) string {
	return encode(changed(members{"alg": alg, "kid": kid, "typ": "JWT"}, changes))
}

func encode(o members) string {
	data, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func b64(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

// seal makes a JWT by hand, so that nothing of a library stands in the way of what is wrong with it.
func seal(header, claims string, sign func([]byte) []byte) string {
	input := b64(header) + "." + b64(claims)
	return input + "." + b64(string(sign([]byte(input))))
}

// by signs as the key of that kid would.
func by(kid string) func([]byte) []byte {
	return func(input []byte) []byte {
		sum := sha256.Sum256(input)
		switch k := testKeys[kid].Key.(type) {
		case *rsa.PrivateKey:
			sig, err := rsa.SignPKCS1v15(nil, k, crypto.SHA256, sum[:])
			if err != nil {
				panic(err)
			}
			return sig
		case *ecdsa.PrivateKey:
			size := (k.Curve.Params().BitSize + 7) / 8
			r, s, err := ecdsa.Sign(rand.Reader, k, sum[:])
			if err != nil {
				panic(err)
			}
			return append(r.FillBytes(make([]byte, size)), s.FillBytes(make([]byte, size))...)
		case ed25519.PrivateKey:
			return ed25519.Sign(k, input)
		}
		panic("no key " + kid)
	}
}

// byHMAC signs with a shared secret.
func byHMAC(secret []byte) func([]byte) []byte {
	return func(input []byte) []byte {
		m := hmac.New(sha256.New, secret)
		m.Write(input)
		return m.Sum(nil)
	}
}

func byDER(kid string) func([]byte) []byte {
	return func(input []byte) []byte {
		sum := sha256.Sum256(input)
		sig, err := ecdsa.SignASN1(rand.Reader, testKeys[kid].Key.(*ecdsa.PrivateKey), sum[:])
		if err != nil {
			panic(err)
		}
		return sig
	}
}

func byRSA(kid string, hash crypto.Hash, pss bool) func([]byte) []byte {
	return func(input []byte) []byte {
		sum := sha256.Sum256(input)
		digest := sum[:]
		if hash == crypto.SHA512 {
			long := sha512.Sum512(input)
			digest = long[:]
		}
		key := testKeys[kid].Key.(*rsa.PrivateKey)
		sig, err := rsa.SignPKCS1v15(nil, key, hash, digest)
		if pss {
			sig, err = rsa.SignPSS(rand.Reader, key, hash, digest, nil)
		}
		if err != nil {
			panic(err)
		}
		return sig
	}
}

func constant(sig []byte) func([]byte) []byte { return func([]byte) []byte { return sig } }

// checker is one whose provider forum has these keys, without Run.
func checker(t testing.TB, p Provider, set string) *Checker {
	t.Helper()
	c := New(Config{Now: func() time.Time { return testNow }})
	p.JWKSFile = t.TempDir() + "/jwks.json"
	write(t, p.JWKSFile, set)
	if err := c.SetProviders([]Provider{p}); err != nil {
		t.Fatal(err)
	}
	return c
}

// ask checks one assertion and waits for the result.
func ask(c *Checker, jwt string) Result {
	results := make(chan Result, 1)
	c.Check([]byte(jwt), testNonce, nil, func(r Result) { results <- r })
	return <-results
}
