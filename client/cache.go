package client

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// DefaultCacheLimit is the size in bytes that the cache is kept below when Config.CacheLimit is 0.
const DefaultCacheLimit = 2 << 30

const (
	partSuffix = ".part"
	trimEvery  = 32        // the cache is looked through each time a 32nd of its limit was added
	partAge    = time.Hour // a part that was written to since may belong to a running client
)

// errDamaged says that a file is not (or no longer) in the cache as its hash says.
var errDamaged = errors.New("the cached file is missing or damaged")

// blob names the content of one file: the only thing that decides what is cached where.
type blob struct {
	hash [sha256.Size]byte
	size int64
}

func (b blob) name() string { return hex.EncodeToString(b.hash[:]) }

// cache is a folder of files named by their SHA-256, and of "<hash>.part" files on their way. Several clients and
// processes may share one. What lies in it is trusted only after its hash was checked.
type cache struct {
	dir   string
	limit int64
	write func(f *os.File, b []byte) (int, error) // (*os.File).Write; tests fill the disk here

	mu     sync.Mutex // guards what follows, and lets one trim run at a time
	pinned map[[sha256.Size]byte]int
	grown  int64 // bytes added since the last trim; at first as if it were due
}

func newCache(dir string, limit int64) *cache {
	return &cache{dir: dir, limit: limit, write: (*os.File).Write, pinned: make(map[[sha256.Size]byte]int), grown: limit}
}

func (c *cache) path(b blob) string { return filepath.Join(c.dir, b.name()) }

// has says whether a file of that hash and size is there. Its content is checked when it is loaded.
func (c *cache) has(b blob) bool {
	info, err := os.Lstat(c.path(b))
	return err == nil && info.Mode().IsRegular() && info.Size() == b.size
}

// load reads a whole file and checks it; what fails the check is deleted and gives errDamaged.
func (c *cache) load(b blob) ([]byte, error) {
	if !c.has(b) {
		return nil, errDamaged
	}
	body, err := os.ReadFile(c.path(b))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errDamaged
	}
	if err != nil {
		return nil, fmt.Errorf("read the client-file cache: %w", err)
	}
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], b.hash[:]) {
		os.Remove(c.path(b))
		return nil, errDamaged
	}
	now := time.Now()
	os.Chtimes(c.path(b), now, now) // its turn in trim; a read-only cache does without
	return body, nil
}

// pin keeps trim from deleting b while a manifest that lists it stands; each pin needs an unpin.
func (c *cache) pin(b blob) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pinned[b.hash]++
}

func (c *cache) unpin(b blob) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pinned[b.hash]--; c.pinned[b.hash] <= 0 {
		delete(c.pinned, b.hash)
	}
}

// added counts a file that has come into the cache, and looks after its size now and then.
func (c *cache) added(b blob) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.grown += b.size; c.grown > c.limit/trimEvery {
		c.grown = 0
		c.trim()
	}
}

// trim deletes what was not used for longest until the folder is within its limit. Pinned files stay, and so do
// parts that may be in use. Anything whose name is not one of ours is left alone.
func (c *cache) trim() {
	type entry struct {
		name string
		size int64
		used time.Time
	}
	var total int64
	var old []entry
	list, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	for _, e := range list {
		hash, rest, _ := strings.Cut(e.Name(), ".")
		raw, err := hex.DecodeString(hash)
		if err != nil || len(raw) != sha256.Size || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue
		}
		total += info.Size()
		isPart := rest != ""
		if isPart && time.Since(info.ModTime()) < partAge || !isPart && c.pinned[[sha256.Size]byte(raw)] > 0 {
			continue
		}
		old = append(old, entry{e.Name(), info.Size(), info.ModTime()})
	}
	slices.SortFunc(old, func(a, b entry) int { return a.used.Compare(b.used) })
	for _, e := range old {
		if total <= c.limit {
			return
		}
		if os.Remove(filepath.Join(c.dir, e.name)) == nil {
			total -= e.size
		}
	}
}
