-- The built-in resource: it runs when a server has no other one, so that the first player sees something.

local hello = mp.views.define{ name = "hello", entry = "hello.html", input = "all" }

local function greet(player)
  hello:open(player, { server = { name = mp.server.name, player = player.name } })
end

mp.on("player_join", function(player)
  greet(player)
  player:message("This server has no resources yet. Make one: {FFB454}darqline new mine", "info")
end)

for _, player in ipairs(mp.players.all()) do greet(player) end
