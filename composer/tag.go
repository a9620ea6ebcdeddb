package composer

// The members of a tag: those of a reference, its range in the text, and the
// type that tells a command's mark from it.
const (
	tagStart = refFields + iota
	tagEnd
	tagType
	tagFields
)

var tagNames = append(append([]string{}, refNames...), "start", "end", "type")

// tag is one chip as the composer sends it.
type tag struct {
	members [tagFields]token
	// command is set where the entry is a command's mark, which has none of what
	// follows.
	command bool
	// form is the tag's serialized form in canonical text, never empty.
	form string
	// inline is set where the tag names a range at all, null included.
	inline bool
	// ranged is set where start and end are offsets, in UTF-16 units of the text.
	ranged     bool
	start, end int
}

// readTag reads an entry of a tag list. It reports false for one to ignore: no
// object, a key twice, no form. A type other than "command" says nothing.
func readTag(entry token) (tag, bool) {
	var t tag
	if entry.kind != objectToken || !members(entry, tagNames, t.members[:]) {
		return t, false
	}
	if kind, ok := t.members[tagType].string(); ok && kind == TypeCommand {
		t.command = true
		return t, true
	}
	for _, i := range [...]int{refSerialized, refValue, refLabel, refID} {
		if s, ok := t.members[i].string(); ok && s != "" {
			t.form = withoutNUL(s)
			break
		}
	}
	t.inline = t.members[tagStart].kind != absent || t.members[tagEnd].kind != absent
	var startOK, endOK bool
	t.start, startOK = t.members[tagStart].offset()
	t.end, endOK = t.members[tagEnd].offset()
	t.ranged = startOK && endOK
	return t, t.form != ""
}

// tagAnnotation makes the annotation of a tag whose form stands from start to
// end, or counts why there is none.
func (r *Report) tagAnnotation(t tag, start, end int) (Annotation, bool) {
	if !coverable(t.form) {
		r.drop(&r.Text)
		return Annotation{}, false
	}
	ref, ok := r.reference(t.members[:refFields], t.form)
	if !ok {
		r.drop(&r.Shape)
	}
	return Annotation{Type: TypeReference, Start: start, End: end, Text: t.form, Reference: ref}, ok
}
