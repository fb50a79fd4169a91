---@meta _
-- What the server gives to every resource. Made from its declarations; do not edit.

---@class vec2
---@field x number
---@field y number
---@operator add(vec2): vec2
---@operator sub(vec2): vec2
---@operator mul(number): vec2
---@operator div(number): vec2
---@operator unm: vec2
---@field length fun(self: vec2): number
---@field distance fun(self: vec2, other: vec2): number

---@class vec3
---@field x number
---@field y number
---@field z number
---@operator add(vec3): vec3
---@operator sub(vec3): vec3
---@operator mul(number): vec3
---@operator div(number): vec3
---@operator unm: vec3
---@field length fun(self: vec3): number
---@field distance fun(self: vec3, other: vec3): number

---@class rgba
---@field r integer
---@field g integer
---@field b integer
---@field a integer

---@alias Weapon "fist"|"ak47"|integer

---Writes a line.
---@param ... any What is written.
function print(...) end

---Makes a color.
---@param r integer Red.
---@param g integer Green.
---@param b integer Blue.
---@param a? integer Opacity.
---@return rgba
function rgba(r, g, b, a) end

---Makes a point on a plane.
---@param x number East.
---@param y number North.
---@return vec2
function vec2(x, y) end

---Makes a point, an offset or a rotation.
---@param x number East.
---@param y number North.
---@param z number Up.
---@return vec3
function vec3(x, y, z) end

---@class mp.sum.options
---@field a? integer One.
---@field b? integer The other.

---Everything.
---@class mp
mp = {}

---Copies.
---@param value any What.
---@return any
function mp.copy(value) end

---Fails.
function mp.fail() end

---Subscribes.
---@param name string The event's.
---@param handler function Called at each.
---@overload fun(name: "player_join", handler: fun(player: Player, kind: "new"|"old"): boolean?)
function mp.on(name, handler) end

---Adds.
---@param options mp.sum.options
---@return integer
function mp.sum(options) end

---Waits.
---@param ms integer Milliseconds.
function mp.wait(ms) end

---@class mp.chat.send.options
---@field raise? boolean Raises the revision.
---@field color? rgba The color.
---@field tags? string[] Words to find it by.

---Chat.
---@class mp.chat
---@field prefix string Before each line.
mp.chat = {}

---Sends a line.
---@param player Player Who reads it.
---@param text string What he reads.
---@param kind? "plain"|"info"|"error" How it is shown.
---@param options? mp.chat.send.options More.
---@return string
function mp.chat.send(player, text, kind, options) end

---Of other resources.
---@class mp.exports
---@field [string] any
mp.exports = {}

---Players.
---@class mp.players
mp.players = {}

---By name.
---@param name string The name.
---@return Player?
function mp.players.get(name) end

---@class mp.vehicles.create.options
---@field model integer The model.
---@field position vec3 Where.

---Vehicles.
---@class mp.vehicles
mp.vehicles = {}

---Makes one.
---@param options mp.vehicles.create.options
---@return vec3
function mp.vehicles.create(options) end

---@class player.arm.options
---@field weapon Weapon What he gets.
---@field ammo? integer Rounds.

---Someone who plays.
---@class Player
---@field valid boolean Whether it is still there; never an error. Read only.
---@field type "player" Read only.
---@field data table A table of the resource's own that goes with it.
---@field gun Weapon In his hand.
---@field guns Weapon[]|table<string, Weapon> All that he has.
---@field health number 0 is dead.
---@field name string The name. Read only.
---@field place vec3 Where he is. Read only.
local Player = {}

---Gives a weapon, by a table.
---@param options player.arm.options
function Player:arm(options) end

---Asks a yes or no.
---Waits.
---@return boolean? # the answer
---@return string? reason # Why there is none: "stop", "leave".
function Player:ask() end

---Gives a weapon.
---@param weapon Weapon What he gets.
---@param ammo? integer Rounds.
---@return Weapon
function Player:give(weapon, ammo) end

---Ends the session.
---@param text string Why; the player reads it.
---@param seconds? integer How long he may not come back.
function Player:kick(text, seconds) end

---Has a fault.
function Player:panic() end
