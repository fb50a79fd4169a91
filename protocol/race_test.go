//go:build race

package protocol_test

// underRace says that the race detector is on, by which appends allocate more.
const underRace = true
