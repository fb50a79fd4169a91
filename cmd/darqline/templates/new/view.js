const byId = (id) => document.getElementById(id);

// A snapshot from the script: called at once with the latest one, then for every new one.
darqline.on("greeting", ({ text, name }) => { byId("greeting").textContent = `${text}, ${name}`; });
darqline.on("clicks", ({ count }) => { byId("count").textContent = count; });

// An action to the script: name and fields as main.lua declares them.
byId("click").addEventListener("click", () => darqline.send("click", { amount: 1 }));
byId("close").addEventListener("click", () => darqline.close());
