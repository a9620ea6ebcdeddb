package locales

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

//go:embed en.json zh-CN.json
var files embed.FS

// message is one entry of a language's file: a string, or an object of plural
// forms by CLDR category ("one", "other"), of which "other" is required.
type message struct {
	text  string
	forms map[string]string
}

// UnmarshalJSON reads either shape.
func (m *message) UnmarshalJSON(raw []byte) error {
	if raw[0] == '"' {
		return json.Unmarshal(raw, &m.text)
	}
	if err := json.Unmarshal(raw, &m.forms); err != nil {
		return err
	}
	m.text = m.forms["other"]
	if m.text == "" {
		return fmt.Errorf("plural message without the form %q", "other")
	}
	return nil
}

// Printer says things in one language. It is safe for concurrent use.
type Printer struct {
	lang     Lang
	tag      language.Tag
	messages map[string]message
}

var printers = load()

func load() map[Lang]*Printer {
	all := make(map[Lang]*Printer)
	for _, l := range Langs() {
		p, err := read(l)
		if err != nil {
			panic("locales: an embedded file is broken: " + err.Error())
		}
		all[l] = p
	}
	return all
}

func read(l Lang) (*Printer, error) {
	raw, err := files.ReadFile(string(l) + ".json")
	if err != nil {
		return nil, err
	}
	p := &Printer{lang: l, tag: language.MustParse(string(l))}
	if err := json.Unmarshal(raw, &p.messages); err != nil {
		return nil, fmt.Errorf("%s.json: %w", l, err)
	}
	return p, nil
}

// For gives the language's printer, or English's where there is none.
func For(l Lang) *Printer {
	if p, ok := printers[l]; ok {
		return p
	}
	return printers[English]
}

// Lang is the printer's language.
func (p *Printer) Lang() Lang { return p.lang }

// Dir is the writing direction, for the dir attribute of a page.
func (p *Printer) Dir() string { return "ltr" }

// Has reports whether there are words for key.
func (p *Printer) Has(key string) bool {
	_, ok := p.messages[key]
	return ok
}

// Under gives every text whose key begins with prefix, by the rest of its key.
// A plural message is there once for each of its forms, as "key.one", and under
// its own key as "other".
func (p *Printer) Under(prefix string) map[string]string {
	texts := make(map[string]string)
	for key, m := range p.messages {
		name, ok := strings.CutPrefix(key, prefix)
		if !ok {
			continue
		}
		texts[name] = m.text
		for form, text := range m.forms {
			texts[name+"."+form] = text
		}
	}
	return texts
}

// T gives the words for key, with args put in as fmt does. Where the words
// depend on a number, the first argument is that number, an int. A key without
// words comes back as it is, so that the gap can be seen.
func (p *Printer) T(key string, args ...any) string {
	m, ok := p.messages[key]
	if !ok {
		return key
	}
	if len(args) == 0 {
		return m.text
	}
	return fmt.Sprintf(p.form(m, args[0]), args...)
}

func (p *Printer) form(m message, first any) string {
	n, ok := first.(int)
	if m.forms == nil || !ok {
		return m.text
	}
	if text, ok := m.forms[category(plural.Cardinal.MatchPlural(p.tag, n, 0, 0, 0, 0))]; ok {
		return text
	}
	return m.text
}

// category is CLDR's name of a plural form.
func category(f plural.Form) string {
	switch f {
	case plural.Zero:
		return "zero"
	case plural.One:
		return "one"
	case plural.Two:
		return "two"
	case plural.Few:
		return "few"
	case plural.Many:
		return "many"
	}
	return "other"
}
