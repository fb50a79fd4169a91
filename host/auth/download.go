package auth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// fetchTime is how long one fetch of keys may take, redirects and body included.
const fetchTime = 5 * time.Second

// keyClient is an HTTP client for key sets: base's own way to reach others (nil: one without connections that stay open),
// no cookies, and no redirect that leaves the server that the configuration names.
func keyClient(base *http.Client) *http.Client {
	c := &http.Client{CheckRedirect: sameServer}
	if base != nil {
		c.Transport = base.Transport
		return c
	}
	c.Transport = &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DisableKeepAlives:      true, // the next fetch is ten minutes away
		DisableCompression:     true, // so that the limit is one of bytes received
		MaxResponseHeaderBytes: 32 << 10,
	}
	return c
}

// sameServer refuses a redirect to another host, port or scheme.
func sameServer(next *http.Request, via []*http.Request) error {
	first := via[0].URL
	if next.URL.Scheme != first.Scheme || next.URL.Hostname() != first.Hostname() || port(next.URL) != port(first) {
		return fmt.Errorf("it redirects from %s to %s, which is another server", first.Host, next.URL.Scheme+"://"+next.URL.Host)
	}
	if len(via) > 3 {
		return errors.New("it redirects more than 3 times")
	}
	return nil
}

func port(u *url.URL) string {
	switch p := u.Port(); {
	case p != "":
		return p
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// download gets a key set, which parseKeys has to judge.
func download(ctx context.Context, client *http.Client, from string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, fetchTime, fmt.Errorf("it took longer than %s", fetchTime))
	defer cancel()
	data, err := get(ctx, client, from)
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return data, err
}

func get(ctx context.Context, client *http.Client, from string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/jwk-set+json, application/json")
	request.Header.Set("User-Agent", "darqline")
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("it answered %s", answer.Status)
	}
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxSet+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxSet {
		return nil, fmt.Errorf("the answer is larger than %d KiB", maxSet>>10)
	}
	return data, nil
}
