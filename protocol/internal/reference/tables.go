package reference

import (
	"fmt"
	"strings"

	"darqline/protocol"
	"darqline/protocol/internal/samples"
)

// refused links the inputs of a packet that decode refuses, by their reasons.
func refused(name string) string {
	types := map[string]string{} // of the samples
	for _, s := range samples.All() {
		types[s.File] = typeName(s.Packet)
	}
	var links []string
	for _, v := range samples.AllInvalid() {
		if types[v.From] == name {
			_, reason, _ := strings.Cut(v.File, ".")
			links = append(links, fmt.Sprintf("[%s](../../fixtures/protocol/invalid/%s.bin)", strings.ReplaceAll(reason, "_", " "), v.File))
		}
	}
	if links == nil {
		return ""
	}
	return "\nRefused inputs: " + strings.Join(links, ", ") + ".\n"
}

// weapons is the table of the weapons' default figures.
func weapons() string {
	var b strings.Builder
	b.WriteString("| id | name | slot | kind | clip | range | hit | interval |\n|---|---|---|---|---|---|---|---|\n")
	for w := range protocol.WeaponLast + 1 {
		f, ok := w.Figures()
		if !ok {
			continue
		}
		hit := number(f.Hit)
		if f.Pellets > 1 {
			hit = fmt.Sprintf("%s × %d", hit, f.Pellets)
		}
		fmt.Fprintf(&b, "| %d | `%s` | %d | %v | %s | %s | %s | %s |\n", uint8(w), f.Name, f.Slot, f.Kind, number(f.Clip), number(f.Range), hit, number(f.Interval))
	}
	return b.String()
}

// number leaves a table's cell empty where the figure is 0.
func number[N uint16 | float32](n N) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// causes is the table of the causes of damage.
func causes() string {
	by := map[protocol.Reporter]string{protocol.ByServer: "the server", protocol.ByAttacker: "the attacker", protocol.ByVictim: "the victim"}
	var b strings.Builder
	b.WriteString("| cause | name | class | reported by | claims up to | armor absorbs |\n|---|---|---|---|---|---|\n")
	for c := range 256 {
		f, ok := protocol.Cause(c).Figures()
		if !ok {
			continue
		}
		armor := "no"
		if f.Armor {
			armor = "yes"
		}
		fmt.Fprintf(&b, "| %d | `%s` | %v | %s | %s | %s |\n", c, f.Name, f.Class, by[f.By], number(f.Claim), armor)
	}
	return b.String()
}

// explosions is the list of the explosions' types.
func explosions() string {
	var list []string
	for t := range protocol.ExplosionTiny + 1 {
		list = append(list, fmt.Sprintf("%d `%v` %v m", uint8(t), t, t.Radius()))
	}
	return strings.Join(list, ", ") + ".\n"
}

// values lists those of an enum that have a word.
func values[E interface {
	~uint8
	fmt.Stringer
}]() string {
	var list []string
	for v := range 256 {
		if word := E(v).String(); !strings.HasSuffix(word, ")") {
			list = append(list, fmt.Sprintf("%d `%s`", v, word))
		}
	}
	return strings.Join(list, ", ") + ".\n"
}
