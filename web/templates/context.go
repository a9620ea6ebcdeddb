package templates

import (
	"encoding/json"
	"unicode/utf8"

	"webshell/internal/session"
)

// contextRole is the row's data-context-role, one of the two roles.
func contextRole(n *session.ContextNode) string {
	if n.Provenance.Role == session.RoleRecall {
		return session.RoleRecall
	}
	return session.RoleInject
}

// contextForm is the row's data-context-form: the form's kind, or "plain".
func contextForm(n *session.ContextNode) string {
	switch n.Form.(type) {
	case *session.InstructionsForm:
		return "instructions"
	case *session.CatalogForm:
		return "catalog"
	case *session.SnapshotForm:
		return "snapshot"
	case *session.NoticeForm:
		return "notice"
	case *session.RelayForm:
		return "relay"
	case *session.RecallForm:
		return "recall"
	}
	return "plain"
}

// shownParts bounds how many entries of a form's list a row shows.
const shownParts = 200

// part is an entry of a form's list.
type part struct {
	Name string
	Text shownText
}

// partList is what a row shows of a form's list; More counts the entries left
// out. Names and texts together are bounded as any text of a row is.
type partList struct {
	Parts []part
	More  int
}

func partsOf[T any](entries []T, read func(T) (name, text string)) partList {
	left := shownRunes
	var list partList
	for i, entry := range entries {
		if i == shownParts || left <= 0 {
			list.More = len(entries) - i
			break
		}
		name, text := read(entry)
		p := part{Name: visible(name), Text: boundedTo(text, left)}
		left -= utf8.RuneCountInString(name) + utf8.RuneCountInString(text) - p.Text.Left
		list.Parts = append(list.Parts, p)
	}
	return list
}

func filesOf(v View, form *session.InstructionsForm) partList {
	return partsOf(form.Files, func(f session.FileChange) (string, string) { return f.Path, changeWord(v, f.Change) })
}

func changeWord(v View, change string) string {
	switch change {
	case session.FileAdded:
		return v.P.T("context.added")
	case session.FileRemoved:
		return v.P.T("context.removed")
	}
	return v.P.T("context.updated")
}

func itemsOf(form *session.CatalogForm) partList {
	return partsOf(form.Items, func(i session.CatalogItem) (string, string) { return i.Name, i.Description })
}

func sectionsOf(form *session.SnapshotForm) partList {
	return partsOf(form.Sections, func(s session.SnapshotSection) (string, string) { return s.Name, s.Text })
}

// formFields is a form that could not be read, as it is written.
func formFields(form json.RawMessage) shownText {
	if isNull(form) {
		return shownText{}
	}
	return boundedJSON(form)
}

// sourceFields is what a source says beside its kind, laid out for reading; a
// kind that is no name is not left out, and a source that is no object is
// shown as it is written.
func sourceFields(source json.RawMessage) shownText {
	if isNull(source) {
		return shownText{}
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(source, &fields) != nil {
		return boundedJSON(source)
	}
	if session.SourceKind(source) != "" {
		delete(fields, "kind")
	}
	if len(fields) == 0 {
		return shownText{}
	}
	rest, err := json.Marshal(fields)
	if err != nil {
		return boundedJSON(source)
	}
	return boundedJSON(rest)
}
