package resources

import (
	"fmt"
	"math"

	"darqline/resources/strict"
)

// manifest is a resource.toml as it is written.
type manifest struct {
	description string
	version     string
	entry       string
	requires    []string
	files       []string
	maps        Maps
	settings    map[string]setting
}

// table declares the keys of resource.toml (page Resources and views, A resource) and sets the defaults.
func (m *manifest) table() strict.Table {
	*m = manifest{entry: "main.lua", maps: Maps{Dir: "maps"}}
	return strict.Table{
		strict.Key("description", strict.String(&m.description), "what it is, in a line"),
		strict.Key("version", strict.String(&m.version), "whatever its author counts by"),
		strict.Key("entry", strict.String(&m.entry, scriptPath), "the Lua file that runs first"),
		strict.Key("requires", strict.Strings(&m.requires, resourceName), "resources that are started first"),
		strict.Key("client.files", strict.List(&m.files, 0, MaxClientFiles, func(s *string) strict.Value {
			return strict.String(s, clientPath)
		}), "files that the players get: 4 MiB each, 16 MiB together"),
		strict.Key("maps.dir", strict.String(&m.maps.Dir, folderPath), "every *.json in it is a map"),
		strict.Key("maps.autoload", strict.Strings(&m.maps.Autoload), "maps that are loaded before entry runs"),
		strict.Key("maps.editable", strict.Boolean(&m.maps.Editable), "edit sessions and saves are allowed"),
		strict.Key("maps.shared", strict.Boolean(&m.maps.Shared), "also for resources with the permission editor"),
		strict.Key("settings", strict.ByName(&m.settings, math.MaxInt, settingName, func(s *setting) strict.Value {
			return strict.Group(s.table())
		}), "what a host may set, in server.toml under [resources.NAME]"),
	}
}

// ManifestReference gives the reference of every key of resource.toml.
func ManifestReference() strict.Table { return new(manifest).table() }

// read takes the manifest's bytes apart and checks what can be checked without another file.
func (m *manifest) read(name string, data []byte) (*strict.File, Faults) {
	file, faults := m.table().Read(name+"/"+ManifestName, data)
	if file == nil {
		return nil, faults
	}
	faults = append(faults, twice(file, "requires", m.requires)...)
	faults = append(faults, twice(file, "client.files", m.files)...)
	for i, required := range m.requires {
		if required == name {
			faults = append(faults, file.Fault(fmt.Sprintf("requires[%d]", i), "requires[%d] is the resource itself", i))
		}
	}
	return file, faults
}

// twice finds the entries of a list of strings that stand there a second time.
func twice(file *strict.File, key string, list []string) (faults Faults) {
	seen := map[string]int{}
	for i, s := range list {
		if first, ok := seen[s]; ok && s != "" {
			at := fmt.Sprintf("%s[%d]", key, i)
			faults = append(faults, file.Fault(at, "%s %q is already there, as %s[%d]", at, s, key, first))
			continue
		}
		seen[s] = i
	}
	return faults
}
