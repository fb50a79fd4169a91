package auth

import (
	"crypto"
	"strings"
	"testing"
)

// One check of a common assertion, by algorithm; and what costs who sends what is not good.
func BenchmarkCheck(b *testing.B) {
	c := checker(b, forum, jwks("rsa", "rsa-4096", "ec", "ed"))
	profile := members{"name": "Ada Lovelace", "preferred_username": "ada", "email": "ada@example.org", "groups": []string{"members", "staff"}}
	by := func(alg, kid string) string { return seal(header(alg, kid, nil), claims(profile), by(kid)) }
	for _, bc := range []struct{ name, jwt, want string }{
		{"RS256-2048", by("RS256", "rsa"), ""}, {"RS256-4096", by("RS256", "rsa-4096"), ""}, {"ES256", by("ES256", "ec"), ""}, {"EdDSA", by("EdDSA", "ed"), ""},
		{"malformed", strings.Repeat("A", MaxJWT), Malformed},
		{"deep", rawClaims(strings.Repeat("[", 3000) + strings.Repeat("]", 3000)), Malformed},
		{"many-claims", rawClaims(`{"iss":"x"` + `,"a":[` + strings.Repeat("0,", 2800) + "0]}"), Issuer},
		{"signature", seal(header("RS256", "rsa", nil), claims(profile), byRSA("rsa-other", crypto.SHA256, false)), Signature},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if r, _, _ := c.once(bc.jwt, testNonce, nil); r.Reason != bc.want {
					b.Fatal(r)
				}
			}
		})
	}
}
