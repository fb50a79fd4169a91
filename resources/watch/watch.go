// Package watch reports which folders below a root have changed.
package watch

// Mode is how changes are found.
type Mode string

const (
	Watch Mode = "watch" // by the operating system, by polling where that is not to be had
	Poll  Mode = "poll"  // by looking at every file once a second: for network and container file systems
	Off   Mode = "off"   // not at all; the command reload reads anew
)
