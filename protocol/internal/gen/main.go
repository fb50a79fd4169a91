// Command gen writes what is generated from the packets: the golden fixtures
// and the reference pages. It is run at the top of the repository:
//
//	go run ./protocol/internal/gen fixtures
//	go run ./protocol/internal/gen docs
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"darqline/protocol/internal/reference"
	"darqline/protocol/internal/samples"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 1 && args[0] == "fixtures" {
		return fixtures(filepath.Join("fixtures", "protocol"))
	}
	if len(args) == 1 && args[0] == "docs" {
		return docs(filepath.Join("docs", "protocol"))
	}
	return fmt.Errorf("usage: gen fixtures | docs")
}

// fixtures writes every sample and invalid input and removes the files of
// those that are gone.
func fixtures(dir string) error {
	files := samples.Files() // before anything is removed
	for _, pattern := range []string{"*.bin", "*.txt", filepath.Join("invalid", "*.bin")} {
		old, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return err
		}
		for _, path := range old {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "invalid"), 0o755); err != nil {
		return err
	}
	for file, content := range files {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(file)), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// docs fills in the generated parts of every page that is there.
func docs(dir string) error {
	pages, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		return err
	}
	for _, path := range pages {
		page, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		filled, err := reference.Fill(string(page))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := os.WriteFile(path, []byte(filled), 0o644); err != nil {
			return err
		}
	}
	return nil
}
