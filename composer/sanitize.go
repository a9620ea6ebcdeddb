package composer

import (
	"cmp"
	"slices"
)

// The members of an entry of an annotation list.
const (
	entryType = iota
	entryStart
	entryEnd
	entryText
	entryReference
	entryCommand
	entrySubcommandPath
	entryFields
)

var entryNames = []string{"type", "start", "end", "text", "reference", "command", "subcommandPath"}

// Sanitize reads a list of annotations that came from outside and returns those
// that hold for content, sorted by (start, original index). content must be
// canonical. raw is the JSON as received; empty means that none was sent.
//
// It never fails. A list that cannot be used (over MaxList bytes, not JSON, no
// list, nested deeper than MaxDepth) is ignored, entries after the first
// MaxEntries are, and a fault in an entry costs that entry or one optional field
// of it; the report counts them. The result is never nil.
func Sanitize(content string, raw []byte) ([]Annotation, Report) {
	if len(raw) > MaxList {
		return []Annotation{}, Report{Lists: 1}
	}
	return read(content, raw)
}

// ReadStored returns the annotations that were stored with content by Encode,
// entire: it holds them to the same rules as Sanitize, only without MaxList.
func ReadStored(content string, stored []byte) []Annotation {
	found, _ := read(content, stored)
	return found
}

func read(content string, raw []byte) ([]Annotation, Report) {
	if len(raw) == 0 {
		return []Annotation{}, Report{}
	}
	entries, total, ok := list(string(raw))
	if !ok {
		return []Annotation{}, Report{Lists: 1}
	}
	var report Report
	report.Excess = total - len(entries)
	report.Dropped = report.Excess
	found := make([]Annotation, 0, len(entries))
	for _, entry := range entries {
		if a, ok := report.annotation(entry); ok {
			found = append(found, a)
		}
	}
	return report.place(content, found), report
}

// annotation reads one entry as far as that needs no content.
func (r *Report) annotation(entry token) (Annotation, bool) {
	var (
		fields    [entryFields]token
		reference [refFields]token
		command   [cmdFields]token
	)
	if entry.kind != objectToken ||
		!members(entry, entryNames, fields[:]) ||
		!within(fields[entryReference], refNames, reference[:]) ||
		!within(fields[entryCommand], cmdNames, command[:]) {
		r.drop(&r.Shape)
		return Annotation{}, false
	}
	kind, _ := fields[entryType].string()
	text, ok := fields[entryText].string()
	if !ok || text == "" || kind != TypeReference && kind != TypeCommand {
		r.drop(&r.Shape)
		return Annotation{}, false
	}
	start, startOK := fields[entryStart].offset()
	end, endOK := fields[entryEnd].offset()
	if !startOK || !endOK {
		r.drop(&r.Range)
		return Annotation{}, false
	}
	a := Annotation{Type: kind, Start: start, End: end, Text: withoutNUL(text)}
	if !coverable(a.Text) {
		r.drop(&r.Text)
		return Annotation{}, false
	}
	if kind == TypeReference {
		a.Reference, ok = r.reference(reference[:], a.Text)
	} else {
		a.Command, ok = r.command(command[:])
		a.SubcommandPath = r.strings(fields[entrySubcommandPath])
	}
	if !ok {
		r.drop(&r.Shape)
	}
	return a, ok
}

// within reads the members of an object inside an entry. A value that is no
// object has none.
func within(object token, names []string, fields []token) bool {
	return object.kind != objectToken || members(object, names, fields)
}

// place sorts annotations and keeps, in place, those that cover exactly their
// text in content and overlap none kept before of the same type.
func (r *Report) place(content string, all []Annotation) []Annotation {
	slices.SortStableFunc(all, func(a, b Annotation) int { return cmp.Compare(a.Start, b.Start) })
	kept := all[:0]
	at := cursor{text: content}
	referenceEnd, commandEnd := 0, 0
	for _, a := range all {
		from, to, ok := at.covers(a.Start, a.End, a.Text)
		if !ok {
			r.drop(&r.Range)
			continue
		}
		lastEnd := &referenceEnd
		if a.Type == TypeCommand {
			lastEnd = &commandEnd
		}
		if a.Start < *lastEnd {
			r.drop(&r.Overlap)
			continue
		}
		*lastEnd = a.End
		a.Text = content[from:to]
		kept = append(kept, a)
	}
	return kept
}
