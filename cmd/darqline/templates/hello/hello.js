darqline.on("server", ({ name, player }) => {
  document.getElementById("server").textContent = name;
  document.getElementById("player").textContent = player;
});
