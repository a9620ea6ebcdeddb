package composer

import "strings"

// The members of a reference, in the order of their places. A tag has the same
// six, and its range after them.
const (
	refID = iota
	refKind
	refLabel
	refValue
	refSerialized
	refRemovable
	refFields
)

// The members of a command.
const (
	cmdName = iota
	cmdDescription
	cmdArgumentHint
	cmdSource
	cmdDisplayCategory
	cmdSubcommands
	cmdFields
)

var (
	refNames = []string{"id", "kind", "label", "value", "serialized", "removable"}
	cmdNames = []string{"name", "description", "argumentHint", "source", "displayCategory", "subcommands"}
)

// required returns an id or a name: a string, not empty, short, without NUL.
func required(t token) (string, bool) {
	s, ok := t.string()
	return s, ok && s != "" && !hasNUL(s) && !longer(s, maxID)
}

// optional sets *to to a string of at most limit units without NUL, kept in box
// so that the fields of one annotation share an allocation.
func (r *Report) optional(to **string, box *string, t token, limit int) {
	if t.kind == absent {
		return
	}
	s, ok := t.string()
	if !ok || hasNUL(s) || longer(s, limit) {
		r.Fields++
		return
	}
	*box = s
	*to = box
}

// reference makes a Reference of its members. text is what it covers.
func (r *Report) reference(members []token, text string) (*Reference, bool) {
	id, ok := required(members[refID])
	if !ok {
		return nil, false
	}
	box := &struct {
		Reference
		kind, label, value, serialized string
		removable                      bool
	}{Reference: Reference{ID: id}}
	ref := &box.Reference
	r.optional(&ref.Kind, &box.kind, members[refKind], maxKind)
	r.optional(&ref.Label, &box.label, members[refLabel], maxLabel)
	r.optional(&ref.Value, &box.value, members[refValue], maxValue)
	r.optional(&ref.Serialized, &box.serialized, members[refSerialized], maxValue)
	if ref.Kind != nil && !validKind(box.kind) {
		ref.Kind = nil
		r.Fields++
	}
	if ref.Serialized != nil && box.serialized != text {
		ref.Serialized = nil
		r.Fields++
	}
	switch t := members[refRemovable]; t.kind {
	case absent:
	case trueToken, falseToken:
		box.removable = t.kind == trueToken
		ref.Removable = &box.removable
	default:
		r.Fields++
	}
	return ref, true
}

// command makes a Command of its members.
func (r *Report) command(members []token) (*Command, bool) {
	name, ok := required(members[cmdName])
	if !ok {
		return nil, false
	}
	box := &struct {
		Command
		description, hint, source, category string
	}{Command: Command{Name: name}}
	cmd := &box.Command
	r.optional(&cmd.Description, &box.description, members[cmdDescription], maxValue)
	r.optional(&cmd.ArgumentHint, &box.hint, members[cmdArgumentHint], maxValue)
	r.optional(&cmd.Source, &box.source, members[cmdSource], maxValue)
	r.optional(&cmd.DisplayCategory, &box.category, members[cmdDisplayCategory], maxValue)
	if cmd.DisplayCategory != nil && !validCategory(box.category) {
		cmd.DisplayCategory = nil
		r.Fields++
	}
	cmd.Subcommands = r.strings(members[cmdSubcommands])
	return cmd, true
}

// strings returns an optional list of strings, nil where it is absent or unusable.
func (r *Report) strings(t token) []string {
	if t.kind == absent {
		return nil
	}
	all, ok := t.strings()
	if !ok {
		r.Fields++
	}
	return all
}

// validKind tells [a-z0-9][a-z0-9._:-]*; its length is limited as for every
// optional string. A kind becomes an attribute and the key of an icon, so
// nothing else may get in.
func validKind(kind string) bool {
	for i := range len(kind) {
		c := kind[i]
		word := 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
		if !word && (i == 0 || strings.IndexByte("._:-", c) < 0) {
			return false
		}
	}
	return kind != ""
}

func validCategory(category string) bool {
	switch category {
	case "custom", "skill", "system":
		return true
	}
	return false
}

// coverable tells text that a chip may stand for. A long text, one of several
// lines or a blank one stays plain: a chip must not hide a message.
func coverable(text string) bool {
	return !longer(text, maxValue) && !strings.ContainsAny(text, "\r\n") && !blank(text)
}
