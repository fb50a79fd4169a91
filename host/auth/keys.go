package auth

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-jose/go-jose/v4"
)

// Bounds of a provider's key set (page Connection, Sign-in).
const (
	maxSet  = 256 << 10 // bytes
	maxKeys = 32
	minRSA  = 2048 // bits
	maxRSA  = 4096
)

// keySet is what a provider has said of its keys, as far as they can be used for a signature.
type keySet struct {
	keys    []key
	ignored []string // why other keys were left out, for the log
}

// key is one public key; its type decides what it signs.
type key struct {
	kid    string // "": none
	alg    string // RS256, ES256 or EdDSA, by its type
	fits   bool   // alg of the key itself, where it has one, is that
	enc    bool   // use is enc
	public any    // *rsa.PublicKey, *ecdsa.PublicKey or ed25519.PublicKey
}

// parseKeys reads a JSON Web Key Set. Keys of a kind that cannot be used are left out, as RFC 7517 asks for; a set that is
// no set, has too many keys or none that can be used is an error.
func parseKeys(data []byte) (*keySet, error) {
	if len(data) > maxSet {
		return nil, fmt.Errorf("the key set is larger than %d KiB", maxSet>>10)
	}
	set, err := object(data)
	if err != nil {
		return nil, fmt.Errorf("the key set: %w", err)
	}
	list, ok := set["keys"].([]any)
	if !ok {
		return nil, errors.New(`the key set has no list "keys"`)
	}
	if len(list) > maxKeys {
		return nil, fmt.Errorf("the key set has %d keys, at most %d are allowed", len(list), maxKeys)
	}
	s := new(keySet)
	for i, v := range list {
		k, err := parseKey(v)
		if err != nil {
			s.ignored = append(s.ignored, fmt.Sprintf("key %d: %v", i+1, err))
			continue
		}
		s.keys = append(s.keys, k)
	}
	if len(s.keys) == 0 {
		return nil, fmt.Errorf("the key set has no key that can be used: of its %d keys none is RSA of %d..%d bits, P-256 or Ed25519", len(list), minRSA, maxRSA)
	}
	return s, nil
}

// parseKey reads one key. Of certificates that may come along nothing is read: the set is trusted for where it came from.
func parseKey(v any) (key, error) {
	all, ok := v.(map[string]any)
	if !ok {
		return key{}, errors.New("not an object")
	}
	if _, private := all["d"]; private {
		return key{}, errors.New("it is a private key, so it is nobody's alone any more: the provider must replace it")
	}
	known := make(map[string]any)
	for _, name := range []string{"kty", "n", "e", "crv", "x", "y", "kid", "alg", "use"} {
		if v, there := all[name]; there {
			if _, ok := v.(string); !ok {
				return key{}, fmt.Errorf("%s is not a string", name)
			}
			known[name] = v
		}
	}
	if known["kty"] == "oct" {
		return key{}, errors.New("a symmetric key")
	}
	data, err := json.Marshal(known)
	if err != nil {
		return key{}, err
	}
	var jwk jose.JSONWebKey
	if err := jwk.UnmarshalJSON(data); err != nil {
		return key{}, err
	}
	alg, err := signs(jwk.Key)
	if err != nil {
		return key{}, err
	}
	return key{kid: jwk.KeyID, alg: alg, fits: jwk.Algorithm == "" || jwk.Algorithm == alg, enc: jwk.Use == "enc", public: jwk.Key}, nil
}

// signs is the algorithm of a public key.
func signs(public any) (string, error) {
	switch k := public.(type) {
	case *rsa.PublicKey:
		if bits := k.N.BitLen(); bits < minRSA || bits > maxRSA {
			return "", fmt.Errorf("RSA of %d bits, %d..%d are allowed", bits, minRSA, maxRSA)
		}
		if k.E < 3 || k.E%2 == 0 {
			return "", fmt.Errorf("RSA with the exponent %d", k.E)
		}
		return "RS256", nil
	case *ecdsa.PublicKey:
		if k.Curve != elliptic.P256() {
			return "", fmt.Errorf("the curve is %s, P-256 is wanted", k.Curve.Params().Name)
		}
		return "ES256", nil
	case ed25519.PublicKey:
		return "EdDSA", nil
	}
	return "", fmt.Errorf("a key of type %T", public)
}

// find gives the keys that may have signed an assertion with that header.
func (s *keySet) find(header map[string]any, alg string) ([]key, *refusal) {
	named := s.keys
	if kid, there := header["kid"]; there {
		named = nil
		for _, k := range s.keys {
			if k.kid != "" && k.kid == kid {
				named = append(named, k)
			}
		}
		if len(named) == 0 {
			return nil, &refusal{Key, "no key has the kid " + shown(kid), true}
		}
	} else if len(s.keys) > 1 {
		return nil, refuse(Key, "there is no kid, and the provider has %d keys", len(s.keys))
	}
	var fitting []key
	for _, k := range named {
		if k.alg == alg && k.fits && !k.enc {
			fitting = append(fitting, k)
		}
	}
	if len(fitting) == 0 {
		return nil, refuse(Key, "the key is not for signatures by %s", alg)
	}
	return fitting, nil
}
