package lint

const (
	noFiles     = "a script has no files; what must survive a reload goes into mp.state"
	noPrograms  = "a script cannot run programs or end the server"
	noLoading   = `a script cannot make code from text; require "lib.util" runs lib/util.lua of the resource`
	noModules   = `let the file end with "return t" and use what require gives`
	noEnvs      = "functions have no environments of their own; pass a table"
	noDebug     = "errors have file, line and traceback in the log already"
	noCollector = "memory is freed by itself"
)

// absent are functions of Lua, or of other servers, that scripts look for here,
// with what to use instead.
var absent = map[string]string{
	"io":             noFiles,
	"os.execute":     noPrograms,
	"os.exit":        noPrograms,
	"os.getenv":      "the settings of a resource are in mp.resource.settings",
	"os.remove":      noFiles,
	"os.rename":      noFiles,
	"os.tmpname":     noFiles,
	"os.setlocale":   "texts are UTF-8 and numbers have a point everywhere",
	"os.difftime":    "subtract the two times",
	"load":           noLoading,
	"loadstring":     noLoading,
	"loadfile":       noLoading,
	"dofile":         noLoading,
	"string.dump":    noLoading,
	"module":         noModules,
	"package":        noModules,
	"getfenv":        noEnvs,
	"setfenv":        noEnvs,
	"debug":          noDebug,
	"newproxy":       "setmetatable makes such values from a table",
	"collectgarbage": noCollector,

	// Other versions of Lua.
	"table.unpack":   "this is Lua 5.1, use unpack(t)",
	"table.pack":     `this is Lua 5.1, use { n = select("#", ...), ... }`,
	"table.move":     "this is Lua 5.1, use a loop",
	"table.getn":     "use #t",
	"table.foreach":  "use for k, v in pairs(t) do",
	"string.gfind":   "use string.gmatch",
	"math.type":      "this is Lua 5.1, where every number is a float; use x == math.floor(x)",
	"math.tointeger": "this is Lua 5.1, where every number is a float; use math.floor(x)",
	"utf8":           "this is Lua 5.1; a string is its bytes",
	"bit32":          "this is Lua 5.1, which has no bit operations",
	"warn":           "use mp.log.warn(text)",

	// Other servers.
	"addEventHandler":   `use mp.on("player_join", function(player) ... end)`,
	"AddEventHandler":   `use mp.on("player_join", function(player) ... end)`,
	"RegisterNetEvent":  "an event needs no registration; use mp.on(name, handler)",
	"triggerEvent":      "use mp.emit(name, ...)",
	"TriggerEvent":      "use mp.emit(name, ...)",
	"addCommandHandler": `use mp.command("veh", {"model:vehicle"}, function(player, args) ... end)`,
	"RegisterCommand":   `use mp.command("veh", {"model:vehicle"}, function(player, args) ... end)`,
	"setTimer":          "use mp.after(ms, fn) or mp.every(ms, fn)",
	"SetTimeout":        "use mp.after(ms, fn)",
	"CreateThread":      "every handler may wait: use mp.wait(ms), or mp.after(0, fn)",
	"Citizen":           "every handler may wait: use mp.wait(ms), or mp.after(0, fn)",
	"Wait":              "use mp.wait(ms)",
	"getRootElement":    "handlers get the player or the thing that an event is about as their first argument",
}
