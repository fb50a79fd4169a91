package strict_test

import (
	"fmt"
	"os"

	"darqline/resources/strict"
)

func Example() {
	config := struct {
		Name string
		Port uint16
	}{"My server", 7777}
	table := strict.Table{
		strict.Key("server.name", strict.String(&config.Name, strict.Bytes(1, 63)), "shown in server lists").Live(),
		strict.Key("server.port", strict.Integer(&config.Port, 1, 65535), "UDP"),
	}
	_, faults := table.Read("server.toml", []byte("[server]\nnaem = \"Best\"\nport = 99999\n"))
	fmt.Println(faults)
	_ = table.Markdown(os.Stdout)
	// Output:
	// server.toml:2: unknown key "naem" in [server]; did you mean "name"?
	// server.toml:3: server.port must be 1..65535, not 99999
	// | key | type | default | range and meaning |
	// |---|---|---|---|
	// | `server.name` | string | `"My server"` | 1..63 bytes; shown in server lists; live |
	// | `server.port` | integer | `7777` | 1..65535; UDP |
}
