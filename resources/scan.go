package resources

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"darqline/protocol"
	"darqline/resources/strict"
)

// folder is where a resource is read from.
type folder struct {
	name    string
	dir     string // absolute; "" where it is built in
	builtin fs.FS
}

// load reads the resource. A folder that is a link is followed; a link inside it that leads out of it is not.
func (f folder) load(set map[string]strict.Found) (*Bundle, Faults) {
	if f.builtin != nil {
		return load(f.name, "", f.builtin, set)
	}
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return &Bundle{Name: f.name, Dir: f.dir}, Faults{{File: f.name, Text: "the folder " + plain(err).Error()}}
	}
	defer root.Close()
	return load(f.name, f.dir, root.FS(), set)
}

// scan finds the resources in dir, by name. What is no resource is given as a fault that says why and what to do. A dir
// that does not exist is empty.
func scan(dir string) (folders []folder, ignored Faults, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	for _, entry := range entries {
		name := entry.Name()
		if !entry.IsDir() && entry.Type()&fs.ModeSymlink == 0 {
			continue
		}
		at := filepath.Join(dir, name)
		if reason := notResource(at, name); reason != "" {
			ignored = append(ignored, Fault{File: name, Text: "not a resource: " + reason})
		} else if info, err := os.Stat(at); err == nil && info.IsDir() {
			folders = append(folders, folder{name: name, dir: at})
		}
	}
	return folders, ignored, nil
}

// notResource says why what lies at the path is no resource and what to do, "" where it is one (or a link to a mere file).
func notResource(at, name string) string {
	info, err := os.Stat(at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it is a link to a folder that does not exist; mend or remove it"
	case err != nil:
		return "it " + plain(err).Error()
	case !info.IsDir():
		return ""
	case strings.HasPrefix(name, "."):
		return "its name begins with a dot; rename it if it is one"
	}
	if err := protocol.ValidResourceName(name); err != nil {
		text := err.Error()
		if better := tidy(name); protocol.ValidResourceName(better) == nil {
			return text + "; rename it, to \"" + better + "\" for example"
		}
		return text + "; rename it"
	}
	_, err = os.Stat(filepath.Join(at, ManifestName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it has no " + ManifestName + "; an empty file of that name will do where there is a main.lua"
	case errors.Is(err, fs.ErrPermission):
		return "it cannot be read: permission denied; give the server's user the right to read it"
	}
	return ""
}

// tidy makes of a name what a resource could be called.
func tidy(name string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '.' {
			return '-'
		}
		return r
	}, strings.ToLower(name))
}

// scanBuiltin finds the resources of a file system, one a folder.
func scanBuiltin(fsys fs.FS) (folders []folder, err error) {
	if fsys == nil {
		return nil, nil
	}
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		if _, err := fs.Stat(fsys, path.Join(entry.Name(), ManifestName)); err != nil {
			continue
		}
		sub, err := fs.Sub(fsys, entry.Name())
		if err != nil {
			return nil, err
		}
		folders = append(folders, folder{name: entry.Name(), builtin: sub})
	}
	return folders, nil
}
