//go:build unix

package resources

import (
	"syscall"
	"testing"
)

// TestPipe holds that a file which is none does not hold the server up.
func TestPipe(t *testing.T) {
	w := newWorld(t, map[string]string{"shop/resource.toml": "", "shop/main.lua": ""})
	if err := syscall.Mkfifo(w.path("shop/x.lua"), 0o644); err != nil {
		t.Skip(err)
	}
	_, faults, _ := Check(w.config, nil)
	expect(t, "faults", faults.Error(), "shop/x.lua: is not a file")
}
