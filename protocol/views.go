package protocol

import (
	"fmt"
	"strings"

	"darqline/protocol/wire"
)

// Limits of page Resource files and views.
const (
	MaxClientFiles     = 64       // of one resource
	MaxClientFile      = 4 << 20  // bytes
	MaxClientFilesSize = 16 << 20 // bytes, all files of one resource
	MaxFilesPerPart    = 7        // entries in one ResourceFiles
	MaxSnapshot        = 16 << 10 // bytes of a view's JSON snapshot
	SnapshotPart       = 1024     // bytes of it in one ViewData
	MaxOrigins         = 4        // of one ViewOpen
	MaxActionFields    = 16       // of one ViewAction
	ActionFieldsSize   = 1024     // bytes of them
)

// A FileEntry is one client file in a manifest.
type FileEntry struct {
	Path   string // by ValidClientPath
	Size   uint32 // up to MaxClientFile
	SHA256 [32]byte
}

func (e *FileEntry) Wire(c *wire.Codec) {
	c.Name(&e.Path, 96, clientPath)
	wire.Range(c, &e.Size, 0, MaxClientFile)
	c.Bytes(e.SHA256[:])
}

// ResourceFiles is a part of the manifest of one resource start.
type ResourceFiles struct {
	Name       string // by ValidResourceName
	Generation uint32
	Total      uint8       // 1..64 files in the manifest
	First      uint8       // index of the first file in this part
	Entries    []FileEntry // 1..7, First + len(Entries) <= Total
}

func (*ResourceFiles) ID() ID { return IDResourceFiles }

func (p *ResourceFiles) Wire(c *wire.Codec) {
	c.Name(&p.Name, 32, resourceName)
	c.U32(&p.Generation)
	wire.Range(c, &p.Total, 1, MaxClientFiles)
	c.U8(&p.First)
	wire.List(c, &p.Entries, 1, MaxFilesPerPart, 132, (*FileEntry).Wire)
}

func (p *ResourceFiles) Check() error {
	if int(p.First)+len(p.Entries) > int(p.Total) {
		return fmt.Errorf("first: files %d..%d are outside a manifest of %d", p.First, int(p.First)+len(p.Entries)-1, p.Total)
	}
	return nil
}

// ResourceRemove tells that a start generation of a resource has stopped.
type ResourceRemove struct {
	Name       string // by ValidResourceName
	Generation uint32
}

func (*ResourceRemove) ID() ID { return IDResourceRemove }

func (p *ResourceRemove) Wire(c *wire.Codec) {
	c.Name(&p.Name, 32, resourceName)
	c.U32(&p.Generation)
}

// A ViewInput says which input a view takes.
type ViewInput uint8

const (
	InputNone   ViewInput = iota // display only
	InputAll                     // mouse and keyboard
	InputCursor                  // the mouse over the page's rectangles
)

var viewInputs = [...]string{"none", "all", "cursor"}

// String is the input's word, as Lua sees it.
func (i ViewInput) String() string {
	if int(i) < len(viewInputs) {
		return viewInputs[i]
	}
	return fmt.Sprintf("ViewInput(%d)", uint8(i))
}

// ViewOpen opens the recipient's view.
type ViewOpen struct {
	ViewID     uint32 // never repeats
	Name       string // of the resource
	Generation uint32
	Entry      string // an .html path from the manifest
	Input      ViewInput
	Origins    []string // of the sign-in screen, by ValidOrigins; empty for any other view
}

func (*ViewOpen) ID() ID { return IDViewOpen }

func (p *ViewOpen) Wire(c *wire.Codec) {
	c.U32(&p.ViewID)
	c.Name(&p.Name, 32, resourceName)
	c.U32(&p.Generation)
	c.Name(&p.Entry, 96, viewEntry)
	wire.Enum(c, &p.Input, InputCursor)
	c.Joined(&p.Origins, 256, "origins separated by \\n", ValidOrigins)
}

// ViewClose closes a view if it is open.
type ViewClose struct{ ViewID uint32 }

func (*ViewClose) ID() ID { return IDViewClose }

func (p *ViewClose) Wire(c *wire.Codec) { c.U32(&p.ViewID) }

// ViewData is a part of the JSON snapshot of one topic.
type ViewData struct {
	ViewID   uint32
	Revision uint32 // the view's after this snapshot
	Topic    string // by ValidTopic
	Part     uint8  // 0..Parts-1, in order
	Parts    uint8  // 1..16
	Data     []byte // up to 1024 bytes
}

func (*ViewData) ID() ID { return IDViewData }

func (p *ViewData) Wire(c *wire.Codec) {
	c.U32(&p.ViewID)
	c.U32(&p.Revision)
	c.Name(&p.Topic, 32, topic)
	c.U8(&p.Part)
	wire.Range(c, &p.Parts, 1, MaxSnapshot/SnapshotPart)
	c.Room(&p.Data, 0, SnapshotPart, nil)
}

func (p *ViewData) Check() error {
	if p.Part >= p.Parts {
		return fmt.Errorf("part %d of %d", p.Part, p.Parts)
	}
	return nil
}

// A ViewStatusCode is what a client reports of a view.
type ViewStatusCode uint8

const (
	ViewLoaded          ViewStatusCode = iota // the page is loaded
	ViewFailedDownload                        // the rest are failures
	ViewFailedIntegrity                       //
	ViewFailedNoBrowser                       // no browser in this client build
	ViewFailedPage                            //
)

var viewStatuses = [...]string{"loaded", "download", "integrity", "no_browser", "page"}

// String is the status's word, as Lua sees it.
func (s ViewStatusCode) String() string {
	if s.Known() {
		return viewStatuses[s]
	}
	return fmt.Sprintf("ViewStatusCode(%d)", uint8(s))
}

// Known reports whether the page defines the status. An unknown one decodes,
// is acknowledged and dropped.
func (s ViewStatusCode) Known() bool { return int(s) < len(viewStatuses) }

// ViewStatus is the client's report on a view. Only a wrong length is
// rejected.
type ViewStatus struct {
	ViewID uint32
	Status ViewStatusCode
}

func (*ViewStatus) ID() ID { return IDViewStatus }

func (p *ViewStatus) Wire(c *wire.Codec) {
	c.U32(&p.ViewID)
	wire.Range(c, &p.Status, 0, 255)
}

// ViewAction is an action of the open view's page. Only a wrong length is
// rejected: its count and fields are as they came, for ParseFields.
type ViewAction struct {
	ViewID   uint32
	Revision uint32 // of the last snapshot that the page received
	Action   string // up to 32 bytes, any
	Count    uint8
	Fields   []byte // 1024 bytes; fewer are filled up with zeros
}

func (*ViewAction) ID() ID { return IDViewAction }

func (p *ViewAction) Wire(c *wire.Codec) {
	c.U32(&p.ViewID)
	c.U32(&p.Revision)
	c.Raw(&p.Action, 32)
	c.U8(&p.Count)
	c.RawBytes(&p.Fields, ActionFieldsSize)
}

var (
	resourceName = &wire.Rule{Note: "a resource's name", Check: ValidResourceName}
	clientPath   = &wire.Rule{Note: "a client file's path", Check: ValidClientPath}
	topic        = &wire.Rule{Note: "[a-z0-9_], 1..31 bytes", Check: ValidTopic}
	viewEntry    = &wire.Rule{Note: "an .html path from the manifest", Check: validEntry}
)

func validEntry(path string) error {
	if err := ValidClientPath(path); err != nil {
		return err
	}
	if !strings.HasSuffix(path, ".html") {
		return fmt.Errorf("%q is not an .html file", path)
	}
	return nil
}
