package resources

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"darqline/protocol"
	"darqline/resources/strict"
)

var (
	resourceName = strict.Check("[a-z0-9_-], 1..31 bytes", protocol.ValidResourceName)
	clientPath   = strict.Check("rules of page Resource files and views", protocol.ValidClientPath)
	scriptPath   = strict.Check("a .lua file of the resource", validScriptPath)
	folderPath   = strict.Check("a folder of the resource", validFolderPath)
	settingName  = strict.Check("[a-z0-9_], not first a digit, 1..31 bytes", validSettingName)
)

var settingNames = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,30}$`)

func validSettingName(s string) error {
	if !settingNames.MatchString(s) {
		return fmt.Errorf("%q must be 1..31 of a-z, 0-9 and _, and not begin with a digit", s)
	}
	return nil
}

func validScriptPath(s string) error {
	if err := validFolderPath(s); err != nil {
		return err
	}
	if path.Ext(s) != ".lua" {
		return fmt.Errorf("%q must end in .lua", s)
	}
	return nil
}

// validFolderPath allows paths that stay in the resource, written as everywhere.
func validFolderPath(s string) error {
	switch {
	case strings.Contains(s, `\`):
		return fmt.Errorf("%q must have / where it has \\", s)
	case path.IsAbs(s) || strings.Contains(s, ":"):
		return fmt.Errorf("%q must be a path in the resource's folder, not an absolute one", s)
	case s == ".." || strings.HasPrefix(path.Clean(s), "../"):
		return fmt.Errorf("%q leads out of the resource's folder", s)
	case !fs.ValidPath(s) || s == ".":
		return fmt.Errorf("%q must be a plain path like \"lib/util.lua\", without empty, . or .. parts", s)
	}
	return nil
}
