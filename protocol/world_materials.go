package protocol

import (
	"fmt"

	"darqline/protocol/wire"
)

// A MaterialType is what a Material paints with.
type MaterialType uint8

const (
	MaterialTexture MaterialType = iota
	MaterialText
)

var materialTypes = []string{"texture", "text"}

// String is the type's word.
func (t MaterialType) String() string { return named(materialTypes, t, "MaterialType") }

// A MaterialSize is the size of the picture that a text is drawn into.
type MaterialSize uint8

var materialSizes = []string{
	"32x32", "64x32", "64x64", "128x32", "128x64", "128x128", "256x32", "256x64", "256x128", "256x256", "512x64", "512x128", "512x256", "512x512",
}

// String is the size as Lua sees it: width x height in pixels.
func (s MaterialSize) String() string { return named(materialSizes, s, "MaterialSize") }

// A MaterialFont is the font of a text on an object.
type MaterialFont uint8

const (
	MaterialSans MaterialFont = iota
	MaterialSerif
	MaterialMono
	MaterialHeading
)

var materialFonts = []string{"sans", "serif", "mono", "heading"}

// String is the font's word, as Lua sees it.
func (f MaterialFont) String() string { return named(materialFonts, f, "MaterialFont") }

// A MaterialStyle is the alignment of a text on an object, plus MaterialBold.
type MaterialStyle uint8

const (
	MaterialLeft MaterialStyle = iota
	MaterialCenter
	MaterialRight
	MaterialBold MaterialStyle = 4
)

var (
	materialStyles = new(wire.Set).With(0, 2).With(4, 6)
	textureName    = wire.Alphabet("printable ASCII without / and \\", 0, 31, func(b byte) bool { return b >= ' ' && b <= '~' && b != '/' && b != '\\' })
)

// A Material is one entry of ObjectState's materials: what a slot of the
// object's model is painted with. Its type says which fields it has.
type Material struct {
	Slot  uint8 // 0..15
	Type  MaterialType
	Color RGBA // of a texture it multiplies, and zero is none; or of the text

	Model   uint16 // that has the texture; with no names either, Color alone holds
	Archive string // texture archive's name, up to 23 bytes
	Texture string // up to 31 bytes

	Size     MaterialSize
	Font     MaterialFont
	FontSize uint8 // 4..200
	Style    MaterialStyle
	Back     RGBA
	Text     string // up to 128 bytes and 16 lines
}

func (m *Material) Wire(c *wire.Codec) {
	wire.Range(c, &m.Slot, 0, MaxMaterials-1)
	wire.Enum(c, &m.Type, MaterialText)
	wire.Union(c, m, &m.Type, (*Material).texture, (*Material).text)
}

func (m *Material) texture(c *wire.Codec) {
	c.U16(&m.Model)
	c.RGBA(&m.Color)
	c.Name8(&m.Archive, 0, 23, textureName)
	c.Name8(&m.Texture, 0, 31, textureName)
}

func (m *Material) text(c *wire.Codec) {
	wire.Enum(c, &m.Size, MaterialSize(len(materialSizes)-1))
	wire.Enum(c, &m.Font, MaterialHeading)
	wire.Range(c, &m.FontSize, 4, 200)
	wire.OneOf(c, &m.Style, materialStyles)
	c.RGBA(&m.Color)
	c.RGBA(&m.Back)
	c.Str8(&m.Text, 0, 128, wire.Lines(16))
}

// checkMaterials holds the slots to their order.
func checkMaterials(list []Material) error {
	for i := 1; i < len(list); i++ {
		if list[i].Slot <= list[i-1].Slot {
			return fmt.Errorf("materials[%d]: slot %d is not above %d, the one before", i, list[i].Slot, list[i-1].Slot)
		}
	}
	return nil
}
