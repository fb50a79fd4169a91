package scriptapi

// Stubs are the declarations of mp for the Lua language server.
func Stubs() []byte { return nil }
