package auth

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// MaxJWT is how long an assertion may be, in bytes.
const MaxJWT = 8192

// assertion is a JWT that was taken apart; nothing in it is proven.
type assertion struct {
	jwt    string
	header map[string]any
	claims map[string]any
	body   []byte // the claims as they were signed
}

// base64url without padding, of which each value has one form.
var base64url = base64.RawURLEncoding.Strict()

// parse takes a JWT apart: three base64url parts, of which two are JSON objects.
func parse(jwt string) (*assertion, error) {
	if len(jwt) > MaxJWT {
		return nil, fmt.Errorf("%d bytes, at most %d are allowed", len(jwt), MaxJWT)
	}
	parts := strings.Split(jwt, ".")
	if len(parts) != 3 {
		return nil, fmt.Errorf("%d parts, a signed JWT has 3", len(parts))
	}
	var data [3][]byte
	for i, part := range parts {
		var err error
		if data[i], err = decode(part); err != nil {
			return nil, fmt.Errorf("part %d is not base64url without padding", i+1)
		}
	}
	a := &assertion{jwt: jwt, body: data[1]}
	var err error
	if a.header, err = object(data[0]); err != nil {
		return nil, fmt.Errorf("the header: %w", err)
	}
	if a.claims, err = object(data[1]); err != nil {
		return nil, fmt.Errorf("the claims: %w", err)
	}
	return a, nil
}

func decode(part string) ([]byte, error) {
	if strings.ContainsAny(part, "\r\n") { // which the standard library skips
		return nil, errors.New("a line break")
	}
	return base64url.DecodeString(part)
}
