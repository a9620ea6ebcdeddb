package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
)

// tag is a chip or a command of a message that is being written.
type tag struct {
	ID         string `json:"id,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Label      string `json:"label,omitempty"`
	Value      string `json:"value,omitempty"`
	Serialized string `json:"serialized,omitempty"`
	Removable  *bool  `json:"removable,omitempty"`
	Start      int    `json:"start"`
	End        int    `json:"end"`
}

func (g tag) at(start int) tag {
	g.Start, g.End = start, start+len(units(g.Serialized))
	return g
}

// draft is a message that is being written.
type draft struct {
	Text string `json:"text"`
	Tags []tag  `json:"tags"`
}

var (
	makefile = tag{ID: "f1", Kind: "file", Label: "File", Value: "src/Makefile", Serialized: "@src/Makefile"}
	license  = tag{ID: "f2", Kind: "file", Value: "LICENSE", Serialized: "@LICENSE"}
)

// with is a text in which each {} is one of the tags.
func with(text string, tags ...tag) draft {
	d := draft{Tags: []tag{}}
	for i, piece := range strings.Split(text, "{}") {
		if i > 0 {
			d.Tags = append(d.Tags, tags[i-1].at(len(units(d.Text))))
			d.Text += tags[i-1].Serialized
		}
		d.Text += piece
	}
	return d
}

func asJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// inShort is a message for an error: a long one is cut.
func inShort(d draft) string {
	said := asJSON(d)
	if len(said) > 600 {
		return fmt.Sprintf("%s … %s (%d bytes)", said[:300], said[len(said)-300:], len(said))
	}
	return said
}

func draftOf(t *testing.T, e event) draft {
	t.Helper()
	var annotations []struct {
		Type       string
		Start, End int
		Text       string
		Reference  tag
	}
	if len(e.Annotations) > 0 {
		if err := json.Unmarshal(e.Annotations, &annotations); err != nil {
			t.Fatal(err)
		}
	}
	d := draft{Text: e.Content, Tags: []tag{}}
	for _, a := range annotations {
		g := a.Reference
		g.Start, g.End = a.Start, a.End
		if got := textOf(units(e.Content)[a.Start:a.End]); got != a.Text {
			t.Errorf("%d..%d is %q, the annotation says %q", a.Start, a.End, got, a.Text)
		}
		d.Tags = append(d.Tags, g)
	}
	return d
}

func units(text string) []uint16 { return utf16.Encode([]rune(text)) }

func textOf(units []uint16) string { return string(utf16.Decode(units)) }
