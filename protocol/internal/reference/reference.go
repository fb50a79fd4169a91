// Package reference fills in the generated parts of the protocol's reference
// pages. What stands between two marks is generated, everything else of a page
// is written by hand:
//
//	<!-- packet ClientHello -->
//	<!-- end -->
//
// becomes the packet's direction, lane, layout, size and examples, and
//
//	<!-- packets -->
//	<!-- end -->
//
// the table of all packets.
package reference

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"darqline/protocol"
	"darqline/protocol/internal/samples"
)

var block = regexp.MustCompile(`(?s)<!-- (packets|packet (\w+)) -->\n.*?<!-- end -->`)

// Fill returns the page with its generated parts as the code says now. A mark
// that names no built packet is an error.
func Fill(page string) (string, error) {
	var unknown error
	filled := block.ReplaceAllStringFunc(page, func(old string) string {
		m := block.FindStringSubmatch(old)
		text, err := packets(), error(nil)
		if m[2] != "" {
			text, err = packet(m[2])
		}
		if err != nil && unknown == nil {
			unknown = err
		}
		return fmt.Sprintf("<!-- %s -->\n%s<!-- end -->", m[1], text)
	})
	return filled, unknown
}

// packets is the table of README.md.
func packets() string {
	var b strings.Builder
	b.WriteString("| id | name | direction | lane | bytes | page |\n|---|---|---|---|---|---|\n")
	for _, r := range protocol.Table() {
		name := r.Name
		if r.New != nil {
			name = fmt.Sprintf("[%s](%s#%s-0x%02x)", r.Name, file(r.Page), strings.ToLower(r.Name), uint8(r.ID))
		}
		fmt.Fprintf(&b, "| 0x%02X | %s | %v | %v | %s | %s |\n", uint8(r.ID), name, r.Direction, r.Lane, span(r.Min, r.Max), r.Page)
	}
	return b.String()
}

// files are the pages' files: one topic, one name.
var files = map[protocol.Page]string{
	"Connection": "connection.md", "Player": "player.md", "Chat, HUD and dialogs": "ui.md", "Resource files and views": "views.md",
	"Combat": "combat.md", "Vehicles": "vehicles.md", "World": "world.md", "Map editing": "editor.md",
}

func file(p protocol.Page) string { return files[p] }

// packet is the block of one packet.
func packet(name string) (string, error) {
	table := protocol.Table()
	i := slices.IndexFunc(table, func(r protocol.Row) bool { return r.Name == name })
	if i < 0 || table[i].New == nil {
		return "", fmt.Errorf("no packet %q is built", name)
	}
	r := &table[i]
	var b strings.Builder
	fmt.Fprintf(&b, "%v, %v. %s bytes.\n\n```\n", r.Direction, r.Lane, span(r.Min, r.Max))
	b.WriteString(protocol.Describe(r).String())
	b.WriteString("```\n\n")
	if links := examples(r.ID); len(links) > 0 {
		fmt.Fprintf(&b, "Examples: %s.\n", strings.Join(links, ", "))
	}
	return b.String(), nil
}

func examples(id protocol.ID) (links []string) {
	for _, s := range samples.All() {
		if s.Packet.ID() == id {
			links = append(links, fmt.Sprintf("[%s.bin](../../fixtures/protocol/%s.bin)", s.File, s.File))
		}
	}
	return links
}

func span(least, most int) string {
	if least == most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d..%d", least, most)
}
