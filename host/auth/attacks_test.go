package auth

import (
	"crypto"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
)

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// good is an assertion by the RSA key with some claims changed.
func good(changes members) string {
	return seal(header("RS256", "rsa", nil), claims(changes), by("rsa"))
}

// with is a good assertion with some of the header changed.
func with(changes members) string {
	return seal(header("RS256", "rsa", changes), claims(nil), by("rsa"))
}

// rawClaims is a good assertion with that text for its claims.
func rawClaims(text string) string { return seal(header("RS256", "rsa", nil), text, by("rsa")) }

type attack struct{ name, jwt, want string }

// Each row of the checks' table (page Connection, Sign-in) with what stands at its edges and what is known to have worked
// somewhere.
func TestAttacks(t *testing.T) {
	log := new(logs)
	c := checker(t, forum, jwks("rsa", "ec", "ed"))
	c.config.Logger = slog.New(slog.NewTextHandler(log, nil))
	for name, list := range map[string][]attack{
		"form": formAttacks(), "issuer": issuerAttacks(), "header": headerAttacks(), "key": keyAttacks(), "signature": signatureAttacks(),
		"audience": audienceAttacks(), "time": timeAttacks(), "nonce and subject": nonceAttacks(),
	} {
		t.Run(name, func(t *testing.T) {
			for _, a := range list {
				t.Run(a.name, func(t *testing.T) {
					got := ask(c, a.jwt)
					if got.Reason != a.want {
						t.Errorf("%q (%s), want %q", got.Reason, got.Log, a.want)
					}
					if (got.Reason == "") != (got.Account != "") || (got.Reason == "") != (got.Log == "") {
						t.Errorf("account %q, log %q", got.Account, got.Log)
					}
					for _, part := range strings.Split(a.jwt, ".") {
						if len(part) > 16 && strings.Contains(got.Log, part) {
							t.Errorf("the log has a part of the assertion: %s", got.Log)
						}
					}
				})
			}
		})
	}
	if log.count("panic") != 0 {
		t.Error(log.String())
	}
}

func nested(depth int) string {
	return strings.Repeat(`{"a":`, depth-1) + "{}" + strings.Repeat("}", depth-1)
}

func formAttacks() []attack {
	jwt := good(nil)
	parts := strings.Split(jwt, ".")
	withClaim := func(extra string) string { return strings.TrimSuffix(claims(nil), "}") + "," + extra + "}" }
	h := header("RS256", "rsa", nil)
	return []attack{
		{"good", jwt, ""},
		{"empty", "", Malformed},
		{"two parts", parts[0] + "." + parts[1], Malformed},
		{"four parts", jwt + ".", Malformed},
		{"encrypted, five parts", jwt + ".AA.AA", Malformed},
		{"padding", parts[0] + "." + parts[1] + "." + parts[2] + "==", Malformed},
		{"padding of the header", b64(h+"  ") + "=." + parts[1] + "." + parts[2], Malformed},
		{"other base64 alphabet", parts[0] + "." + parts[1] + "." + base64.RawStdEncoding.EncodeToString([]byte{0xFB, 0xFF}), Malformed},
		{"trailing bits", parts[0] + "." + parts[1] + "." + twin(parts[2]), Malformed},
		{"trailing bits of the header", twin(b64(strings.TrimRight(h, " ")+strings.Repeat(" ", 2-(len(h)+1)%3))) + "." + parts[1] + "." + parts[2], Malformed},
		{"line break", parts[0] + "\n." + parts[1] + "." + parts[2], Malformed},
		{"carriage return at the end", jwt + "\r", Malformed},
		{"space", " " + jwt, Malformed},
		{"header no object", seal(`["RS256"]`, claims(nil), by("rsa")), Malformed},
		{"header null", seal(`null`, claims(nil), by("rsa")), Malformed},
		{"claims no object", rawClaims(`"4711"`), Malformed},
		{"claims empty", rawClaims(""), Malformed},
		{"claims with something behind", rawClaims(claims(nil) + "{}"), Malformed},
		{"claims with a comment", rawClaims(claims(nil) + "//"), Malformed},
		{"claims with space around", rawClaims(" \n" + claims(nil) + "\t "), ""},
		{"claims with a BOM", rawClaims("\uFEFF" + claims(nil)), Malformed},
		{"not UTF-8", rawClaims(withClaim("\"a\":\"\xC3\"")), Malformed},
		{"a claim twice", rawClaims(withClaim(`"sub":"admin"`)), Malformed},
		{"a claim twice, one escaped", rawClaims(withClaim(`"s\u0075b":"admin"`)), Malformed},
		{"a claim twice, deep down", rawClaims(withClaim(`"a":[{"b":{"c":1,"c":1}}]`)), Malformed},
		{"a claim in another case", rawClaims(withClaim(`"SUB":"admin","Sub":"root"`)), ""},
		{"alg twice", seal(`{"alg":"none","alg":"RS256","kid":"rsa"}`, claims(nil), by("rsa")), Malformed},
		{"depth 8", rawClaims(withClaim(`"a":` + nested(7))), ""},
		{"depth 9", rawClaims(withClaim(`"a":` + nested(8))), Malformed},
		{"depth 9 of lists", rawClaims(withClaim(`"a":` + strings.Repeat("[", 8) + strings.Repeat("]", 8))), Malformed},
		{"depth 3,000", rawClaims(strings.Repeat("[", 3000)), Malformed},
		{"NaN", rawClaims(withClaim(`"a":NaN`)), Malformed},
		{"8,192 bytes", sized(8192), ""},
		{"8,193 bytes", sized(8193), Malformed},
		{"1 MB", strings.Repeat("A", 1<<20), Malformed},
		{"dots", strings.Repeat(".", 8192), Malformed},
	}
}

// twin is another way to write the same bytes, which a lenient decoder takes.
func twin(part string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	at := strings.IndexByte(alphabet, part[len(part)-1])
	other := part[:len(part)-1] + string(alphabet[at|1])
	a, err1 := base64.RawURLEncoding.DecodeString(part)
	b, err2 := base64.RawURLEncoding.DecodeString(other)
	if err1 != nil || err2 != nil || string(a) != string(b) || part == other {
		panic("not a twin: " + part)
	}
	return other
}

// sized is a good assertion of that many bytes. Base64 has three lengths of four, so that the header may have to help.
func sized(n int) string {
	for more := range 3 {
		head := header("RS256", "rsa", members{"pad": strings.Repeat("x", more)})
		for pad := 5200; pad < 5700; pad++ {
			body := claims(members{"pad": strings.Repeat("x", pad)})
			if len(b64(head))+len(b64(body))+len(b64(strings.Repeat("x", 256)))+2 == n {
				return seal(head, body, by("rsa"))
			}
		}
	}
	panic("no such size")
}

func issuerAttacks() []attack {
	return []attack{
		{"missing", good(members{"iss": nil}), Issuer},
		{"empty", good(members{"iss": ""}), Issuer},
		{"another", good(members{"iss": "https://evil.example"}), Issuer},
		{"slash behind", good(members{"iss": forum.Issuer + "/"}), Issuer},
		{"upper case", good(members{"iss": strings.ToUpper(forum.Issuer)}), Issuer},
		{"in a list", good(members{"iss": []string{forum.Issuer}}), Issuer},
		{"null", rawClaims(`{"iss":null}`), Issuer},
		{"before a wrong alg", seal(`{"alg":"none"}`, claims(members{"iss": "x"}), constant(nil)), Issuer},
		{"long", good(members{"iss": strings.Repeat("x", 4000)}), Issuer},
	}
}

func headerAttacks() []attack {
	public := testKeys["rsa"].Key.(*rsa.PrivateKey).Public()
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		panic(err)
	}
	secret := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	list := []attack{
		{"none", seal(header("none", "rsa", nil), claims(nil), constant(nil)), Algorithm},
		{"None", seal(header("None", "rsa", nil), claims(nil), constant(nil)), Algorithm},
		{"none with a right signature", seal(header("none", "rsa", nil), claims(nil), by("rsa")), Algorithm},
		{"HS256 with the public key for a secret", seal(header("HS256", "rsa", nil), claims(nil), byHMAC(secret)), Algorithm},
		{"HS256 with an empty secret", seal(header("HS256", "rsa", nil), claims(nil), byHMAC(nil)), Algorithm},
		{"RS512", seal(header("RS512", "rsa", nil), claims(nil), byRSA("rsa", crypto.SHA512, false)), Algorithm},
		{"PS256", seal(header("PS256", "rsa", nil), claims(nil), byRSA("rsa", crypto.SHA256, true)), Algorithm},
		{"ES384", seal(header("ES384", "ec", nil), claims(nil), by("ec")), Algorithm},
		{"Ed25519 by its new name", seal(header("Ed25519", "ed", nil), claims(nil), by("ed")), Algorithm},
		{"no alg", with(members{"alg": nil}), Algorithm},
		{"alg in lower case", with(members{"alg": "rs256"}), Algorithm},
		{"alg in a list", with(members{"alg": []string{"RS256"}}), Algorithm},
		{"alg a number", with(members{"alg": 1}), Algorithm},
		{"embedded jwk", seal(header("RS256", "rsa-other", members{"jwk": publicKey("rsa-other", nil)}), claims(nil), by("rsa-other")), Algorithm},
		{"typ missing", with(members{"typ": nil}), ""},
		{"typ of the provider", with(members{"typ": "game+jwt"}), ""},
		{"typ of an access token", with(members{"typ": "at+jwt"}), Algorithm},
		{"typ in lower case", with(members{"typ": "jwt"}), Algorithm},
		{"typ empty", with(members{"typ": ""}), Algorithm},
		{"typ null", seal(`{"alg":"RS256","kid":"rsa","typ":null}`, claims(nil), by("rsa")), Algorithm},
		{"b64 false", with(members{"b64": false}), Algorithm},
		{"an unknown member", with(members{"x": 1}), ""},
	}
	untrusted := members{"crit": []string{"exp"}, "jku": "https://evil.example/jwks.json", "jwk": publicKey("rsa", nil), "x5u": "https://evil.example",
		"x5c": []string{base64.StdEncoding.EncodeToString(der)}}
	for name, value := range untrusted {
		list = append(list, attack{name, with(members{name: value}), Algorithm},
			attack{name + " null", seal(`{"alg":"RS256","kid":"rsa","`+name+`":null}`, claims(nil), by("rsa")), Algorithm})
	}
	return list
}

func keyAttacks() []attack {
	return []attack{
		{"unknown kid", with(members{"kid": "rsa-other"}), Key},
		{"kid of a file", with(members{"kid": "../../../../dev/null"}), Key},
		{"kid of SQL", with(members{"kid": "rsa' OR '1'='1"}), Key},
		{"kid of a URL", with(members{"kid": "https://evil.example/jwks.json"}), Key},
		{"kid in another case", with(members{"kid": "RSA"}), Key},
		{"kid empty", with(members{"kid": ""}), Key},
		{"kid a number", with(members{"kid": 1}), Key},
		{"kid null", seal(`{"alg":"RS256","kid":null}`, claims(nil), by("rsa")), Key},
		{"no kid, three keys", with(members{"kid": nil}), Key},
		{"ES256 with the kid of an RSA key", seal(header("ES256", "rsa", nil), claims(nil), by("ec")), Key},
		{"RS256 with the kid of an EC key", seal(header("RS256", "ec", nil), claims(nil), by("rsa")), Key},
		{"EdDSA with the kid of an EC key", seal(header("EdDSA", "ec", nil), claims(nil), by("ed")), Key},
	}
}

func signatureAttacks() []attack {
	jwt := good(nil)
	parts := strings.Split(jwt, ".")
	n := testKeys["rsa"].Key.(*rsa.PrivateKey).N
	es := func(sign func([]byte) []byte) string { return seal(header("ES256", "ec", nil), claims(nil), sign) }
	ed := func(sign func([]byte) []byte) string { return seal(header("EdDSA", "ed", nil), claims(nil), sign) }
	order := elliptic.P256().Params().N.Bytes()
	cut := func(kid string) func([]byte) []byte {
		return func(input []byte) []byte { s := by(kid)(input); return s[:len(s)-1] }
	}
	long := func(kid string) func([]byte) []byte {
		return func(input []byte) []byte { return append(by(kid)(input), 0) }
	}
	return []attack{
		{"ES256", es(by("ec")), ""},
		{"EdDSA", ed(by("ed")), ""},
		{"missing", parts[0] + "." + parts[1] + ".", Signature},
		{"of another key", seal(header("RS256", "rsa", nil), claims(nil), by("rsa-other")), Signature},
		{"of another key, ES256", es(by("ec-other")), Signature},
		{"of another key, EdDSA", ed(by("ed-other")), Signature},
		{"claims changed", parts[0] + "." + b64(claims(members{"sub": "admin"})) + "." + parts[2], Signature},
		{"claims with a space more", parts[0] + "." + b64(claims(nil)+" ") + "." + parts[2], Signature},
		{"header changed", b64(header("RS256", "rsa", members{"typ": nil})) + "." + parts[1] + "." + parts[2], Signature},
		{"of another algorithm", seal(header("RS256", "rsa", nil), claims(nil), byRSA("rsa", crypto.SHA256, true)), Signature},
		{"RSA cut", seal(header("RS256", "rsa", nil), claims(nil), cut("rsa")), Signature},
		{"RSA longer", seal(header("RS256", "rsa", nil), claims(nil), long("rsa")), Signature},
		{"RSA zero", seal(header("RS256", "rsa", nil), claims(nil), constant(make([]byte, 256))), Signature},
		{"RSA one", seal(header("RS256", "rsa", nil), claims(nil), constant(append(make([]byte, 255), 1))), Signature},
		{"RSA the modulus", seal(header("RS256", "rsa", nil), claims(nil), constant(n.Bytes())), Signature},
		{"psychic: zeros for r and s", es(constant(make([]byte, 64))), Signature},
		{"r and s the order of the curve", es(constant(slices.Concat(order, order))), Signature},
		{"empty, ES256", es(constant(nil)), Signature},
		{"in DER form", es(byDER("ec")), Signature},
		{"P-384, by the kid of P-256", es(by("ec-384")), Signature},
		{"ES256 longer", es(long("ec")), Signature},
		{"ES256 cut", es(cut("ec")), Signature},
		{"Ed25519 zeros", ed(constant(make([]byte, 64))), Signature},
		{"Ed25519 cut", ed(cut("ed")), Signature},
		{"Ed25519 longer", ed(long("ed")), Signature},
		{"HMAC under RS256", seal(header("RS256", "rsa", nil), claims(nil), byHMAC(n.Bytes())), Signature},
		{"bad signature before bad audience", seal(header("RS256", "rsa", nil), claims(members{"aud": "x"}), by("rsa-other")), Signature},
	}
}

func audienceAttacks() []attack {
	list := func(n int) (l []string) {
		for range n - 1 {
			l = append(l, "x")
		}
		return append(l, forum.Audience)
	}
	return []attack{
		{"missing", good(members{"aud": nil}), Audience},
		{"another", good(members{"aud": "another"}), Audience},
		{"longer", good(members{"aud": forum.Audience + "2"}), Audience},
		{"upper case", good(members{"aud": "MY-SERVER"}), Audience},
		{"an object", good(members{"aud": members{forum.Audience: true}}), Audience},
		{"list of one", good(members{"aud": list(1)}), ""},
		{"empty list", good(members{"aud": []string{}}), Audience},
		{"list without it", good(members{"aud": []string{"a", "b"}, "azp": forum.Audience}), Audience},
		{"list of two without azp", good(members{"aud": list(2)}), Audience},
		{"list of two for another azp", good(members{"aud": list(2), "azp": "x"}), Audience},
		{"list of two", good(members{"aud": list(2), "azp": forum.Audience}), ""},
		{"list of 8", good(members{"aud": list(8), "azp": forum.Audience}), ""},
		{"list of 9", good(members{"aud": list(9), "azp": forum.Audience}), Audience},
		{"list with a number", good(members{"aud": []any{forum.Audience, 1}, "azp": forum.Audience}), Audience},
		{"list in a list", good(members{"aud": []any{list(1)}}), Audience},
		{"one with another azp", good(members{"azp": "x"}), ""},
		{"bad audience before expired", good(members{"aud": "x", "exp": 0}), Audience},
	}
}

func timeAttacks() []attack {
	now := testNow.Unix()
	text := func(key, number string) string {
		return rawClaims(strings.TrimSuffix(claims(members{key: nil}), "}") + `,"` + key + `":` + number + "}")
	}
	return []attack{
		{"exp missing", good(members{"exp": nil}), Expired},
		{"exp a string", good(members{"exp": "9999999999"}), Expired},
		{"exp null", text("exp", "null"), Expired},
		{"exp true", text("exp", "true"), Expired},
		{"exp in a list", text("exp", "[9999999999]"), Expired},
		{"exp 59 s ago", good(members{"exp": now - 59}), ""},
		{"exp 60 s ago", good(members{"exp": now - 60}), Expired},
		{"exp 59.5 s ago", good(members{"exp": float64(now) - 59.5}), ""},
		{"exp 60.5 s ago", good(members{"exp": float64(now) - 60.5}), Expired},
		{"exp negative", good(members{"exp": -1}), Expired},
		{"exp 0", good(members{"exp": 0}), Expired},
		{"exp with an exponent", text("exp", "1.9e9"), ""},
		{"exp 1e400", text("exp", "1e400"), ""}, // a number after now; iat bounds the age
		{"exp -1e400", text("exp", "-1e400"), Expired},
		{"exp 1e-400", text("exp", "1e-400"), Expired},
		{"exp of 300 digits", text("exp", strings.Repeat("9", 300)), ""},
		{"exp 2^63", text("exp", "9223372036854775808"), ""},
		{"iat missing", good(members{"iat": nil}), Expired},
		{"iat a string", good(members{"iat": "1"}), Expired},
		{"iat 60 s ahead", good(members{"iat": now + 60}), ""},
		{"iat 61 s ahead", good(members{"iat": now + 61}), Expired},
		{"iat 1e400", text("iat", "1e400"), Expired},
		{"iat -1e400", text("iat", "-1e400"), Expired},
		{"iat 2^64 + now", text("iat", "18446744075487174016"), Expired},
		{"iat 660 s ago", good(members{"iat": now - 660}), ""},
		{"iat 661 s ago, exp ahead", good(members{"iat": now - 661}), Expired},
		{"nbf 60 s ahead", good(members{"nbf": now + 60}), ""},
		{"nbf 61 s ahead", good(members{"nbf": now + 61}), Expired},
		{"nbf a string", good(members{"nbf": "0"}), Expired},
		{"nbf null", text("nbf", "null"), Expired},
		{"nbf 1e400", text("nbf", "1e400"), Expired},
		{"nbf negative", good(members{"nbf": -1}), ""},
		{"expired before a bad nonce", good(members{"exp": 0, "nonce": "x"}), Expired},
	}
}

func nonceAttacks() []attack {
	other := testNonce
	other[31] ^= 1
	own := base64.RawURLEncoding.EncodeToString(testNonce[:])
	return []attack{
		{"nonce missing", good(members{"nonce": nil}), Nonce},
		{"nonce empty", good(members{"nonce": ""}), Nonce},
		{"nonce of another connection", good(members{"nonce": base64.RawURLEncoding.EncodeToString(other[:])}), Nonce},
		{"nonce of zeros", good(members{"nonce": base64.RawURLEncoding.EncodeToString(make([]byte, 32))}), Nonce},
		{"nonce cut", good(members{"nonce": own[:42]}), Nonce},
		{"nonce longer", good(members{"nonce": own + "A"}), Nonce},
		{"nonce padded", good(members{"nonce": own + "="}), Nonce},
		{"nonce with other trailing bits", good(members{"nonce": twin(own)}), Nonce},
		{"nonce in hex", good(members{"nonce": "0102030000"}), Nonce},
		{"nonce in a list", good(members{"nonce": []string{own}}), Nonce},
		{"bad nonce before a bad subject", good(members{"nonce": "x", "sub": ""}), Nonce},
		{"sub missing", good(members{"sub": nil}), Subject},
		{"sub empty", good(members{"sub": ""}), Subject},
		{"sub a number", good(members{"sub": 4711}), Subject},
		{"sub of 64 bytes", good(members{"sub": strings.Repeat("x", 64)}), ""},
		{"sub of 65 bytes", good(members{"sub": strings.Repeat("x", 65)}), Subject},
		{"sub with a space", good(members{"sub": "a b"}), Subject},
		{"sub with a line break", good(members{"sub": "a\nb"}), Subject},
		{"sub with NUL", good(members{"sub": "a\x00"}), Subject},
		{"sub with DEL", good(members{"sub": "a\x7F"}), Subject},
		{"sub not ASCII", good(members{"sub": "ä"}), Subject},
		{"sub with a zero-width space", good(members{"sub": "a\u200B"}), Subject},
		{"sub of signs", good(members{"sub": "!~:{}\"\\"}), ""},
	}
}
