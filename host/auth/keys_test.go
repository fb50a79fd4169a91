package auth

import (
	"encoding/base64"
	"math/big"
	"strings"
	"testing"
)

func TestParseKeys(t *testing.T) {
	number := func(n *big.Int) string { return base64.RawURLEncoding.EncodeToString(n.Bytes()) }
	rsaOf := func(bits uint) map[string]any {
		n := new(big.Int).Lsh(big.NewInt(1), bits-1)
		return publicKey("rsa", members{"n": number(n.Add(n, big.NewInt(1)))})
	}
	for _, tc := range []struct {
		name, set string
		keys      int
		want      string // in the error, or in what was left out
	}{
		{"three kinds", jwks("rsa", "ec", "ed"), 3, ""},
		{"RSA of 2,048 and 4,096 bits", jwks("rsa", "rsa-4096"), 2, ""},
		{"RSA of 1,024 bits beside a good one", jwks("rsa-1024", "rsa"), 1, "key 1: RSA of 1024 bits, 2048..4096"},
		{"RSA of 2,047 bits", jwks(rsaOf(2047), "rsa"), 1, "RSA of 2047 bits"},
		{"RSA of 4,097 bits", jwks(rsaOf(4097), "rsa"), 1, "key 1"},
		{"RSA of 100,000 bits", jwks(rsaOf(100_000), "rsa"), 1, "key 1"},
		{"RSA with e 1", jwks(publicKey("rsa", members{"e": "AQ"}), "ec"), 1, "key 1"},
		{"RSA with e 2", jwks(publicKey("rsa", members{"e": "Ag"}), "ec"), 1, "exponent 2"},
		{"RSA without n", jwks(publicKey("rsa", members{"n": nil}), "ec"), 1, "missing n/e"},
		{"P-384", jwks("ec-384", "ec"), 1, "the curve is P-384"},
		{"a point that is not on the curve", jwks(publicKey("ec", members{"x": publicKey("ec-other", nil)["x"]}), "rsa"), 1, "key 1"},
		{"secp256k1", jwks(publicKey("ec", members{"crv": "secp256k1"}), "rsa"), 1, "key 1"},
		{"X25519", jwks(publicKey("ed", members{"crv": "X25519"}), "rsa"), 1, "key 1"},
		{"Ed25519 of 31 bytes", jwks(publicKey("ed", members{"x": base64.RawURLEncoding.EncodeToString(make([]byte, 31))}), "rsa"), 1, "key 1"},
		{"symmetric", jwks(members{"kty": "oct", "k": "c2VjcmV0"}, "rsa"), 1, "a symmetric key"},
		{"private", jwks(members{"kty": "OKP", "crv": "Ed25519", "x": publicKey("ed", nil)["x"], "d": "AAAA"}, "rsa"), 1, "it is a private key"},
		{"unknown kind", jwks(members{"kty": "AKP", "alg": "ML-DSA-44", "pub": "AAAA"}, "rsa"), 1, "key 1"},
		{"kid a number", jwks(publicKey("ec", members{"kid": 1}), "rsa"), 1, "kid is not a string"},
		{"a key that is none", `{"keys":[1,{},` + strings.TrimPrefix(jwks("rsa"), `{"keys":[`), 1, "key 1: not an object"},
		{"a broken certificate is not read", jwks(publicKey("rsa", members{"x5c": []string{"AAAA"}, "x5t": "x", "x5u": "::"})), 1, ""},
		{"32 keys", jwks(repeated("rsa", 32)...), 32, ""},
		{"33 keys", jwks(repeated("rsa", 33)...), 0, "has 33 keys, at most 32"},
		{"none", `{"keys":[]}`, 0, "no key that can be used"},
		{"only symmetric", jwks(members{"kty": "oct", "k": "c2VjcmV0"}), 0, "no key that can be used"},
		{"no list", `{"keys":{}}`, 0, `no list "keys"`},
		{"KEYS", `{"KEYS":[]}`, 0, `no list "keys"`},
		{"keys twice", `{"keys":[],"keys":[]}`, 0, `the key "keys" is there twice`},
		{"a member twice", strings.Replace(jwks("rsa"), `"kty"`, `"kid":"x","kid":"y","kty"`, 1), 0, "is there twice"},
		{"a list", `[]`, 0, "not a JSON object"},
		{"HTML", `<!doctype html>`, 0, "not JSON"},
		{"empty", ``, 0, "not JSON"},
		{"something behind", jwks("rsa") + "x", 0, "not JSON"},
		{"deep", `{"keys":` + strings.Repeat("[", 100_000), 0, "not JSON"},
		{"deep and whole", `{"keys":` + strings.Repeat("[", 9) + strings.Repeat("]", 9) + "}", 0, "more than 8"},
		{"256 KiB", jwks("rsa") + strings.Repeat(" ", maxSet-len(jwks("rsa"))), 1, ""},
		{"a byte more", jwks("rsa") + strings.Repeat(" ", maxSet-len(jwks("rsa"))+1), 0, "larger than 256 KiB"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			set, err := parseKeys([]byte(tc.set))
			if tc.keys == 0 {
				if err == nil || !strings.Contains(err.Error(), tc.want) {
					t.Errorf("%v, want %q", err, tc.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			left := strings.Join(set.ignored, "; ")
			if len(set.keys) != tc.keys || !strings.Contains(left, tc.want) || (left == "") != (tc.want == "") {
				t.Errorf("%d keys, left out: %s; want %d, %q", len(set.keys), left, tc.keys, tc.want)
			}
		})
	}
}

func repeated(kid string, n int) (list []any) {
	for range n {
		list = append(list, kid)
	}
	return list
}

// Which key of a set is taken for an assertion.
func TestKeyOfAssertion(t *testing.T) {
	by := func(alg, kid, signer string, changes members) string {
		return seal(header(alg, kid, changes), claims(nil), by(signer))
	}
	noKid := members{"kid": nil}
	for _, tc := range []struct{ name, set, jwt, want string }{
		{"no kid, one key", jwks("rsa"), by("RS256", "", "rsa", noKid), ""},
		{"no kid, one key without a kid", jwks(publicKey("rsa", noKid)), by("RS256", "", "rsa", noKid), ""},
		{"no kid, one key that can be used", jwks("rsa", members{"kty": "oct", "k": "AAAA"}), by("RS256", "", "rsa", noKid), ""},
		{"no kid, one more key for encryption", jwks("rsa", publicKey("ec", members{"use": "enc"})), by("RS256", "", "rsa", noKid), Key},
		{"empty kid, a key without one", jwks(publicKey("rsa", noKid)), by("RS256", "", "rsa", nil), Key},
		{"a kid, one key without one", jwks(publicKey("rsa", noKid)), by("RS256", "rsa", "rsa", nil), Key},
		{"two keys of one kid", jwks(publicKey("rsa-other", members{"kid": "rsa"}), "rsa"), by("RS256", "rsa", "rsa", nil), ""},
		{"two kinds of one kid", jwks(publicKey("ec", members{"kid": "rsa"}), "rsa"), by("RS256", "rsa", "rsa", nil), ""},
		{"alg of the key", jwks(publicKey("rsa", members{"alg": "RS256"})), by("RS256", "rsa", "rsa", nil), ""},
		{"another alg of the key", jwks(publicKey("rsa", members{"alg": "PS256"})), by("RS256", "rsa", "rsa", nil), Key},
		{"alg of another kind", jwks(publicKey("rsa", members{"alg": "ES256"})), by("ES256", "rsa", "ec", nil), Key},
		{"use sig", jwks(publicKey("rsa", members{"use": "sig"})), by("RS256", "rsa", "rsa", nil), ""},
		{"use enc", jwks(publicKey("rsa", members{"use": "enc"})), by("RS256", "rsa", "rsa", nil), Key},
		{"RSA of 1,024 bits", jwks("rsa-1024", "ec"), by("RS256", "rsa-1024", "rsa", nil), Key},
		{"RSA of 4,096 bits", jwks("rsa-4096", "ec"), by("RS256", "rsa-4096", "rsa-4096", nil), ""},
		{"P-384 key with ES256", jwks("ec-384", "ec"), by("ES256", "ec-384", "ec-384", nil), Key},
		{"symmetric key of that kid", jwks(members{"kty": "oct", "k": "AAAA", "kid": "s"}, "rsa"), by("RS256", "s", "rsa", nil), Key},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := ask(checker(t, forum, tc.set), tc.jwt); got.Reason != tc.want {
				t.Errorf("%q (%s), want %q", got.Reason, got.Log, tc.want)
			}
		})
	}
}

// The algorithms of the provider bound what its keys could do.
func TestProviderAlgorithms(t *testing.T) {
	p := forum
	p.Algorithms = nil // RS256 alone
	c := checker(t, p, jwks("rsa", "ec"))
	if got := ask(c, good(nil)); got.Reason != "" {
		t.Error(got)
	}
	if got := ask(c, seal(header("ES256", "ec", nil), claims(nil), by("ec"))); got.Reason != Algorithm {
		t.Error(got)
	}
}
