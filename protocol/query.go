package protocol

import (
	"errors"
	"fmt"

	"darqline/protocol/wire"
)

// The server query is outside the revision: a format of its own, frozen, that
// a launcher of any revision can read (page Connection, Server query). The two
// ways share the id; each has a magic of its own.
const (
	queryMagic  = "DQRQ"
	answerMagic = "DQRS"
)

// MinQuery is the size of the shortest ServerQuery in bytes.
const MinQuery = 64

// A QueryKind is what a query asks for.
type QueryKind uint8

const (
	QueryPing QueryKind = iota
	QueryInfo
	QueryPlayers
	QueryRules
	QueryChallenge QueryKind = 0x80 // an answer alone: ask again with the cookie
)

var queryKinds = []string{"ping", "info", "players", "rules"}

// String is the kind's word.
func (k QueryKind) String() string {
	if k == QueryChallenge {
		return "challenge"
	}
	return named(queryKinds, k, "QueryKind")
}

// items reports whether the kind is about a list.
func (k QueryKind) items() bool { return k == QueryPlayers || k == QueryRules }

var answerKinds = wire.SetOf(QueryPing, QueryInfo, QueryPlayers, QueryRules, QueryChallenge)

// ServerQuery asks the server about itself. The answer is never longer.
type ServerQuery struct {
	Kind      QueryKind // not QueryChallenge
	RequestID uint32    // the asker's
	Cookie    uint64    // from a challenge, or 0
	First     uint16    // players and rules: number of the first item wanted
	Padding   []byte    // 44..1180 bytes of any value
}

func (*ServerQuery) ID() ID { return IDServerQuery }

func (p *ServerQuery) Wire(c *wire.Codec) {
	c.Magic(queryMagic)
	wire.Enum(c, &p.Kind, QueryRules)
	c.U32(&p.RequestID)
	c.U64(&p.Cookie)
	c.U16(&p.First)
	c.Rest(&p.Padding, 44, 1180)
}

// Len is the size of the query in bytes, which no answer to it exceeds.
func (p *ServerQuery) Len() int { return 20 + len(p.Padding) }

// ServerQueryAnswer answers a ServerQuery.
type ServerQueryAnswer struct {
	Kind      QueryKind
	RequestID uint32
	Total     uint16 // players and rules: items that there are
	First     uint16 // players and rules: number of the first item here
	Body      []QueryField
}

func (*ServerQueryAnswer) ID() ID { return IDServerQuery }

func (p *ServerQueryAnswer) Wire(c *wire.Codec) {
	c.Magic(answerMagic)
	wire.OneOf(c, &p.Kind, answerKinds)
	c.U32(&p.RequestID)
	c.U16(&p.Total)
	c.U16(&p.First)
	wire.Fill(c, &p.Body, 0, 1184, (*QueryField).Wire)
}

func (p *ServerQueryAnswer) Check() error {
	if !p.Kind.items() && (p.Total != 0 || p.First != 0) {
		return fmt.Errorf("total and first are 0 in an answer of kind %v", p.Kind)
	}
	return nil
}

// Len is the size of the answer in bytes.
func (p *ServerQueryAnswer) Len() int {
	n := 16
	for _, f := range p.Body {
		n += 2 + len(f.Value)
	}
	return n
}

// Fit adds fields as far as an answer of room bytes, the query's Len, has place
// for them. What does not fit is left out and the rest still tried; but of a
// list's items the first that does not fit is the end.
func (p *ServerQueryAnswer) Fit(room int, fields ...QueryField) {
	room -= p.Len()
	for _, f := range fields {
		switch n := 2 + len(f.Value); {
		case n <= room:
			p.Body = append(p.Body, f)
			room -= n
		case f.Tag.item():
			return
		}
	}
}

// A QueryTag says what a QueryField is.
type QueryTag uint8

const (
	TagVersion    QueryTag = 1
	TagFlags      QueryTag = 2
	TagPlayers    QueryTag = 3
	TagMaxPlayers QueryTag = 4
	TagName       QueryTag = 5
	TagMode       QueryTag = 6
	TagLanguage   QueryTag = 7
	TagWebsite    QueryTag = 8
	TagBoot       QueryTag = 9
	TagCookie     QueryTag = 10
	TagPlayer     QueryTag = 32
	TagRule       QueryTag = 33
)

var queryTags = [...]string{
	TagVersion: "version", TagFlags: "flags", TagPlayers: "players", TagMaxPlayers: "max_players", TagName: "name", TagMode: "mode",
	TagLanguage: "language", TagWebsite: "website", TagBoot: "boot", TagCookie: "cookie", TagPlayer: "player", TagRule: "rule",
}

// String is the tag's word; a tag of a later revision has none.
func (t QueryTag) String() string { return named(queryTags[:], t, "QueryTag") }

// item reports whether the field is one of a list.
func (t QueryTag) item() bool { return t == TagPlayer || t == TagRule }

// A QueryField is one value of an answer. Readers skip a Tag that they do not
// know, and bytes behind the part of Value that they do.
type QueryField struct {
	Tag   QueryTag
	Value string // up to 255 bytes of any value
}

func (f *QueryField) Wire(c *wire.Codec) {
	wire.Range(c, &f.Tag, 0, 255)
	c.Raw8(&f.Value)
}

var errShortValue = errors.New("the value is too short")

// A valueReader takes the values of a QueryField from its bytes, in order. Once
// there are too few it gives zeros.
type valueReader struct {
	rest string
	err  error
}

func (r *valueReader) take(n int) string {
	if len(r.rest) < n {
		r.rest, r.err = "", errShortValue
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

// number is the next number of n bytes.
func (r *valueReader) number(n int) (v uint64) {
	for i, b := range []byte(r.take(n)) {
		v |= uint64(b) << (8 * i)
	}
	return v
}

func (r *valueReader) u8() uint8   { return uint8(r.number(1)) }
func (r *valueReader) u16() uint16 { return uint16(r.number(2)) }
func (r *valueReader) u32() uint32 { return uint32(r.number(4)) }
func (r *valueReader) u64() uint64 { return r.number(8) }

// text is n bytes of plain text.
func (r *valueReader) text(n int) string {
	s := r.take(n)
	if err := wire.Plain.Check(s); err != nil && r.err == nil {
		r.err = err
	}
	return s
}
