package scriptapi

import (
	"darqline/resources"
	"darqline/scriptapi/sandbox/lint"
)

// declarations is a runtime that runs nothing: what the reference pages, the editor stubs and the checker are made from.
func declarations() *Runtime {
	rt := &Runtime{}
	rt.registry = rt.declare()
	return rt
}

// Stubs are the declarations of mp for the Lua language server.
func Stubs() string { return declarations().registry.Stubs() }

// Docs are the pages of the Lua reference, by file name.
func Docs() map[string]string { return declarations().registry.Docs() }

// Check finds what is wrong in a bundle's scripts without running them: syntax, globals that nobody sets, members that mp
// does not have, events that there are not. Hints are what their author may not have meant.
func Check(b *resources.Bundle) (faults, hints resources.Faults) {
	files := make([]lint.File, 0, len(b.Scripts))
	for path, source := range b.Scripts {
		files = append(files, lint.File{Path: b.Name + "/" + path, Source: source})
	}
	return lint.Check(files, declarations().registry.Catalogue())
}
