package client

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
)

// part is a file on its way into the cache: "<hash>.part", with the SHA-256 of what has arrived. One client at a time
// writes to it; a second one that wants the same file at the same moment gets a private part that is not resumed, so
// that a slow server cannot hold up the download from another.
type part struct {
	cache   *cache
	blob    blob
	file    *os.File
	path    string
	private bool
	sum     hash.Hash
	size    int64 // bytes in the file, all of them in sum
}

// openPart opens or makes the part of b and hashes what an earlier download left in it.
func (c *cache) openPart(b blob) (*part, error) {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the client-file cache: %w", err)
	}
	p := &part{cache: c, blob: b, path: c.path(b) + partSuffix, sum: sha256.New()}
	if err := p.open(); err != nil {
		return nil, err
	}
	n, err := io.Copy(p.sum, p.file)
	if p.size = n; err != nil || n > b.size {
		if err := p.restart(); err != nil {
			p.close()
			return nil, err
		}
	}
	return p, nil
}

func (p *part) open() error {
	f, err := os.OpenFile(p.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("write the client-file cache: %w", err)
	}
	if tryLock(f) && samePath(f, p.path) {
		p.file = f
		return nil
	}
	f.Close()
	var tag [8]byte
	rand.Read(tag[:])
	p.private = true
	p.path = p.cache.path(p.blob) + "." + hex.EncodeToString(tag[:]) + partSuffix
	if p.file, err = os.OpenFile(p.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		return fmt.Errorf("write the client-file cache: %w", err)
	}
	return nil
}

// samePath: between opening and locking, the client that had the lock may have renamed the file into the cache.
func samePath(f *os.File, path string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(mine, there)
}

// restart empties the part: the download begins again at byte 0.
func (p *part) restart() error {
	if err := p.file.Truncate(0); err != nil {
		return fmt.Errorf("write the client-file cache: %w", err)
	}
	if _, err := p.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("write the client-file cache: %w", err)
	}
	p.sum.Reset()
	p.size = 0
	return nil
}

// Write appends b and counts into the hash exactly what reached the file.
func (p *part) Write(b []byte) (int, error) {
	n, err := p.cache.write(p.file, b)
	p.sum.Write(b[:n])
	p.size += int64(n)
	if err != nil {
		err = fmt.Errorf("write the client-file cache: %w", err)
	}
	return n, err
}

// commit renames the part to its hash if size and SHA-256 are right. If not, it is emptied and ok is false.
func (p *part) commit() (ok bool, err error) {
	if p.size != p.blob.size || [sha256.Size]byte(p.sum.Sum(nil)) != p.blob.hash {
		return false, p.restart()
	}
	if closeBeforeRename {
		p.file.Close()
	}
	err = os.Rename(p.path, p.cache.path(p.blob))
	if !closeBeforeRename {
		p.file.Close()
	}
	p.file = nil
	if err == nil {
		p.cache.added(p.blob)
		return true, nil
	}
	// Another client may have put the very same file there and have it open.
	if _, bad := p.cache.load(p.blob); bad == nil {
		os.Remove(p.path)
		return true, nil
	}
	return false, fmt.Errorf("write the client-file cache: %w", err)
}

// close ends the use of the part. What has arrived stays for a later download, unless it is nothing or private.
func (p *part) close() {
	if p.file == nil {
		return
	}
	if p.private || p.size == 0 {
		if closeBeforeRename {
			p.file.Close()
			os.Remove(p.path)
		} else {
			os.Remove(p.path) // while it is locked: nobody else can have begun to use it
			p.file.Close()
		}
	} else {
		p.file.Close()
	}
	p.file = nil
}
