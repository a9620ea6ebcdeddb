package composer

// The members of a tag: those of a reference, and its range in the text.
const (
	tagStart = refFields + iota
	tagEnd
	tagFields
)

var tagNames = append(append([]string{}, refNames...), "start", "end")

// tag is one chip as the composer sends it.
type tag struct {
	members [tagFields]token
	// form is the tag's serialized form in canonical text, never empty.
	form string
	// inline is set where the tag names a range at all, null included.
	inline bool
	// ranged is set where start and end are offsets, in UTF-16 units of the text.
	ranged     bool
	start, end int
}

// readTag reads an entry of a tag list. It reports false for one to ignore: no
// object, a key twice, no form.
func readTag(entry token) (tag, bool) {
	var t tag
	if entry.kind != objectToken || !members(entry, tagNames, t.members[:]) {
		return t, false
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
