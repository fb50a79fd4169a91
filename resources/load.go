package resources

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"darqline/protocol"
	"darqline/resources/strict"
)

// loader reads one resource, every file once.
type loader struct {
	fsys   fs.FS // cannot be left: an os.Root, or what is built in
	bundle *Bundle
	files  []string // every file below the folder that is not hidden
	digest hash.Hash
	faults Faults
}

// reading is what is remembered of a bundle beside what others see of it.
type reading struct {
	requires int      // the line of the manifest's key
	empty    []string // files of 0 bytes: perhaps an editor is about to write them
}

// load reads a resource. With faults the bundle is not whole, but its digest is still that of what was read.
func load(name, dir string, fsys fs.FS, set map[string]strict.Found) (*Bundle, Faults) {
	l := &loader{
		fsys:   fsys,
		bundle: &Bundle{Name: name, Dir: dir, Scripts: map[string][]byte{}},
		digest: sha256.New(),
	}
	l.scripts()
	data, err := l.read(ManifestName, strict.MaxFile)
	if err != nil {
		l.fault(ManifestName, "%v", err)
		return l.close()
	}
	l.add(ManifestName, data)
	var m manifest
	file, faults := m.read(name, data)
	l.faults = append(l.faults, faults...)
	if file == nil {
		return l.close()
	}
	l.bundle.Description, l.bundle.Version, l.bundle.Requires = m.description, m.version, m.requires
	l.bundle.reading.requires = file.Line("requires")
	l.entry(m, file)
	l.maps(m, file)
	if len(m.files) <= MaxClientFiles {
		l.clientFiles(m.files, file)
	}
	l.close()
	// Settings come last, after the digest: the host's values are no bytes of the resource.
	values, faults := settle(m.settings, name, file, set)
	l.bundle.Settings = values
	l.faults = append(l.faults, faults...)
	l.faults.Sort()
	return l.bundle, l.faults
}

// close makes the digest of all that was read, and of the faults, so that a mended resource differs from a broken one.
func (l *loader) close() (*Bundle, Faults) {
	for _, f := range l.faults {
		l.add(f.String(), nil)
	}
	l.digest.Sum(l.bundle.Digest[:0])
	l.faults.Sort()
	return l.bundle, l.faults
}

// add puts one file into the digest.
func (l *loader) add(name string, data []byte) {
	fmt.Fprintf(l.digest, "%d:%s:%d:", len(name), name, len(data))
	l.digest.Write(data)
}

func (l *loader) fault(file, format string, args ...any) {
	l.faults = append(l.faults, Fault{File: path.Join(l.bundle.Name, file), Text: fmt.Sprintf(format, args...)})
}

// scripts reads every Lua file below the folder and remembers the names of all others.
func (l *loader) scripts() {
	_ = fs.WalkDir(l.fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			l.fault(name, "%v", plain(err))
			return nil
		}
		if name != "." && strings.HasPrefix(entry.Name(), ".") {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if entry.IsDir() {
			return nil
		}
		l.files = append(l.files, name)
		if path.Ext(name) == ".lua" {
			l.script(name)
		}
		return nil
	})
	if n := len(l.bundle.Scripts); n > MaxScripts {
		l.fault("", "has %d Lua files; at most %d are read", n, MaxScripts)
	}
}

func (l *loader) script(name string) {
	if len(l.bundle.Scripts) > MaxScripts {
		l.bundle.Scripts[name] = nil // counted, not read
		return
	}
	data, err := l.read(name, MaxScript)
	if err != nil {
		l.fault(name, "%v", err)
		return
	}
	l.add(name, data)
	if text := strict.UTF16(data); text != "" {
		l.faults = append(l.faults, Fault{File: l.bundle.Name + "/" + name, Line: 1, Text: text})
		return
	}
	l.bundle.Scripts[name] = source(data)
}

// source takes away what Lua's parser does not know: a byte order mark and the text of a #! line, whose end stays so that
// lines keep their numbers.
func source(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if bytes.HasPrefix(data, []byte("#!")) {
		if end := bytes.IndexByte(data, '\n'); end >= 0 {
			return data[end:]
		}
		return nil
	}
	return data
}

func (l *loader) entry(m manifest, file *strict.File) {
	l.bundle.Entry = m.entry
	if _, ok := l.bundle.Scripts[m.entry]; ok || slices.Contains(l.files, m.entry) {
		return // where it is there but cannot be read, that is said already
	}
	var scripts []string
	for _, name := range l.files {
		if path.Ext(name) == ".lua" {
			scripts = append(scripts, name)
		}
	}
	if len(scripts) == 0 {
		l.faults = append(l.faults, file.Fault("entry", "entry %q does not exist; the resource has no Lua file", m.entry))
		return
	}
	l.faults = append(l.faults, file.Fault("entry", "entry %q does not exist%s", m.entry, strict.Meant(m.entry, scripts)))
}

// maps checks [maps]; the maps themselves are read by page Map editing.
func (l *loader) maps(m manifest, file *strict.File) {
	if !file.Has("maps") {
		return
	}
	l.bundle.Maps = &m.maps
	var there []string
	for _, name := range l.files {
		if path.Dir(name) == m.maps.Dir && path.Ext(name) == ".json" {
			there = append(there, strings.TrimSuffix(path.Base(name), ".json"))
		}
	}
	for i, name := range m.maps.Autoload {
		if !slices.Contains(there, name) {
			at := fmt.Sprintf("maps.autoload[%d]", i)
			l.faults = append(l.faults, file.Fault(at, "%s: there is no map %s/%s.json%s", at, m.maps.Dir, name, strict.Meant(name, there)))
		}
	}
}

// clientFiles reads and hashes the files for the players: sizes first, so that nothing too large is read.
func (l *loader) clientFiles(names []string, file *strict.File) {
	var total int64
	for i, name := range names {
		if name == "" || slices.Contains(names[:i], name) {
			continue // it broke a rule, which has been said
		}
		info, err := fs.Stat(l.fsys, name)
		if err == nil {
			err = fits(info, MaxClientFile)
			total += info.Size()
		}
		if err != nil {
			l.clientFault(file, i, name, err)
		}
	}
	if total > MaxClientTotal {
		l.faults = append(l.faults, file.Fault("client.files",
			"client.files have %d bytes together; at most %d (16 MiB)", total, MaxClientTotal))
	}
	if len(l.faults) > 0 {
		return // it will not start, so no bodies are needed
	}
	for i, name := range names {
		body, err := l.read(name, MaxClientFile)
		if err != nil {
			l.clientFault(file, i, name, err)
			continue
		}
		hash := sha256.Sum256(body)
		l.bundle.ClientFiles = append(l.bundle.ClientFiles, ClientFile{Path: name, Body: body, Hash: hash})
		l.add("client "+name, hash[:])
	}
}

func (l *loader) clientFault(file *strict.File, i int, name string, err error) {
	at := fmt.Sprintf("client.files[%d]", i)
	hint := ""
	if errors.Is(err, fs.ErrNotExist) {
		hint = strict.Meant(name, slices.DeleteFunc(slices.Clone(l.files), func(f string) bool { return protocol.ValidClientPath(f) != nil }))
	}
	l.faults = append(l.faults, file.Fault(at, "%s %q %v%s", at, name, plain(err), hint))
}

// read gives the bytes of a regular file of at most limit bytes. Its error is the rest of a sentence about the file.
func (l *loader) read(name string, limit int64) ([]byte, error) {
	info, err := fs.Stat(l.fsys, name) // before it is opened: a pipe would hold us up
	if err != nil {
		return nil, plain(err)
	}
	if err := fits(info, limit); err != nil {
		return nil, err
	}
	f, err := l.fsys.Open(name)
	if err != nil {
		return nil, plain(err)
	}
	defer f.Close()
	body := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err := body.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, plain(err)
	}
	if n := int64(body.Len()); n > limit {
		return nil, tooLarge(n, limit)
	} else if n == 0 {
		l.bundle.reading.empty = append(l.bundle.reading.empty, name)
	}
	return body.Bytes(), nil
}

func fits(info fs.FileInfo, limit int64) error {
	if !info.Mode().IsRegular() {
		return errors.New("is not a file")
	}
	if info.Size() > limit {
		return tooLarge(info.Size(), limit)
	}
	return nil
}

func tooLarge(size, limit int64) error {
	unit := fmt.Sprintf("%d MiB", limit>>20)
	if limit < 1<<20 {
		unit = fmt.Sprintf("%d KiB", limit>>10)
	}
	return fmt.Errorf("has %d bytes; at most %d (%s)", size, limit, unit)
}

// plain says in words what went wrong with a file, as the rest of a sentence about it.
func plain(err error) error {
	var p *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return missing{}
	case errors.As(err, &p) && strings.Contains(p.Err.Error(), "escapes"):
		return errors.New("is a link that leads out of the resource's folder; put the file itself there")
	case errors.As(err, &p):
		return fmt.Errorf("cannot be read: %w", p.Err)
	}
	return err
}

type missing struct{}

func (missing) Error() string        { return "does not exist" }
func (missing) Is(target error) bool { return target == fs.ErrNotExist }
