package watch

import (
	"path/filepath"
	"strings"
)

// Ignored reports whether a path from the root does not count: hidden files, what lies in hidden folders, and what
// editors leave behind while they save.
func Ignored(rel string) bool {
	rel = filepath.ToSlash(rel)
	for part := range strings.SplitSeq(rel, "/") {
		if hidden(part) {
			return true
		}
	}
	base := rel[strings.LastIndexByte(rel, '/')+1:]
	return base == "4913" || strings.HasSuffix(base, "~") || strings.HasSuffix(base, ".swp")
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") }
