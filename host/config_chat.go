package host

import (
	"time"

	"darqline/host/world"
	"darqline/resources/strict"
)

// ChatConfig is the table [chat].
type ChatConfig struct {
	MaxLength    int
	Radius       float64 // metres; 0: everyone
	Bubbles      bool
	Burst        int
	Interval     time.Duration
	CommandBurst int
	CommandRate  int
}

func defaultChat() ChatConfig {
	return ChatConfig{MaxLength: 128, Burst: 4, Interval: 1500 * time.Millisecond, CommandBurst: 8, CommandRate: 4}
}

func (c *ChatConfig) table() strict.Table {
	return strict.Table{
		strict.Key("chat.max_length", strict.Integer(&c.MaxLength, 1, 128), "characters of a line").Live(),
		strict.Key("chat.radius", strict.Number(&c.Radius, 0, 20000), "metres within which a line is read; 0: everyone reads it").Live(),
		strict.Key("chat.bubbles", strict.Boolean(&c.Bubbles), "a line is also shown over the head of who wrote it").Live(),
		strict.Key("chat.burst", strict.Integer(&c.Burst, 1, 100), "lines at once").Live(),
		strict.Key("chat.interval", strict.Milliseconds(&c.Interval, 0, 60000), "ms for each further line").Live(),
		strict.Key("chat.command_burst", strict.Integer(&c.CommandBurst, 1, 100), "commands at once").Live(),
		strict.Key("chat.command_rate", strict.Integer(&c.CommandRate, 1, 100), "commands a second").Live(),
	}
}

func (c *ChatConfig) rules() world.Chat {
	return world.Chat{MaxLength: c.MaxLength, Radius: float32(c.Radius), Bubbles: c.Bubbles, Burst: c.Burst, Interval: c.Interval,
		CommandBurst: c.CommandBurst, CommandRate: c.CommandRate}
}
