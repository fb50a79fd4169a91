package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"

	"darqline/protocol/dissector"
)

var dissectorCommand = command{
	name:    "dissector",
	summary: "write a Wireshark dissector of all packets",
	help: `Writes a dissector in Lua that shows every packet in Wireshark and tshark with its name,
direction, lane, token, event and each of its fields, and faults what has a wrong size, an
unknown id, a nonzero padding or the wrong direction:

  darqline dissector --out darqline.lua
  wireshark -X lua_script:darqline.lua

To have it always, put the file into the folder of Personal Lua Plugins (Help, About
Wireshark, Folders). It knows port 7777 (a preference of the protocol DarqlineMP), and on
other ports every connection whose begin was captured.

  darqline.packet == "ViewOpen"       one kind of packet
  darqline.player_id == 7             all that is about player 7
  darqline.frame.health < 50          a field of a structure, in every packet that has it
  _ws.expert.severity == error        what is wrong`,
	setup: func(fs *flag.FlagSet) runner {
		out := fs.String("out", "", "write to this `FILE` instead of standard output")
		return func(_ context.Context, e *env, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("it takes no arguments, not %q: %w", args, errUsage)
			}
			if *out == "" {
				return dissector.Write(e.out)
			}
			var b bytes.Buffer
			if err := dissector.Write(&b); err != nil {
				return err
			}
			return os.WriteFile(*out, b.Bytes(), 0o644)
		}
	},
}
