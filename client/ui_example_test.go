package client_test

import (
	"context"
	"log"
	"time"

	"darqline/client"
	"darqline/protocol"
)

// shopper buys the first thing that is to be had, wherever a list or a menu is put before it, and declines every offer.
type shopper struct {
	client.NopHandler
	client *client.Client
	menu   uint32 // the last one
}

func (s *shopper) Dialog(d client.Dialog) {
	answer := client.DialogAnswer{Button: protocol.ButtonAccept}
	for answer.Row < len(d.Rows) && d.Rows[answer.Row].Flags&protocol.RowDisabled != 0 {
		answer.Row++
	}
	if d.Check(answer) != nil { // nothing is to be had, or the dialog asks for something else
		answer.Button = protocol.ButtonCancel
	}
	time.AfterFunc(time.Second, func() { // nobody reads as fast as a dialog opens
		if err := s.client.AnswerDialog(d.ID, answer); err != nil {
			log.Printf("dialog %q: %v", d.Title, err)
		}
	})
}

func (s *shopper) Menu(m client.Menu) {
	if m.ID == s.menu { // it has only changed
		return
	}
	s.menu = m.ID
	if in, ok := m.Press(protocol.FunctionMenuSelect); ok && in.Event == protocol.MenuSelected {
		s.client.MenuInput(in)
	}
}

func (s *shopper) Offers(list []client.Offer) {
	for _, o := range list {
		s.client.AnswerOffer(o.OfferID, false)
	}
}

// A bot that answers what scripts ask it.
func ExampleClient_AnswerDialog() {
	s := &shopper{}
	c, err := client.New(client.Config{Server: "127.0.0.1:7777", Name: "Shopper", NoBrowser: true, Handler: s})
	if err != nil {
		log.Fatal(err)
	}
	s.client = c
	if err := c.Run(context.Background()); err != nil {
		log.Print(err)
	}
}
