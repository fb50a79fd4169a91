//go:build !race

package scriptapi

const underRace = false
