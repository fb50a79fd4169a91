package host_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"
	"time"

	"darqline/client"
)

// biggestPicture is how many bytes a picture of the docs may have.
const biggestPicture = 60 << 10

// TestGallery: docs/ui.md shows pictures that are there and small, and each that is there is shown.
func TestGallery(t *testing.T) {
	shown := make(map[string]bool)
	for _, m := range regexp.MustCompile(`!\[[^\]]+\]\((ui/[a-z-]+\.png)\)`).FindAllStringSubmatch(gallery(t), -1) {
		shown[filepath.Join("..", "docs", m[1])] = true
		info, err := os.Stat(filepath.Join("..", "docs", m[1]))
		if err != nil {
			t.Errorf("docs/ui.md: %v", err)
		} else if info.Size() > biggestPicture {
			t.Errorf("docs/%s has %d bytes, at most %d are wanted", m[1], info.Size(), biggestPicture)
		}
	}
	files, err := filepath.Glob("../docs/ui/*")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d pictures: %v", len(files), err)
	}
	for _, f := range files {
		if !shown[f] {
			t.Errorf("docs/ui.md does not show %s", f)
		}
	}
}

// TestGalleryScripts runs each script of docs/ui.md and the commands that it declares: each puts something on the screen.
func TestGalleryScripts(t *testing.T) {
	scripts := regexp.MustCompile("(?s)```lua\n(.*?)```").FindAllStringSubmatch(gallery(t), -1)
	if len(scripts) < 8 {
		t.Fatalf("only %d scripts are found", len(scripts))
	}
	for _, s := range scripts {
		inUI(t, s[1], func(b *bubble, nova *person) {
			kilo := b.enter("Kilo")
			for _, m := range regexp.MustCompile(`mp\.command\("(\w+)", \{( "to:player")?`).FindAllStringSubmatch(s[1], -1) {
				command := m[1]
				if m[2] != "" {
					command += " Kilo"
				}
				before := [2]client.UI{nova.c.UI(), kilo.c.UI()}
				nova.command(command)
				rest(500 * time.Millisecond)
				if reflect.DeepEqual(before, [2]client.UI{nova.c.UI(), kilo.c.UI()}) {
					t.Errorf("/%s shows nothing", command)
				}
				if d := nova.c.UI().Dialog; d != nil {
					nova.dismiss(*d)
				}
				rest(2 * time.Second)
			}
		})
	}
}

func gallery(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../docs/ui.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}
