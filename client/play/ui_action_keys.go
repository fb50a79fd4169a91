package play

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"darqline/protocol"
)

// KeyFile keeps the keys that the player gave to actions, for all servers, in a file of JSON: {"jobs/use": "G"}, where ""
// is no key. It is a client.KeyBindings.
type KeyFile struct {
	path string // "": they last as long as the program

	mu   sync.Mutex
	keys map[string]string // "resource/action" to the key's name
}

// OpenKeys reads the file at path, if it is there. Where it cannot be read, the error says so, and the keys begin anew.
func OpenKeys(path string) (*KeyFile, error) {
	f := &KeyFile{path: path, keys: map[string]string{}}
	if path == "" {
		return f, nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &f.keys)
	}
	if err != nil || f.keys == nil {
		f.keys = map[string]string{}
	}
	if err != nil {
		err = fmt.Errorf("the keys of actions cannot be read: %s: %w", path, err)
	}
	return f, err
}

// Binding is the key of an action. What is no key's name counts as none that was chosen.
func (f *KeyFile) Binding(resource, action string) (protocol.Key, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	name, ok := f.keys[resource+"/"+action]
	if !ok || name == "" {
		return protocol.KeyNone, ok
	}
	return protocol.KeyByName(name)
}

// Bind keeps a key, in memory also where the file cannot be written.
func (f *KeyFile) Bind(resource, action string, key protocol.Key) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.keys[resource+"/"+action] = key.String()
	if f.path == "" {
		return nil
	}
	data, err := json.MarshalIndent(f.keys, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return err
	}
	fresh := f.path + ".new" // so that a file that is half written is never read
	if err := os.WriteFile(fresh, data, 0o600); err != nil {
		return err
	}
	return os.Rename(fresh, f.path)
}
