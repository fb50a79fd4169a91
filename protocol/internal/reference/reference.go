// Package reference fills in the generated parts of the protocol's reference
// pages. What stands between two marks is generated, everything else of a page
// is written by hand:
//
//	<!-- packet ClientHello -->
//	<!-- end -->
//
// becomes the packet's direction, lane, size, layout, examples and refused
// inputs. A mark without a packet becomes the table or list of its name.
package reference

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"darqline/protocol"
	"darqline/protocol/internal/samples"
	"darqline/protocol/wire"
)

var block = regexp.MustCompile(`(?s)<!-- (\w+)(?: (\w+))? -->\n.*?<!-- end -->`)

// Fill returns the page with its generated parts as the code says now. A mark
// that means nothing, or names no built packet, is an error.
func Fill(page string) (string, error) {
	var fault error
	filled := block.ReplaceAllStringFunc(page, func(old string) string {
		m := block.FindStringSubmatch(old)
		text, err := generate(m[1], m[2])
		if err != nil {
			fault = err
			return old
		}
		mark := strings.TrimSpace(m[1] + " " + m[2])
		return fmt.Sprintf("<!-- %s -->\n%s<!-- end -->", mark, text)
	})
	return filled, fault
}

func generate(what, name string) (string, error) {
	if what == "packet" {
		return packet(name)
	}
	table, ok := tables[what]
	if !ok {
		return "", fmt.Errorf("nothing is generated for the mark %q", what)
	}
	return table(), nil
}

// tables are what the marks without a packet become.
var tables = map[string]func() string{
	"packets":         packets,
	"reasons":         reasons,
	"keys":            keys,
	"extensions":      extensions,
	"weapons":         weapons,
	"causes":          causes,
	"explosions":      explosions,
	"special_actions": values[protocol.SpecialAction],
	"fighting_styles": values[protocol.FightingStyle],
	"walking_styles":  values[protocol.WalkingStyle],
	"body_parts":      values[protocol.BodyPart],
	"upgrades":        upgrades,
	"handling":        handling,
	"easings":         values[protocol.Easing],
	"material_sizes":  values[protocol.MaterialSize],
	"icons":           values[protocol.Icon],
	"edit_results":    values[protocol.EditResult],
	"checkpoints":     values[protocol.CheckpointKind],
}

// files are the pages' files: one topic, one name.
var files = map[protocol.Page]string{
	"Connection": "connection.md", "Player": "player.md", "Chat, HUD and dialogs": "ui.md", "Resource files and views": "views.md",
	"Combat": "combat.md", "Vehicles": "vehicles.md", "World": "world.md", "Map editing": "editor.md",
}

// packets is the table of all packets; those that are built link to their
// section.
func packets() string {
	var b strings.Builder
	b.WriteString("| id | name | direction | lane | bytes | page |\n|---|---|---|---|---|---|\n")
	for _, r := range protocol.Table() {
		name := r.Name
		if r.New != nil {
			name = fmt.Sprintf("[%s](%s#%s-0x%02x)", r.Name, files[r.Page], strings.ReplaceAll(strings.ToLower(r.Name), " ", "-"), uint8(r.ID))
		}
		fmt.Fprintf(&b, "| 0x%02X | %s | %v | %v | %s | %s |\n", uint8(r.ID), name, r.Direction, r.Lane, span(r.Min, r.Max), r.Page)
	}
	return b.String()
}

// packet is the block of one packet, by the name of its type.
func packet(name string) (string, error) {
	for _, r := range protocol.Table() {
		for _, b := range blocks(&r) {
			if b.name == name {
				return b.text(), nil
			}
		}
	}
	return "", fmt.Errorf("no packet %q is built", name)
}

// A packetBlock is what is said of one packet.
type packetBlock struct {
	name      string // of its type
	row       *protocol.Row
	direction protocol.Direction
	layout    wire.Layout
}

// blocks are those of a row: one, but for the server query, of which query and
// answer are apart.
func blocks(r *protocol.Row) []packetBlock {
	if r.New == nil {
		return nil
	}
	b := packetBlock{typeName(r.New()), r, r.Direction, protocol.Describe(r)}
	if r.ID != protocol.IDServerQuery {
		return []packetBlock{b}
	}
	b.direction = protocol.ClientToServer
	answer := new(protocol.ServerQueryAnswer)
	return []packetBlock{b, {typeName(answer), r, protocol.ServerToClient, protocol.DescribeAnswer()}}
}

func typeName(p protocol.Packet) string { return reflect.TypeOf(p).Elem().Name() }

func (b packetBlock) text() string {
	var links []string
	for _, s := range samples.All() {
		if typeName(s.Packet) == b.name {
			links = append(links, fmt.Sprintf("[%s.bin](../../fixtures/protocol/%s.bin)", s.File, s.File))
		}
	}
	return fmt.Sprintf("%v, %v, %s bytes. Example: %s.\n\n```\n%s```\n%s",
		b.direction, b.row.Lane, span(b.layout.Min(), b.layout.Max()), strings.Join(links, ", "), b.layout, refused(b.name))
}

// reasons is the table of the reasons to end a connection.
func reasons() string {
	var b strings.Builder
	b.WriteString("| id | name | where |\n|---|---|---|\n")
	for r := protocol.ReasonQuit; r <= protocol.ReasonResume; r++ {
		var where []string
		for _, place := range []struct {
			letter string
			in     bool
		}{{"R", r.Rejectable()}, {"K", r.Kickable()}, {"L", r.Leavable()}} {
			if place.in {
				where = append(where, place.letter)
			}
		}
		fmt.Fprintf(&b, "| %d | `%v` | %s |\n", r, r, strings.Join(where, " "))
	}
	return b.String()
}

// keys is the list of the keyboard's and mouse's keys.
func keys() string {
	names := []string{"0 none"}
	for k := protocol.KeyNone + 1; k <= protocol.KeyLast; k++ {
		names = append(names, fmt.Sprintf("%d `%v`", k, k))
	}
	return strings.Join(names, ", ") + ".\n"
}

// extensions is the table of client files' types.
func extensions() string {
	var b strings.Builder
	b.WriteString("| extension | Content-Type |\n|---|---|\n")
	for _, ext := range protocol.Extensions() {
		mime, _ := protocol.ContentType(ext)
		fmt.Fprintf(&b, "| %s | `%s` |\n", ext, mime)
	}
	return b.String()
}

func span(least, most int) string {
	if least == most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d..%d", least, most)
}
