// Package nearest finds the name that somebody most likely meant, for the "did you mean" of every error text.
package nearest

import (
	"strings"
	"unicode/utf8"
)

// longest is how many characters of a name are compared: nobody mistypes a name of more, and the work stays small.
const longest = 64

// Name gives the one of among that is nearest to got, and false where none is near enough to be meant.
// A name that differs only in case, or in '-', '_' and ' ', is always near. Of equally near names the first wins.
func Name(got string, among []string) (string, bool) {
	if got == "" || utf8.RuneCountInString(got) > longest {
		return "", false
	}
	plain := fold(got)
	best, bestDistance := "", limit(plain)+1
	for _, name := range among {
		if name == got || utf8.RuneCountInString(name) > longest {
			continue
		}
		if d := distance(plain, fold(name), bestDistance); d < bestDistance {
			best, bestDistance = name, d
		}
	}
	return best, best != ""
}

// limit is how many slips of the finger a name of this length may have.
func limit(name []rune) int {
	switch n := len(name); {
	case n <= 2:
		return 0
	case n <= 4:
		return 1
	case n <= 8:
		return 2
	default:
		return 3
	}
}

// fold takes away what people do not see as a difference.
func fold(name string) []rune {
	return []rune(strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name)))
}

// distance counts the insertions, deletions, replacements and swaps of neighbours between a and b (optimal string
// alignment). It gives up with enough as soon as the result cannot be below it.
func distance(a, b []rune, enough int) int {
	if d := len(a) - len(b); d >= enough || -d >= enough {
		return enough
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], enough)
}
