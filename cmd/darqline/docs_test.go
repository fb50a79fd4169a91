package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"darqline/client"
)

// block is a fenced piece of a page, with the comment that stands before it: "<!-- mark -->".
type block struct{ mark, language, text string }

var fenced = regexp.MustCompile("(?ms)(?:^<!-- ([^\n]*) -->\n)?^```(\\w*)\n(.*?)^```$")

func blocks(t *testing.T, page string) (list []block) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", page))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range fenced.FindAllStringSubmatch(string(text), -1) {
		list = append(list, block{m[1], m[2], m[3]})
	}
	return list
}

// TestTutorial goes through the five minutes of the README, with its own text, in the order in which it stands there.
func TestTutorial(t *testing.T) {
	ctx := browser(t)
	dir := t.TempDir()
	var steps []block
	for _, b := range blocks(t, "README.md") {
		if rest, ok := strings.CutPrefix(b.mark, "tutorial: "); ok {
			steps = append(steps, block{rest, b.language, b.text})
		}
	}
	marks := ""
	for _, s := range steps {
		marks += s.mark + "\n"
	}
	want := "shell\nresources/race/main.lua\nresources/race/view.html\nresources/race/view.js\nappend resources/race/main.lua\nfault\n"
	if marks != want {
		t.Fatalf("the tutorial has the steps\n%s", marks)
	}

	commands, ok := strings.CutSuffix(steps[0].text, "darqline serve\n")
	if !ok {
		t.Fatalf("the tutorial does not begin with a server: %s", steps[0].text)
	}
	sh := exec.Command("sh", "-e", "-c", commands)
	sh.Dir, sh.Env = dir, append(os.Environ(), "PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := sh.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dir = filepath.Join(dir, "my-server")
	port := freePort(t)
	server := open(t, dir, "serve", "--port", fmt.Sprint(port))
	server.wait("Save a file and its resource reloads.")
	player := open(t, dir, "play", fmt.Sprintf("127.0.0.1:%d", port), "--name", "Nova")
	url := strings.TrimSpace(player.wait("http://localhost:"))
	act(t, ctx, chromedp.Navigate(url))
	view := &views{ctx, strings.TrimSuffix(strings.Replace(url, "localhost", "race.localhost", 1), "/"), map[target.ID]context.Context{}}
	view.holds(t, `document.body.innerText.includes("Welcome, Nova")`)

	edit := func(name string, change func(string) string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, []byte(change(string(text))), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		server.wait("resource=race")
	}
	for _, s := range steps[1:4] {
		edit(s.mark, func(string) string { return s.text })
	}
	view.holds(t, `document.getElementById("laps").textContent === "None yet"`)
	const main = "resources/race/main.lua"
	edit(main, func(text string) string { return text + steps[4].text })
	say := func(text string) {
		t.Helper()
		act(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#line").focus()`), chromedp.KeyEvent(text+"\r"))
	}
	say("/lap 61.5")
	holds(t, ctx, `document.querySelector("#log").innerText.includes("Nova: 61.5 s")`)
	view.holds(t, `document.getElementById("laps").textContent === "Nova: 61.5 s"`)
	say("/lap fast")
	holds(t, ctx, `document.querySelector("#log").innerText.includes("Usage: /lap")`)
	shoot(t, ctx, "tutorial")

	edit(main, func(text string) string { return "local laps = = 1\n" + text })
	fault := strings.TrimSpace(steps[5].text)
	holds(t, ctx, fmt.Sprintf(`document.querySelector(".notice.error")?.innerText.includes(%q)`, fault))
	view.holds(t, `document.getElementById("laps").textContent === "Nova: 61.5 s"`)
	edit(main, func(text string) string { _, rest, _ := strings.Cut(text, "\n"); return rest })
	holds(t, ctx, `!document.querySelector(".notice.error")`)
	edit(main, func(text string) string { return text + "\n" })
	view.holds(t, `document.getElementById("laps").textContent === "Nova: 61.5 s"`)
	view.holds(t, `document.getElementById("clear").click() ?? true`)
	view.holds(t, `document.getElementById("laps").textContent === "None yet"`)
}

// TestAuthorsPage runs every script of docs/authors.md as a resource of its own, with its manifest and a page.
func TestAuthorsPage(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, "resources", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	manifest, count := "", 0
	for _, b := range blocks(t, "docs/authors.md") {
		switch b.language {
		case "toml":
			manifest = b.text
		case "lua":
			count++
			name := fmt.Sprintf("example%d", count)
			manifest := manifest
			if strings.HasSuffix(b.mark, ".html") {
				manifest = fmt.Sprintf("[client]\nfiles = [%q]\n", b.mark)
				write(name+"/"+b.mark, "<p>")
			}
			for file, text := range map[string]string{"resource.toml": manifest, "main.lua": b.text, "shop.html": "<p>", "shop.js": "", "img/coin.png": "x"} {
				write(name+"/"+file, text)
			}
		}
	}
	write("bank/resource.toml", "")
	write("bank/main.lua", "mp.exports.define{ balance = function() return 1 end }")
	if count < 6 {
		t.Fatalf("only %d scripts are found", count)
	}
	if out, err := program(t, dir, "check").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("check: %v\n%s", err, out)
	}
	server := open(t, dir, "serve", "--port", fmt.Sprint(freePort(t)), "--no-watch")
	running := server.wait("  resources  ")
	if n := strings.Count(running, "example"); n != count {
		t.Errorf("%d of %d scripts run: %s", n, count, running)
	}
	server.line("who")
	server.line("quit")
	server.wait("The server has stopped.")
	for _, line := range server.lines() {
		if strings.Contains(line, "ERROR") {
			t.Error(line)
		}
	}
}

// TestEmbedding compiles and runs the programs of the README and of docs/embedding.md.
func TestEmbedding(t *testing.T) {
	for page, script := range map[string]string{"README.md": "", "docs/embedding.md": "print(mp.forum.title(\"Nova\"))\n"} {
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			dir, source := t.TempDir(), ""
			found := script == ""
			for _, b := range blocks(t, page) {
				if b.language == "go" {
					source = b.text
				}
				found = found || b.text == script
			}
			if !found {
				t.Fatalf("%s has no script %q", page, script)
			}
			port := freePort(t)
			// The programs listen on 7777; a test takes another port.
			switch {
			case strings.Contains(source, "7777"):
				source = strings.ReplaceAll(source, "7777", fmt.Sprint(port))
			default:
				source = strings.Replace(source, "host.Defaults()", "onPort(host.Defaults())", 1) +
					fmt.Sprintf("\nfunc onPort(c host.Config) host.Config { c.Server.Port = %d; return c }\n", port)
			}
			file := filepath.Join(dir, "main.go")
			at := filepath.Join(dir, "resources", "hello")
			if err := os.MkdirAll(at, 0o755); err != nil {
				t.Fatal(err)
			}
			for path, text := range map[string]string{file: source, filepath.Join(at, "resource.toml"): "", filepath.Join(at, "main.lua"): script} {
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			built := filepath.Join(dir, "program")
			if runtime.GOOS == "windows" {
				built += ".exe"
			}
			if out, err := exec.Command("go", "build", "-o", built, file).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			c := exec.Command(built)
			c.Dir = dir
			server := attach(t, c)
			enter(t, fmt.Sprintf("127.0.0.1:%d", port))
			if script != "" {
				server.wait("msg=Founder resource=hello")
				server.wait("somebody is here")
			}
		})
	}
}

// arrival says that a session stands.
type arrival struct {
	client.NopHandler
	here chan struct{}
}

func (a arrival) Connected(client.Session) { close(a.here) }

// enter joins a server, which may still be starting, and stays until the end of the test.
func enter(t *testing.T, server string) {
	t.Helper()
	ctx, leave := context.WithTimeout(t.Context(), time.Minute)
	here, ended := make(chan struct{}), make(chan error, 1)
	c, err := client.New(client.Config{Server: server, Name: "Nova", CacheDir: t.TempDir(), Handler: arrival{here: here}})
	if err != nil {
		t.Fatal(err)
	}
	go func() { // a server that is not there yet is no answer; the client asks for 10 s
		err := c.Run(ctx)
		for end := new(client.EndError); errors.As(err, &end) && end.Kind == client.NoAnswer && ctx.Err() == nil; {
			err = c.Run(ctx)
		}
		ended <- err
	}()
	select {
	case <-here:
		t.Cleanup(func() { leave(); <-ended })
	case err := <-ended:
		leave()
		t.Fatal("nobody answers: ", err)
	}
}

// TestLinks finds links in the pages that lead nowhere.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	check := func(page string) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s: %s is not there", page, m[1])
			}
		}
	}
	check("../../README.md")
	err := filepath.WalkDir("../../docs", func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			check(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
