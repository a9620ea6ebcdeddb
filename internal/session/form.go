package session

import (
	"encoding/json"
	"strings"

	"webshell/composer"
)

// Form is what shape of information a context message has, whoever produced
// it: one of the forms of this package, or nil for plain text.
type Form interface{ form() }

// Changes of a file of instructions.
const (
	FileAdded   = "added"
	FileUpdated = "updated"
	FileRemoved = "removed"
)

// InstructionsForm says which files the instructions in the text come from.
type InstructionsForm struct{ Files []FileChange }

// FileChange is one of these files; Change is added, updated or removed.
type FileChange struct{ Path, Change string }

// CatalogForm is a list of what the model may use.
type CatalogForm struct{ Items []CatalogItem }

// CatalogItem is one thing to use; Description may be "" and of several lines.
type CatalogItem struct{ Name, Description string }

// SnapshotForm is the state of something at one moment.
type SnapshotForm struct{ Sections []SnapshotSection }

// SnapshotSection is a named part of a snapshot; Text may be "".
type SnapshotSection struct{ Name, Text string }

// NoticeForm is something that happened, in one line.
type NoticeForm struct{ Summary string }

// RelayForm is a message that came from another session.
type RelayForm struct{ Session string }

// RecallForm is material of another session: how many of its messages were
// kept and omitted, and whether what was kept was cut.
type RecallForm struct {
	Kept, Omitted int
	Truncated     bool
}

func (*InstructionsForm) form() {}
func (*CatalogForm) form()      {}
func (*SnapshotForm) form()     {}
func (*NoticeForm) form()       {}
func (*RelayForm) form()        {}
func (*RecallForm) form()       {}

// maxFormName bounds the names in a form, in UTF-16 units.
const maxFormName = 1024

// ReadForm reads the form of a context message. Reading is all or nothing: an
// unknown kind and anything malformed give nil, which shows the message as
// plain text. A member that its form does not have is ignored.
func ReadForm(raw json.RawMessage) Form {
	fields := objectFields(raw)
	switch stringField(fields, "kind") {
	case "instructions":
		if files, ok := entries(fields["files"], fileChange); ok {
			return &InstructionsForm{files}
		}
	case "catalog":
		if items, ok := entries(fields["items"], catalogItem); ok {
			return &CatalogForm{items}
		}
	case "snapshot":
		if sections, ok := entries(fields["sections"], snapshotSection); ok {
			return &SnapshotForm{sections}
		}
	case "notice":
		if summary, ok := formName(fields, "summary"); ok {
			return &NoticeForm{summary}
		}
	case "relay":
		if name, ok := formName(fields, "session"); ok {
			return &RelayForm{name}
		}
	case "recall":
		return recallForm(fields)
	}
	return nil
}

// recallForm gives an untyped nil where a member does not fit.
func recallForm(fields map[string]json.RawMessage) Form {
	kept, fits := required[int](fields, "kept")
	omitted, fitsToo := required[int](fields, "omitted")
	truncated, flag := optional[bool](fields, "truncated")
	if !fits || !fitsToo || !flag || kept < 0 || omitted < 0 {
		return nil
	}
	return &RecallForm{Kept: kept, Omitted: omitted, Truncated: truncated}
}

func fileChange(fields map[string]json.RawMessage) (FileChange, bool) {
	path, ok := formName(fields, "path")
	change := stringField(fields, "change")
	switch change {
	case FileAdded, FileUpdated, FileRemoved:
		return FileChange{path, change}, ok
	}
	return FileChange{}, false
}

func catalogItem(fields map[string]json.RawMessage) (CatalogItem, bool) {
	name, ok := formName(fields, "name")
	description, fits := optional[string](fields, "description")
	return CatalogItem{name, description}, ok && fits
}

func snapshotSection(fields map[string]json.RawMessage) (SnapshotSection, bool) {
	name, ok := formName(fields, "name")
	text, fits := required[string](fields, "text")
	return SnapshotSection{name, text}, ok && fits
}

// entries reads a list of one object at least, all of which fit.
func entries[T any](raw json.RawMessage, read func(map[string]json.RawMessage) (T, bool)) ([]T, bool) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		return nil, false
	}
	all := make([]T, 0, len(list))
	for _, entry := range list {
		v, ok := read(objectFields(entry))
		if !ok {
			return nil, false
		}
		all = append(all, v)
	}
	return all, true
}

// formName reads a name: one line with something on it, of bounded length.
func formName(fields map[string]json.RawMessage, key string) (string, bool) {
	name := stringField(fields, key)
	ok := name != "" && !strings.ContainsAny(name, "\r\n") && composer.UTF16Len(name) <= maxFormName
	return name, ok
}

// required reads a member of exactly this type. JSON's null fits none.
func required[T any](fields map[string]json.RawMessage, key string) (v T, ok bool) {
	raw, there := fields[key]
	if !there || string(raw) == "null" {
		return v, false
	}
	return v, json.Unmarshal(raw, &v) == nil
}

// optional is required for a member that may be missing.
func optional[T any](fields map[string]json.RawMessage, key string) (v T, ok bool) {
	if _, there := fields[key]; !there {
		return v, true
	}
	return required[T](fields, key)
}
