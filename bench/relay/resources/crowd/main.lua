local side = mp.resource.settings.side

-- One after the other, as evenly over the square as points can be.
mp.on("player_spawn_request", function(player)
  if side == 0 then return end
  local x, y = (0.5 + player.id * 0.7548776662) % 1, (0.5 + player.id * 0.5698402910) % 1
  player:spawn{ position = vec3((x - 0.5) * side, (y - 0.5) * side, 10) }
  return false
end)

mp.command("burn", { console = true }, function()
  mp.every(10, function()
    while true do end                       -- until the server stops it
  end)
end)
