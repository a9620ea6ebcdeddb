package mention

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"

	"webshell/composer"
)

// What the composer allows of a reference, in UTF-16 units.
const (
	maxForm = 1024
	maxID   = 256
)

// fileKind is the kind of tags for files and folders.
const fileKind = "file"

// fileTag is the tag of a file, or of a folder with a slash at its end.
func fileTag(value string) composer.Reference {
	kind, label, form := fileKind, path.Base(value), formOf(value)
	if strings.HasSuffix(value, "/") {
		label += "/"
	}
	return composer.Reference{ID: fileID(value), Kind: &kind, Label: &label, Value: &value, Serialized: &form}
}

func formOf(value string) string { return "@" + Escape(value) }

func fileID(value string) string {
	id := fileKind + ":" + value
	if composer.UTF16Len(id) <= maxID {
		return id
	}
	sum := sha256.Sum256([]byte(value))
	return fileKind + ":" + hex.EncodeToString(sum[:])
}

// referable reports whether a chip can stand for a path: its form has one line
// and is short enough.
func referable(value string) bool {
	if strings.ContainsAny(value, "\r\n") {
		return false
	}
	// At most every byte is escaped and each is a unit.
	return 2*len(value)+1 <= maxForm || composer.UTF16Len(formOf(value)) <= maxForm
}
