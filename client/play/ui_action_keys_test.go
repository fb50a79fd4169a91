package play

import (
	"os"
	"path/filepath"
	"testing"

	"darqline/client"
	"darqline/protocol"
)

var _ client.KeyBindings = (*KeyFile)(nil)

// TestKeyFile: keys last across programs; a file that is no JSON is said and written anew.
func TestKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "darqline", "keys.json")
	open := func(wants bool) *KeyFile {
		t.Helper()
		f, err := OpenKeys(path)
		if (err == nil) != wants {
			t.Fatalf("OpenKeys: %v", err)
		}
		return f
	}
	f := open(true)
	if _, ok := f.Binding("jobs", "use"); ok {
		t.Error("a key that nobody chose")
	}
	if err := f.Bind("jobs", "use", 7); err != nil {
		t.Fatal(err)
	}
	if err := f.Bind("", "cancel", protocol.KeyNone); err != nil {
		t.Fatal(err)
	}
	f = open(true)
	if key, ok := f.Binding("jobs", "use"); key != 7 || !ok {
		t.Errorf("jobs/use has %v, %v", key, ok)
	}
	if key, ok := f.Binding("", "cancel"); key != protocol.KeyNone || !ok {
		t.Errorf("cancel has %v, %v", key, ok)
	}
	if err := os.WriteFile(path, []byte(`{"jobs/use": "Nothing", "jobs`), 0o600); err != nil {
		t.Fatal(err)
	}
	f = open(false)
	if err := f.Bind("jobs", "use", 8); err != nil {
		t.Fatal(err)
	}
	if key, _ := open(true).Binding("jobs", "use"); key != 8 {
		t.Errorf("after a broken file jobs/use has %v", key)
	}
}
