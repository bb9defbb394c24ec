// What Go's own code for its checksum database says of notes, trees and proofs: golang.org/x/mod/sumdb, note and tlog.
//
// It reads one question a line and answers each with a line. Bytes are hexadecimal, lists have commas, nothing is "-".
package main

import (
	"bufio"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// The hashes of the tree that the entries told so far make, in the order in which tlog stores them.
type tree []tlog.Hash

func (t tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var found []tlog.Hash
	for _, index := range indexes {
		if index >= int64(len(t)) {
			return nil, errors.New("not so many hashes")
		}
		found = append(found, t[index])
	}
	return found, nil
}

// x/mod checks the signatures of logs only, and is given what checks those of witnesses (C2SP tlog-cosignature).
type witness struct {
	name string
	id   uint32
	key  ed25519.PublicKey
}

func (w witness) Name() string    { return w.name }
func (w witness) KeyHash() uint32 { return w.id }
func (w witness) Verify(text, signature []byte) bool {
	if len(signature) != 72 {
		return false
	}
	signed := fmt.Sprintf("cosignature/v1\ntime %d\n%s", binary.BigEndian.Uint64(signature), text)
	return ed25519.Verify(w.key, []byte(signed), signature[8:])
}

func verifier(vkey string) (note.Verifier, error) {
	parts := strings.SplitN(vkey, "+", 3)
	if len(parts) == 3 {
		key, err := base64.StdEncoding.DecodeString(parts[2])
		if err == nil && len(key) == 33 && key[0] == 4 {
			id, sum := idOf(parts[0], key)
			if sum != parts[1] {
				return nil, errors.New("another id")
			}
			return witness{parts[0], id, key[1:]}, nil
		}
	}
	return note.NewVerifier(vkey)
}

func idOf(name string, key []byte) (uint32, string) {
	sum := sha256.Sum256(append([]byte(name+"\n"), key...))
	return binary.BigEndian.Uint32(sum[:4]), hex.EncodeToString(sum[:4])
}

func unhex(text string) []byte {
	if text == "-" {
		return nil
	}
	found, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return found
}

func number(text string) int64 {
	found, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(err)
	}
	return found
}

func list(text string) []string {
	if text == "-" {
		return nil
	}
	return strings.Split(text, ",")
}

func hashOf(text string) (found tlog.Hash, err error) {
	if len(text) != 2*len(found) {
		return found, errors.New("no hash")
	}
	copy(found[:], unhex(text))
	return found, nil
}

func hashesOf(texts ...string) (found []tlog.Hash, err error) {
	for _, text := range texts {
		hash, err := hashOf(text)
		if err != nil {
			return nil, err
		}
		found = append(found, hash)
	}
	return found, nil
}

func told(hashes []tlog.Hash) string {
	texts := []string{}
	for _, hash := range hashes {
		texts = append(texts, hex.EncodeToString(hash[:]))
	}
	if len(texts) == 0 {
		return "-"
	}
	return strings.Join(texts, ",")
}

func answer(t *tree, words []string) (string, error) {
	switch words[0] {
	case "entry":
		entry := unhex(words[1])
		index := number(words[2])
		hashes, err := tlog.StoredHashes(index, entry, *t)
		*t = append(*t, hashes...)
		return "ok", err
	case "root":
		root, err := tlog.TreeHash(number(words[1]), *t)
		return told([]tlog.Hash{root}), err
	case "tile":
		tile := tlog.Tile{H: 8, L: int(number(words[1])), N: number(words[2]), W: int(number(words[3]))}
		hashes, err := tlog.ReadTileData(tile, *t)
		return strings.Replace(tile.Path(), "tile/8/", "tile/", 1) + " " + hex.EncodeToString(hashes), err
	case "beside":
		proof, err := tlog.ProveRecord(number(words[2]), number(words[1]), *t)
		return told(proof), err
	case "between":
		proof, err := tlog.ProveTree(number(words[2]), number(words[1]), *t)
		return told(proof), err
	case "inclusion":
		hashes, err := hashesOf(append([]string{words[1], words[4]}, list(words[5])...)...)
		if err != nil {
			return "", err
		}
		return "ok", tlog.CheckRecord(hashes[2:], number(words[3]), hashes[1], number(words[2]), hashes[0])
	case "consistency":
		hashes, err := hashesOf(append([]string{words[2], words[4]}, list(words[5])...)...)
		if err != nil {
			return "", err
		}
		return "ok", tlog.CheckTree(hashes[2:], number(words[3]), hashes[1], number(words[1]), hashes[0])
	case "key":
		_, err := verifier(string(unhex(words[1])))
		return "ok", err
	case "note":
		var known []note.Verifier
		for _, vkey := range list(words[2]) {
			one, err := verifier(string(unhex(vkey)))
			if err != nil {
				return "", err
			}
			known = append(known, one)
		}
		opened, err := note.Open(unhex(words[1]), note.VerifierList(known...))
		if err != nil {
			return "", err
		}
		return fmt.Sprint(len(opened.Sigs), " ", hex.EncodeToString([]byte(opened.Text))), nil
	case "sign":
		name, key := string(unhex(words[1])), append([]byte{1}, unhex(words[2])...)
		public := ed25519.NewKeyFromSeed(key[1:]).Public().(ed25519.PublicKey)
		_, id := idOf(name, append([]byte{1}, public...))
		secret := "PRIVATE+KEY+" + name + "+" + id + "+" + base64.StdEncoding.EncodeToString(key)
		signer, err := note.NewSigner(secret)
		if err != nil {
			return "", err
		}
		signed, err := note.Sign(&note.Note{Text: string(unhex(words[3]))}, signer)
		return hex.EncodeToString(signed), err
	}
	panic("an unknown question: " + words[0])
}

func main() {
	var t tree
	questions := bufio.NewScanner(os.Stdin)
	questions.Buffer(nil, 4<<20)
	answers := bufio.NewWriter(os.Stdout)
	defer answers.Flush()
	for questions.Scan() {
		said, err := answer(&t, strings.Split(questions.Text(), " "))
		if err != nil {
			said = "no"
		}
		fmt.Fprintln(answers, said)
	}
}
