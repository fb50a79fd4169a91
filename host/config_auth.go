package host

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"darqline/host/auth"
	"darqline/host/world"
	"darqline/resources/strict"
)

// AuthConfig is the table [auth]: who signs players in (page Connection, Sign-in). With a provider everybody signs in
// before he joins, without one nobody does.
type AuthConfig struct {
	Timeout   time.Duration
	Attempts  int
	Duplicate string // "replace" or "reject"
	Providers []auth.Provider
}

func defaultAuth() AuthConfig {
	return AuthConfig{Timeout: 3 * time.Minute, Attempts: 5, Duplicate: "replace"}
}

func (c *AuthConfig) table() strict.Table {
	return strict.Table{
		strict.Key("auth.timeout", strict.Seconds(&c.Timeout, 10, 3600), "seconds that a player has to sign in").Live(),
		strict.Key("auth.attempts", strict.Integer(&c.Attempts, 1, 100), "how often he may fail before he is sent away").Live(),
		strict.Key("auth.duplicate", strict.Choice(&c.Duplicate, "replace", "reject"),
			"an account that is here already: `replace` sends the older player away, `reject` the newer one").Live(),
		strict.Key("auth.providers", strict.Tables(&c.Providers, 0, auth.MaxProviders, (*auth.Provider).Rows),
			"who signs players in; with one of them everybody has to").Live(),
	}
}

// faults are what is wrong with the providers together, each at its key.
func (c *AuthConfig) faults(file *strict.File) (list strict.Faults) {
	err, _ := auth.ValidProviders(c.Providers).(interface{ Unwrap() []error })
	if err == nil {
		return nil
	}
	for _, fault := range err.Unwrap() {
		key, _, _ := strings.Cut(fault.Error(), ":")
		list = append(list, file.Fault(key, "%v", fault))
	}
	return list
}

// warnings are what the log says of providers at the start; what there is to say of their keys, package auth says.
func (c *AuthConfig) warnings() (list []string) {
	for i, p := range c.Providers {
		for _, origin := range p.Origins {
			if strings.HasPrefix(origin, "http://") {
				list = append(list, fmt.Sprintf("auth.providers[%d].origins: %s signs in nobody but players on this machine, because it is http",
					i, origin))
			}
		}
	}
	return list
}

// providers are the providers, their files beside server.toml.
func (c *Config) providers() []auth.Provider {
	list := slices.Clone(c.Auth.Providers)
	for i, p := range list {
		if p.JWKSFile != "" && !filepath.IsAbs(p.JWKSFile) {
			list[i].JWKSFile = filepath.Join(c.Dir, p.JWKSFile)
		}
	}
	return list
}

// rules are what the world has to know of it.
func (c *AuthConfig) rules() world.SignInRules {
	rules := world.SignInRules{Reject: c.Duplicate == "reject"}
	for _, p := range c.Providers {
		rules.Origins = append(rules.Origins, p.Origins...)
	}
	return rules
}

// names are the names of the providers.
func (c *AuthConfig) names() []string {
	list := make([]string, len(c.Providers))
	for i, p := range c.Providers {
		list[i] = p.Name
	}
	return list
}
