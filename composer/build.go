package composer

import (
	"errors"
	"fmt"
)

// What Build refuses. Tags carry part of the prompt, so a list that cannot be
// read is never passed over.
var (
	// ErrTagsInvalid means tags that are not a JSON list, are nested deeper than
	// MaxDepth or more than MaxEntries (status 422).
	ErrTagsInvalid = errors.New("the tags cannot be read: send a JSON list of at most 256 tags")
	// ErrTagsTooLarge means tags of more than MaxList bytes (status 413).
	ErrTagsTooLarge = errors.New("the tags are too large: send at most 256 KiB of them")
)

// Build makes a message of the composer's text and its tags, a JSON list of at
// most MaxList bytes; empty means no tags. text is canonical after Canonical or
// CanonicalForm; Build applies Canonical again and fails with ErrNotUTF8,
// ErrTagsInvalid or ErrTagsTooLarge.
//
// A tag without a range is a prefix tag: the serialized forms of these, joined
// by LF, and an empty line stand before the text. A tag with a range lies in the
// text, which spells its form there; where the range does not cover exactly the
// form, the text stands and there is no chip. Every usable tag becomes one
// reference annotation, held to the rules of Sanitize.
//
// An entry of type "command" is no tag but an annotation, as Sanitize reads it,
// whose range lies in the text. It adds nothing to the content.
func Build(text string, tags []byte) (Message, Report, error) {
	text, err := Canonical(text)
	if err != nil {
		return Message{}, Report{}, err
	}
	if len(tags) == 0 {
		return Message{Content: text, Annotations: []Annotation{}}, Report{}, nil
	}
	entries, err := tagList(tags)
	if err != nil {
		return Message{}, Report{}, err
	}
	m := assembly{ahead: make([]Annotation, 0, len(entries))}
	for _, entry := range entries {
		switch t, ok := readTag(entry); {
		case !ok:
			m.report.drop(&m.report.Shape)
		case t.command:
			m.addCommand(entry)
		default:
			m.add(t)
		}
	}
	message := m.message(text)
	return message, m.report, nil
}

// assembly is a message while its tags are read.
type assembly struct {
	prefix document
	ahead  []Annotation // of prefix tags, offsets into the prefix
	inline []Annotation // of inline tags and commands, offsets into the text
	report Report
}

func (m *assembly) add(t tag) {
	switch {
	case !t.inline:
		if len(m.prefix.text) > 0 {
			m.prefix.add("\n")
		}
		start, end := m.prefix.add(t.form)
		if a, ok := m.report.tagAnnotation(t, start, end); ok {
			m.ahead = append(m.ahead, a)
		}
	case !t.ranged:
		m.report.drop(&m.report.Range)
	default:
		if a, ok := m.report.tagAnnotation(t, t.start, t.end); ok {
			m.inline = append(m.inline, a)
		}
	}
}

func (m *assembly) addCommand(entry token) {
	if a, ok := m.report.annotation(entry); ok {
		m.inline = append(m.inline, a)
	}
}

// message puts the prefix before the text and moves what lies in it along.
func (m *assembly) message(text string) Message {
	if len(m.prefix.text) > 0 && text != "" {
		m.prefix.add("\n\n")
	}
	content := string(m.prefix.text) + text
	shift(m.inline, m.prefix.units)
	return Message{
		Content:     content,
		Annotations: m.report.place(content, append(m.ahead, m.inline...)),
	}
}

func tagList(tags []byte) ([]token, error) {
	if len(tags) > MaxList {
		return nil, ErrTagsTooLarge
	}
	entries, total, ok := list(string(tags))
	if !ok {
		return nil, fmt.Errorf("%w (not JSON, no list, or nested deeper than %d)", ErrTagsInvalid, MaxDepth)
	}
	if total > MaxEntries {
		return nil, fmt.Errorf("%w (%d were sent)", ErrTagsInvalid, total)
	}
	return entries, nil
}
