-- Each square has a dozen players; nobody sees the next square.
mp.on("player_spawn_request", function(player)
  local square = math.floor(player.id / 12)
  local x, y = square % 5, math.floor(square / 5)
  player:spawn{ position = vec3(-2000 + x * 900 + player.id % 12 * 3, -2000 + y * 900, 10) }
  player:give_weapon("ak47", 1000)
  return false
end)

mp.on("player_respawn_request", function(player)
  player:spawn{ position = player.position }
  player:give_weapon("ak47", 1000)
  return false
end)
