// Package templates holds the files that the command line ships inside the binary: the built-in resource hello and
// the start of a new resource.
package templates

import "embed"

// Hello is the resource that serve runs in a folder without resources. Its root is the folder "hello".
//
//go:embed hello
var Hello embed.FS

// New is what the command new writes. Its root is the folder "new"; every file is a text/template and knows {{.Name}},
// the resource's name.
//
//go:embed new
var New embed.FS
