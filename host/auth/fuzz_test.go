package auth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Whatever the assertion and the key set are: nothing gets past the signature that no key of the set has signed.
func FuzzJWT(f *testing.F) {
	sets := []string{jwks("rsa"), jwks("rsa", "ec", "ed"), jwks("ec"), jwks("ed"), jwks("rsa-1024", "ec-384", publicKey("rsa", members{"use": "enc"})),
		jwks(members{"kty": "oct", "k": "AAAA", "kid": "rsa"})}
	jwts := []string{good(nil), with(members{"kid": nil}), seal(header("ES256", "ec", nil), claims(nil), by("ec")), seal(header("EdDSA", "ed", nil), claims(nil), by("ed")),
		seal(header("none", "rsa", nil), claims(nil), constant(nil)), seal(header("HS256", "rsa", nil), claims(nil), byHMAC(nil)), "..", "a.b.c"}
	for _, set := range sets {
		for _, jwt := range jwts {
			f.Add(jwt, set)
		}
	}
	f.Fuzz(func(t *testing.T, jwt, set string) {
		keys, err := parseKeys([]byte(set))
		if err != nil {
			keys = nil
		} else if len(keys.keys) == 0 || len(keys.keys) > maxKeys {
			t.Fatalf("%d keys", len(keys.keys))
		}
		a, err := parse(jwt)
		if err != nil {
			return
		}
		if len(jwt) > MaxJWT {
			t.Fatal("longer than allowed")
		}
		r := a.judge(forum.withDefaults(), keys, testNonce, testNow)
		passed := r == nil || slices.Contains([]string{Audience, Expired, Nonce, Subject}, r.reason)
		if passed && (keys == nil || !signedByAny(jwt, set)) {
			t.Fatalf("no key of the set has signed it; the check says %v", r)
		}
	})
}

// What was signed, whatever it says: if it is taken, then another reader of JSON finds in it all that must be there.
func FuzzClaims(f *testing.F) {
	for _, list := range [][]attack{formAttacks(), headerAttacks(), audienceAttacks(), timeAttacks(), nonceAttacks()} {
		for _, a := range list {
			if p := strings.Split(a.jwt, "."); len(p) == 3 && len(a.jwt) < 1500 {
				head, err1 := base64.RawURLEncoding.DecodeString(p[0])
				body, err2 := base64.RawURLEncoding.DecodeString(p[1])
				if err1 == nil && err2 == nil {
					f.Add(string(head), string(body))
				}
			}
		}
	}
	set, err := parseKeys([]byte(jwks("ed")))
	if err != nil {
		f.Fatal(err)
	}
	p := forum
	p.Algorithms = []string{"EdDSA"}
	p = p.withDefaults()
	f.Fuzz(func(t *testing.T, head, body string) {
		if strings.Contains(head, `"rsa"`) { // the seeds' header, by a key that is quick
			head = header("EdDSA", "ed", nil)
		}
		a, err := parse(seal(head, body, by("ed")))
		if err != nil {
			return
		}
		if _, r := a.issuer([]provider{{Provider: p}}); r != nil || a.judge(p, set, testNonce, testNow) != nil {
			return
		}
		h, c := reread(t, head), reread(t, body)
		if typ := h["typ"]; h["alg"] != "EdDSA" || h["kid"] != nil && h["kid"] != "ed" || typ != nil && typ != "JWT" && typ != p.Type || h["crit"] != nil {
			t.Fatalf("header %s", head)
		}
		if c["nonce"] != base64.RawURLEncoding.EncodeToString(testNonce[:]) || c["iss"] != p.Issuer || !strings.Contains(body, p.Audience) {
			t.Fatalf("claims %s", body)
		}
		if sub := c["sub"].(string); !regexp.MustCompile(`^[!-~]{1,64}$`).MatchString(sub) {
			t.Fatalf("sub %q", sub)
		}
		now := float64(testNow.Unix())
		if iat := c["iat"].(float64); iat > now+60 || iat < now-660 {
			t.Fatalf("iat %f", iat)
		}
		if exp := c["exp"].(float64); exp <= now-60 {
			t.Fatalf("exp %f", exp)
		}
	})
}

// reread is an object as the standard library reads it, with names in their exact case.
func reread(t *testing.T, text string) (o map[string]any) {
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		if strings.Contains(err.Error(), "cannot unmarshal number") {
			t.Skip("the reader that is compared with takes no number as large as 1e400")
		}
		t.Fatalf("%s: %v", text, err)
	}
	return o
}

// signedByAny verifies with the standard library alone.
func signedByAny(jwt, set string) bool {
	var s struct {
		Keys []struct{ Kty, N, E, Crv, X, Y string }
	}
	if err := json.Unmarshal([]byte(set), &s); err != nil {
		return false
	}
	at := strings.LastIndexByte(jwt, '.')
	sig, err := base64.RawURLEncoding.DecodeString(jwt[at+1:])
	if err != nil {
		return false
	}
	sum := sha256.Sum256([]byte(jwt[:at]))
	bytes := func(s string) []byte { b, _ := base64.RawURLEncoding.DecodeString(s); return b }
	number := func(s string) *big.Int { return new(big.Int).SetBytes(bytes(s)) }
	for _, k := range s.Keys {
		switch {
		case k.Kty == "RSA":
			public := &rsa.PublicKey{N: number(k.N), E: int(number(k.E).Int64())}
			if public.N.BitLen() >= minRSA && rsa.VerifyPKCS1v15(public, crypto.SHA256, sum[:], sig) == nil {
				return true
			}
		case k.Kty == "EC" && k.Crv == "P-256" && len(sig) == 64:
			public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), slices.Concat([]byte{4}, bytes(k.X), bytes(k.Y)))
			if err == nil && ecdsa.Verify(public, sum[:], new(big.Int).SetBytes(sig[:32]), new(big.Int).SetBytes(sig[32:])) {
				return true
			}
		case k.Kty == "OKP" && k.Crv == "Ed25519" && len(bytes(k.X)) == ed25519.PublicKeySize:
			if ed25519.Verify(bytes(k.X), []byte(jwt[:at]), sig) {
				return true
			}
		}
	}
	return false
}
