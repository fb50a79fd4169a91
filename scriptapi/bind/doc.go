// Package bind is the declared registry: every function, property, handle and event that Lua sees is declared once, in Go, and
// from the declaration come the argument checks, the error texts, the reference pages, the editor stubs and the catalogue that
// the linter reads.
//
// A function is a Go function of one struct. Its fields are the arguments, in order:
//
//	type broadcastArgs struct {
//		Text  string     `lua:"text" range:"1..127" doc:"What everyone reads."`
//		Kind  string     `lua:"kind,optional" enum:"plain|info|error" default:"plain" doc:"How it is shown."`
//		Color *bind.RGBA `lua:"color,optional" doc:"The line's color; the kind's own without it."`
//	}
//
//	registry.Module("mp.chat", "Chat for everyone.").Add(
//		bind.Func("broadcast", "Sends a line to every player.", func(c *bind.Call, a broadcastArgs) (bind.None, error) {
//			return bind.None{}, server.Broadcast(a.Text, a.Kind, a.Color)
//		}, bind.Example(`mp.chat.broadcast("The race begins", "info")`)))
//
// A handle is a type of things. Properties are read and set, methods are called, and every use checks that the thing is still
// there:
//
//	players := bind.NewHandle(registry, bind.HandleSpec[*Player]{
//		Name: "Player", Type: "player", Doc: "Someone who plays.", Gone: "this player has left", Data: true,
//		Valid: func(p *Player) bool { return p.online },
//	})
//	players.Add(
//		bind.Prop("health", "0 is dead.", (*Player).Health, (*Player).SetHealth, bind.Tag(`range:"0..100"`)),
//		bind.Method("ask", "Asks a yes or no; nil and a reason when there is no answer.",
//			func(c *bind.Call, p *Player, a askArgs) (bool, error) {
//				answer := bind.Ask(c, reply{why: "stop"}, func(wake func(reply)) { p.openDialog(a.Text, wake) })
//				return answer.yes, bind.Because(answer.why)
//			}))
//
// # Types
//
//	bool, string, float64, float32       boolean, string (UTF-8; range counts bytes), finite number
//	int, int32, uint8, ...               integer in the type's range or the tag's
//	enum:"a|b" on string or an integer   one of the words; an integer gets its index
//	E of a NewEnum                       a name or an id; Lua reads the name
//	Vec2, Vec3, RGBA                     the values
//	T of a NewHandle                     a handle whose thing is still there
//	Function                             a Lua function
//	[]T, map[string]T, a struct          a list, a table by name, a table with these fields
//	*T                                   optional; nil without it
//	any                                  a plain value, copied: nil, boolean, number, string, value, handle, Table of these
//	Raw                                  whatever it is, not copied, of the calling state
//
// Of a table with these fields, lua:"name,1" may also stand at place 1, and alone without a table if it is a string and all else may
// be left out; lua:"name,items" is the list part; lua:"name,self" of type Raw is the table itself, or what stands in its place.
//
// Tags: lua:"name", with ",optional" or, on a last field of slice type, ",rest"; on a string or []string also ",tostring", which
// takes anything as tostring words it; range:"1..10", either end may be missing, of a Vec3 for each field; default:"5"; enum:"a|b"; doc:"One sentence.".
package bind
