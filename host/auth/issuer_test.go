package auth_test

import (
	"context"
	"encoding/base64"
	"net/http/httptest"
	"sync"
	"testing"

	"darqline/fixtures/issuer"
	"darqline/host/auth"
)

// Against a provider over HTTP, as a server has one: each algorithm, each deliberate fault, and new keys in between.
func TestAgainstAnIssuer(t *testing.T) {
	for _, alg := range auth.Algorithms() {
		t.Run(alg, func(t *testing.T) {
			server := httptest.NewUnstartedServer(nil)
			url := "http://" + server.Listener.Addr().String()
			id, err := issuer.New(issuer.Config{URL: url, Algorithms: []string{alg}})
			if err != nil {
				t.Fatal(err)
			}
			server.Config.Handler = id
			server.Start()
			defer server.Close()

			c := auth.New(auth.Config{CacheDir: t.TempDir()})
			if err := c.SetProviders([]auth.Provider{{Name: "test", Origins: []string{url}, Issuer: url, Audience: "server",
				JWKSURL: url + "/jwks.json", Algorithms: []string{alg}}}); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			var ended sync.WaitGroup
			ended.Go(func() { c.Run(ctx) })
			defer ended.Wait()
			defer cancel()

			nonce := [32]byte{7}
			try := func(fault string) auth.Result {
				t.Helper()
				jwt, err := id.Sign("ada", base64.RawURLEncoding.EncodeToString(nonce[:]), "server", fault)
				if err != nil {
					t.Fatal(err)
				}
				results := make(chan auth.Result)
				c.Check([]byte(jwt), nonce, nil, func(r auth.Result) { results <- r })
				return <-results
			}
			if r := try(""); r.Account != "test:ada" || r.Claims["name"] != "ada" {
				t.Fatalf("%+v", r)
			}
			if err := id.Rotate(); err != nil {
				t.Fatal(err)
			}
			if r := try(""); r.Account != "test:ada" { // its kid is new, so the keys are fetched again
				t.Fatalf("%+v after new keys", r)
			}
			for _, fault := range issuer.Faults() {
				if r := try(fault); r.Reason != fault || r.Account != "" {
					t.Errorf("%s: %+v", fault, r)
				}
			}
		})
	}
}
