// Command gen writes the reference pages that are made from the code: docs/lua and the table of server.toml in
// docs/hosts.md. It is run at the top of the repository:
//
//	go run ./host/internal/gen
package main

import (
	"fmt"
	"os"

	"darqline/host/internal/pages"
)

func main() {
	if err := pages.Write("docs"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
