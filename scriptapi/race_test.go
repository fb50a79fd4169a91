//go:build race

package scriptapi

// underRace says that the race detector is on: a process needs several times the memory and time by it.
const underRace = true
