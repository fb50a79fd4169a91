package client_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"time"

	"darqline/client"
	"darqline/protocol"
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

// walker walks in a circle around the place where the server puts it, and shoots at nobody.
type walker struct {
	client.NopHandler
	client *client.Client
	center chan client.Placement
}

func (w *walker) Placed(p client.Placement) {
	select {
	case <-w.center: // an earlier one that nobody has seen
	default:
	}
	w.center <- p
}

// walk moves the ped 25 times a second. The client sends what has changed, and spawns and respawns by itself.
func (w *walker) walk(ctx context.Context) {
	const radius, turn = 5, 0.5 // m, radians a second
	center := <-w.center
	tick := time.NewTicker(40 * time.Millisecond)
	defer tick.Stop()
	for begun := time.Now(); ; {
		select {
		case <-ctx.Done():
			return
		case center = <-w.center:
		case <-tick.C:
			sin, cos := math.Sincos(time.Since(begun).Seconds() * turn)
			w.client.Move(protocol.Frame{
				Epoch:    center.Epoch, // a frame of an earlier place is ignored
				Interior: center.Interior,
				Position: protocol.Vec3{
					X: center.Position.X + float32(radius*cos), Y: center.Position.Y + float32(radius*sin), Z: center.Position.Z,
				},
				Velocity: [3]int16{protocol.Hundredths(-radius * turn * sin), protocol.Hundredths(radius * turn * cos)},
				Heading:  protocol.Angle(math.Atan2(sin, cos) * 180 / math.Pi),
				MoveY:    127,
				Flags:    protocol.FlagOnGround,
			})
		}
	}
}

// A bot that plays.
func ExampleClient_Move() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w := &walker{center: make(chan client.Placement, 1)}
	c, err := client.New(client.Config{Server: "127.0.0.1:7777", Name: "Walker", NoFiles: true, Handler: w})
	if err != nil {
		log.Fatal(err)
	}
	w.client = c
	go w.walk(ctx)
	if err := c.Run(ctx); err != nil {
		log.Print(err)
	}
}
