package composer

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func TestEncode(t *testing.T) {
	t.Parallel()
	empty, no := "", false
	full := "k"
	tests := []struct {
		name        string
		annotations []Annotation
		want        string
	}{
		{"nil", nil, `[]`},
		{"empty", []Annotation{}, `[]`},
		{"a reference of an id", []Annotation{{Type: TypeReference, Start: 0, End: 2, Text: "@a", Reference: &Reference{ID: "x"}}},
			`[{"type":"reference","start":0,"end":2,"text":"@a","reference":{"id":"x"}}]`},
		{"values that are empty", []Annotation{{Type: TypeReference, Start: 10, End: 12, Text: "@a", Reference: &Reference{ID: "x", Label: &empty, Removable: &no}}},
			`[{"type":"reference","start":10,"end":12,"text":"@a","reference":{"id":"x","label":"","removable":false}}]`},
		{"a command with lists, empty and not", []Annotation{{Type: TypeCommand, Start: 0, End: 2, Text: "/x", Command: &Command{Name: "x", Description: &full, ArgumentHint: &full, Source: &full, DisplayCategory: &full, Subcommands: []string{}}, SubcommandPath: []string{"a", "b"}}},
			`[{"type":"command","start":0,"end":2,"text":"/x","command":{"name":"x","description":"k","argumentHint":"k","source":"k","displayCategory":"k","subcommands":[]},"subcommandPath":["a","b"]}]`},
		{"no HTML escapes", []Annotation{{Type: TypeReference, End: 1, Text: "<&>'\u2028", Reference: &Reference{ID: "/"}}},
			"[{\"type\":\"reference\",\"start\":0,\"end\":1,\"text\":\"<&>'\u2028\",\"reference\":{\"id\":\"/\"}}]"},
		{"controls, quotes and backslashes", []Annotation{{Type: TypeReference, End: 1, Text: "\"\\\b\f\n\r\t\x01\x1f\x7f", Reference: &Reference{ID: "x"}}},
			`[{"type":"reference","start":0,"end":1,"text":"\"\\\b\f\n\r\t\u0001\u001f` + "\x7f" + `","reference":{"id":"x"}}]`},
		{"NUL and bad bytes become U+FFFD", []Annotation{{Type: TypeReference, End: 1, Text: "a\x00b\xffc", Reference: &Reference{ID: "x"}}},
			"[{\"type\":\"reference\",\"start\":0,\"end\":1,\"text\":\"a\uFFFDb\uFFFDc\",\"reference\":{\"id\":\"x\"}}]"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := Encode(c.annotations)
			if string(got) != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if !json.Valid(got) || !utf8.Valid(got) {
				t.Errorf("not JSON: %q", got)
			}
		})
	}
}

func TestReadStoredForgivesWhatPostgresDoesToJSON(t *testing.T) {
	t.Parallel()
	// jsonb sorts keys by length, puts a blank after colons and commas.
	const stored = `[{"end": 2, "text": "@a", "type": "reference", "start": 0, "reference": {"id": "x", "kind": "file", "label": ""}}]`
	got := ReadStored("@a", []byte(stored))
	wantJSON(t, Encode(got), []byte(stored))
	checkKept(t, "@a", got)
	if got := ReadStored("another text", []byte(stored)); len(got) != 0 {
		t.Errorf("kept %s for another content", Encode(got))
	}
}
