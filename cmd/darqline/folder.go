package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"darqline/host"
	"darqline/resources"
)

// folderArgument is the server's folder that a call names, the present one without a name.
func folderArgument(args []string) (string, error) {
	switch len(args) {
	case 0:
		return ".", nil
	case 1:
		return args[0], nil
	}
	return "", fmt.Errorf("one folder at most, not %q: %w", args, errUsage)
}

// needFolder refuses what is no folder that can be read.
func needFolder(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no folder %s; make it first, or name another", dir)
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s is a file; name the folder that it is in", dir)
	case err == nil:
		_, err = os.ReadDir(dir)
	}
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("the folder %s cannot be read: permission denied; give this user the right to read it", dir)
	}
	if err != nil {
		return fmt.Errorf("the folder %s cannot be read: %w", dir, err)
	}
	return nil
}

// configPath is where the configuration of a folder is read from; file is the flag --config.
func configPath(dir, file string) string {
	if file != "" {
		return file
	}
	return filepath.Join(dir, "server.toml")
}

// readConfig reads the configuration of a folder. Without a server.toml it is the defaults.
func readConfig(dir, file string) (host.Config, error) {
	if err := needFolder(dir); err != nil {
		return host.Config{}, err
	}
	path := configPath(dir, file)
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) && file == "" {
		cfg := host.Defaults()
		cfg.Dir = dir
		return cfg, nil
	}
	return host.ReadConfigOf(dir, path)
}

// meantFolder finds out whether dir is a resource, or the folder of resources, of a server further up.
func meantFolder(dir string) (server string, ok bool) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", false
	}
	has := func(dir, name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
	if has(abs, "server.toml") || has(abs, "resources") {
		return "", false
	}
	if has(abs, resources.ManifestName) {
		return filepath.Dir(filepath.Dir(abs)), true
	}
	inside, err := filepath.Glob(filepath.Join(abs, "*", resources.ManifestName))
	return filepath.Dir(abs), err == nil && len(inside) > 0
}
