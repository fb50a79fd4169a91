package protocol

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
)

// PasswordProof is ClientHello.Proof: it shows that a client knows the server's password, for this nonce and cookie
// alone (page Connection, ClientHello).
func PasswordProof(password string, nonce uint64, cookie [24]byte) (proof [sha256.Size]byte) {
	key := sha256.Sum256([]byte(password))
	mac := hmac.New(sha256.New, key[:])
	mac.Write([]byte("darqline-password"))
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], nonce)
	mac.Write(b[:])
	mac.Write(cookie[:])
	mac.Sum(proof[:0])
	return proof
}
