package watch

import (
	"os"
	"path/filepath"
)

// poll looks at every file and reports whether any has changed since the last look.
func (w *Watcher) poll() (changed bool) {
	now := look(w.c.Dir)
	for rel, info := range now {
		if old, ok := w.stamps[rel]; !ok || differs(old, info) {
			w.touch(rel)
			changed = true
		}
	}
	for rel := range w.stamps {
		if _, ok := now[rel]; !ok {
			w.touch(rel)
			changed = true
		}
	}
	w.stamps = now
	return changed
}

func differs(a, b os.FileInfo) bool {
	if a.IsDir() && b.IsDir() {
		return !os.SameFile(a, b)
	}
	return a.Size() != b.Size() || a.Mode() != b.Mode() || !a.ModTime().Equal(b.ModTime()) || !os.SameFile(a, b)
}

// look gives every file and folder below root that counts, by its path from there.
func look(root string) map[string]os.FileInfo {
	found := map[string]os.FileInfo{}
	var walk func(rel string)
	walk = func(rel string) {
		entries, _ := os.ReadDir(filepath.Join(root, rel))
		for _, entry := range entries {
			at := filepath.Join(rel, entry.Name())
			info, err := entry.Info()
			if err != nil || Ignored(at) {
				continue
			}
			found[at] = info
			if rel == "" && info.Mode()&os.ModeSymlink != 0 {
				if target := stat(filepath.Join(root, at)); target != nil && target.IsDir() {
					walk(at)
				}
			} else if info.IsDir() {
				walk(at)
			}
		}
	}
	walk("")
	return found
}
