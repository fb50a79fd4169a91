package resources

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"darqline/resources/strict"
)

// Check reads every resource of a folder as a start would, and starts none. It uses Dir, Start and Settings of the config;
// compile is Runner.Compile or nil. It gives the bundles that could be read, for further checks, and every fault, those of
// folders that are no resources too, sorted by file and line.
func Check(c Config, compile func(*Bundle) (any, error)) (bundles []*Bundle, faults Faults, err error) {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, nil, err
	}
	folders, ignored, err := scan(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("the folder of resources %w", plain(err))
	}
	for _, f := range ignored {
		if !strings.HasPrefix(f.File, ".") {
			faults = append(faults, f)
		}
	}
	all := map[string]*Bundle{}
	var names []string
	for _, f := range folders {
		b, wrong := checkOne(c, f, compile)
		faults = append(faults, wrong...)
		all[f.name] = b
		names = append(names, f.name)
		bundles = append(bundles, b)
	}
	for _, b := range bundles {
		faults = append(faults, checkRequires(b, all, names)...)
	}
	_, missing := order(c.Start, names)
	for _, name := range missing {
		faults = append(faults, Fault{Text: noSuch(name, names)})
	}
	faults.Sort()
	return bundles, faults, nil
}

func checkOne(c Config, f folder, with func(*Bundle) (any, error)) (*Bundle, Faults) {
	var set map[string]strict.Found
	if c.Settings != nil {
		set = c.Settings(f.name)
	}
	b, faults := f.load(set)
	if with == nil {
		return b, faults
	}
	if _, err := compile(with, b); err != nil {
		var more Faults
		if !errors.As(err, &more) {
			more = Faults{{File: f.name, Text: err.Error()}}
		}
		faults = append(faults, more...)
	}
	return b, faults
}

func checkRequires(b *Bundle, all map[string]*Bundle, names []string) (faults Faults) {
	at := Fault{File: b.Name + "/" + ManifestName, Line: b.reading.requires}
	for _, name := range b.Requires {
		if all[name] == nil {
			at.Text = fmt.Sprintf("requires %q, but there is no such resource%s", name, strict.Meant(name, names))
			faults = append(faults, at)
		}
	}
	found := circle(b.Name, func(name string) []string {
		if other := all[name]; other != nil {
			return other.Requires
		}
		return nil
	})
	if found != "" {
		at.Text = "the resources require each other: " + found
		faults = append(faults, at)
	}
	return faults
}
