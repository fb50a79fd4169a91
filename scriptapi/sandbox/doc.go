// Package sandbox runs the Lua code of resources: one State for each resource, handlers on pooled workers that may wait anywhere,
// and a Budget that stops what runs for too long or takes too much.
//
// # The baton
//
// All Lua of a Scheduler runs on one goroutine at a time. Run starts a handler on a worker, a coroutine with a Lua thread of its
// own, and comes back when it ends or reaches its first wait. A wait (State.Await) hands control back from however deep the
// handler stands (pcall, sort, an iterator, a metamethod, a user's coroutine), and the handler goes on where it was when
// the wait is woken. Workers are Go coroutines (iter.Pull), so control is handed over and never shared.
//
// # What a script cannot do
//
// No io, os, debug, load or other way to files, bytecode or other states; no instruction, memory or recursion without an end. The
// error that ends a handler names file and line, and the state stays usable: what was running is dropped with its Lua thread.
package sandbox
