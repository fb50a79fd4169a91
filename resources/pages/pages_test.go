package pages

import (
	"strings"
	"testing"

	"darqline/resources"
)

func TestCheck(t *testing.T) {
	page := `<!doctype html>
<link rel="stylesheet" href="shop.css">
<link rel="stylesheet" href="https://example.org/x.css">
<script src="shpo.js"></script>
<script>alert(1)</script>
<a href="https://example.org">a link goes nowhere and loads nothing</a>
<img src="/img/coin.png"> <img src="img/none.webp">
<button onclick="buy()"
  style="color: red">Buy</button>
<script src="shop.js?v=2"></script>
`
	b := &resources.Bundle{Name: "shop", ClientFiles: []resources.ClientFile{
		{Path: "shop.html", Body: []byte(page)}, {Path: "shop.css"}, {Path: "shop.js"}, {Path: "img/coin.png"},
	}}
	want := []string{
		`shop/shop.html:3: href="https://example.org/x.css" is blocked: a page loads from its own resource only`,
		`shop/shop.html:4: src="shpo.js" is not in [client].files; did you mean "shop.js"?`,
		`shop/shop.html:5: this script does nothing: the page's policy blocks inline scripts; put it into a .js file of [client].files`,
		`shop/shop.html:7: src="img/none.webp" is not in [client].files of resource.toml`,
		`shop/shop.html:8: onclick="..." does nothing: the page's policy blocks inline scripts; use addEventListener in a .js file`,
		`shop/shop.html:8: style="..." does nothing: the page's policy blocks inline styles; use a class and a .css file`,
		`shop/shop.html:10: src="shop.js?v=2" is not found: the path of a client file has no ?`,
	}
	var got []string
	for _, f := range Check(b) {
		got = append(got, f.String())
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
