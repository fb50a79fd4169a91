package play

import (
	"context"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"darqline/protocol"
)

// chromium starts a headless browser with one tab, or skips loudly where there is none.
func chromium(t *testing.T) context.Context {
	t.Helper()
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			program = found
			break
		}
	}
	if program == "" {
		t.Skip("SKIPPED: there is no Chromium on this machine, so the page itself is not tested; install chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	return tab(t, ctx)
}

// tab opens a tab at 1280x720. A context of a tab gives a second one of the same browser.
func tab(t *testing.T, parent context.Context) context.Context {
	t.Helper()
	ctx, cancel := chromedp.NewContext(parent)
	t.Cleanup(cancel)
	ctx, timeout := context.WithTimeout(ctx, 90*time.Second)
	t.Cleanup(timeout)
	do(t, ctx, chromedp.EmulateViewport(1280, 720))
	return ctx
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// until waits until a JavaScript expression holds in the page.
func until(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	err := chromedp.Do(ctx, chromedp.Poll[chromedp.Void](expression, chromedp.WithPollingTimeout(20*time.Second)))
	if err != nil {
		body, _ := chromedp.Run(ctx, chromedp.Evaluate[string](`document.body.innerText`))
		t.Fatalf("%s: %v\nthe page shows:\n%s", expression, err, body)
	}
}

// demoView opens a view with the files of a folder.
func demoView(t *testing.T, id, generation uint32, resource, dir, entry, input string) *view {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(path.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = strings.ReplaceAll(string(data), "{{.Name}}", resource)
	}
	return testView(id, generation, resource, entry, input, files)
}

// testView is a view with these files, as the reference client opens them.
func testView(id, generation uint32, resource, entry, input string, files map[string]string) *view {
	return &view{
		ID: id, Resource: resource, Generation: generation, Entry: entry, Input: input,
		origins: func() []string { return nil },
		open: func(name string) ([]byte, string, error) {
			body, ok := files[name]
			if !ok {
				return nil, "", os.ErrNotExist
			}
			contentType, _ := protocol.ContentType(strings.TrimPrefix(path.Ext(name), "."))
			return []byte(body), contentType, nil
		},
	}
}
