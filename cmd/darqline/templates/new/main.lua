-- {{.Name}}: save this file and the server runs the new version at once. A mistake is reported, the last good version plays on.

local settings = mp.resource.settings
local command = mp.resource.name:gsub("-", "_")        -- a command's name has no hyphen

-- mp.state survives a reload, everything else starts anew.
local clicks = mp.state.clicks or {}
mp.state.clicks = clicks

-- The view: a page, who gets mouse and keyboard ("none", "all" or "cursor"), and the only actions that its page may send.
local view = mp.views.define{
  name = "main",
  entry = "view.html",
  input = "all",
  actions = {
    click = { amount = "integer(1..10)" },
    close = {},
  },
}

local function show(player)
  view:open(player, {
    greeting = { text = settings.greeting, name = player.name },
    clicks = { count = clicks[player.name] or 0 },
  })
end

-- fields are already checked: amount is there, and an integer from 1 to 10.
view:on("click", function(open, fields)
  local name = open.player.name
  clicks[name] = (clicks[name] or 0) + fields.amount
  open:set("clicks", { count = clicks[name] })
end)

view:on("close", function(open)
  open.player:message("Type {FFB454}/" .. command .. "{/} to see the view again.")
end)

mp.on("player_join", function(player)
  mp.chat.broadcast(mp.ui.format("%s %s", settings.greeting, player.name), "info")
  show(player)
end)

mp.command(command, { help = "Open the view of {{.Name}}", states = { "pre_spawn", "alive", "wasted" } }, show)

-- After a reload the players are already here.
for _, player in ipairs(mp.players.all()) do show(player) end
