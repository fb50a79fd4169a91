package host

import "darqline/resources/strict"

// BansConfig is the table [bans].
type BansConfig struct {
	File string // relative to Config.Dir
}

func defaultBans() BansConfig { return BansConfig{File: "bans.json"} }

func (c *BansConfig) table() strict.Table {
	return strict.Table{
		strict.Key("bans.file", strict.String(&c.File, strict.Bytes(1, 4096)), "the list of bans; written whole: temporary file, fsync, rename"),
	}
}
