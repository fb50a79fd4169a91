package client_test

import (
	"context"
	"fmt"
	"log"

	"darqline/client"
)

// greeter answers everyone who writes in the chat.
type greeter struct {
	client.NopHandler
	client *client.Client
	me     uint16
}

func (g *greeter) Connected(s client.Session) { g.me = s.PlayerID }

func (g *greeter) Chat(c client.Chat) {
	if c.PlayerID != g.me {
		g.client.Chat(fmt.Sprintf("Hello %s!", c.Name))
	}
}

// A bot that connects, says hello to whoever writes, and stays until the session ends.
func Example() {
	g := &greeter{}
	c, err := client.New(client.Config{Server: "127.0.0.1:7777", Name: "Greeter", NoBrowser: true, Handler: g})
	if err != nil {
		log.Fatal(err)
	}
	g.client = c
	if err := c.Run(context.Background()); err != nil {
		log.Print(err)
	}
}
