package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// browser starts a headless Chromium with one tab, or skips loudly where there is none.
func browser(t *testing.T) context.Context {
	t.Helper()
	var found string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			found = path
			break
		}
	}
	if found == "" {
		t.Skip("SKIPPED: there is no Chromium on this machine, so the author's loop is not tested; install chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(found), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	act(t, ctx, chromedp.EmulateViewport(1280, 720))
	return ctx
}

func act(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// patient makes false of what cannot be read yet: what a page will show is asked for before it is there.
func patient(expression string) string {
	return "(() => { try { return (" + expression + ") } catch { return false } })()"
}

// holds waits until a JavaScript expression holds in the page.
func holds(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	err := chromedp.Do(ctx, chromedp.Poll[chromedp.Void](patient(expression),
		chromedp.WithPollingInterval(20*time.Millisecond), chromedp.WithPollingTimeout(time.Minute)))
	if err != nil {
		body, _ := chromedp.Run(ctx, chromedp.Evaluate[string](`document.body.innerText`))
		t.Fatalf("%s: %v\nthe page shows:\n%s", expression, err, body)
	}
}

// views are the frames of one origin. Each generation has a frame of its own.
type views struct {
	page   context.Context
	origin string
	frames map[target.ID]context.Context // not cancelled before the test ends: that would close the page
}

// holds waits until an expression holds in the view; what ends with a frame that goes is asked of the next one.
func (v *views) holds(t *testing.T, expression string) {
	t.Helper()
	last := "there is no frame on " + v.origin
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		targets, err := chromedp.Targets(v.page)
		if err != nil {
			t.Fatal(err)
		}
		for _, info := range targets {
			if info.Type != "iframe" || !strings.HasPrefix(info.URL, v.origin+"/") {
				continue
			}
			frame := v.frames[info.TargetID]
			if frame == nil {
				var cancel context.CancelFunc
				frame, cancel = chromedp.NewContext(v.page, chromedp.WithTargetID(info.TargetID))
				t.Cleanup(cancel)
				v.frames[info.TargetID] = frame
			}
			value, err := chromedp.Run(frame, chromedp.Evaluate[string](
				`(() => { try { return String(`+expression+`) } catch (fault) { return String(fault) } })()`))
			if err == nil && value == "true" {
				return
			}
			last = fmt.Sprintf("%s %v", value, err)
		}
	}
	t.Fatalf("%s in the view: %s", expression, last)
}

// shoot writes a picture of the page into the folder DARQLINE_SCREENSHOTS, for people to look at.
func shoot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	dir := os.Getenv("DARQLINE_SCREENSHOTS")
	if dir == "" {
		return
	}
	time.Sleep(400 * time.Millisecond) // transitions; a picture, not a test
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
