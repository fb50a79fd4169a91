// Package samples holds one telling value of every packet that is built, and
// the variants that the pages name: the golden fixtures are their encodings,
// and the tests and fuzz targets start from them.
//
// Beside them are the inputs that decode refuses, each a sample with one field
// written over. A new packet is one Sample in its topic's list, and one Invalid
// in the topic's second list for each rejection that its page names. make
// fixtures writes all of them, and a .txt that lists the fields of each sample.
package samples

import (
	"strings"

	p "darqline/protocol"
)

// A Sample is one packet of the fixtures.
type Sample struct {
	File   string // of fixtures/protocol, without .bin
	Header p.Header
	Packet p.Packet
}

// Bytes is the encoded sample.
func (s Sample) Bytes() []byte {
	b, err := p.Append(nil, s.Header, s.Packet)
	if err != nil {
		panic("sample " + s.File + ": " + err.Error())
	}
	return b
}

// Text lists the sample's fields: offset, name, type, value.
func (s Sample) Text() string {
	r, _ := p.Lookup(s.Header.ID)
	fields, err := p.List(s.Bytes(), r.Direction)
	if err != nil {
		panic("sample " + s.File + ": " + err.Error())
	}
	return p.FormatFields(fields)
}

// Files are the contents of fixtures/protocol by their paths in it, with
// slashes.
func Files() map[string][]byte {
	files := map[string][]byte{}
	for _, s := range All() {
		files[s.File+".bin"] = s.Bytes()
		files[s.File+".txt"] = []byte(s.Text())
	}
	for _, v := range AllInvalid() {
		files["invalid/"+v.File+".bin"] = v.Bytes()
	}
	return files
}

// All returns every sample, fresh, by topic.
func All() []Sample {
	var all []Sample
	for _, topic := range []([]Sample){connection(), query(), player(), combat(), vehicles(), world(), ui(), uiAsk(), uiHud(), views(), editor()} {
		all = append(all, topic...)
	}
	for i := range all {
		s := &all[i]
		r, _ := p.Lookup(s.Packet.ID())
		s.Header.ID = r.ID
		if r.HasToken() {
			s.Header.Token = token
		}
		if r.HasEvent() {
			s.Header.Event = 1000 + uint32(r.ID) // another for each packet, the same whatever else is added
		}
	}
	return all
}

// Named finds a sample by its file.
func Named(file string) Sample {
	for _, s := range All() {
		if s.File == file {
			return s
		}
	}
	panic("no sample is called " + file)
}

// token is the session token of all samples.
const token = 0x8877665544332211

// count fills b with rising bytes from first on, so that a shifted or reversed
// field shows.
func count(b []byte, first byte) {
	for i := range b {
		b[i] = first + byte(i)
	}
}

func bytes32(first byte) (b [32]byte) {
	count(b[:], first)
	return b
}

func cookie() (b [24]byte) {
	count(b[:], 0xC0)
	return b
}

// long is a text of n bytes.
func long(s string, n int) string { return strings.Repeat(s, n/len(s)+1)[:n] }
