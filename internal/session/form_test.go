package session

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestReadForm(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("行", maxFormName)
	for name, c := range map[string]struct {
		form string
		want Form
	}{
		"instructions": {
			`{"kind":"instructions","files":[{"path":"AGENTS.md","change":"added"},{"path":"b","change":"updated"},{"path":"c","change":"removed"}]}`,
			&InstructionsForm{[]FileChange{{"AGENTS.md", FileAdded}, {"b", FileUpdated}, {"c", FileRemoved}}},
		},
		"catalog": {
			`{"kind":"catalog","items":[{"name":"review","description":"Read\nthe tests"},{"name":"bare"},{"name":"empty","description":""}]}`,
			&CatalogForm{[]CatalogItem{{"review", "Read\nthe tests"}, {"bare", ""}, {"empty", ""}}},
		},
		"snapshot": {
			`{"kind":"snapshot","sections":[{"name":"time","text":"nine\n"},{"name":"time","text":""}]}`,
			&SnapshotForm{[]SnapshotSection{{"time", "nine\n"}, {"time", ""}}},
		},
		"notice":                   {`{"kind":"notice","summary":"A job ended"}`, &NoticeForm{"A job ended"}},
		"relay":                    {`{"kind":"relay","session":" Plan "}`, &RelayForm{" Plan "}},
		"recall":                   {`{"kind":"recall","kept":12,"omitted":3,"truncated":true}`, &RecallForm{12, 3, true}},
		"recall, not cut":          {`{"kind":"recall","kept":0,"omitted":0}`, &RecallForm{}},
		"a member of a newer time": {`{"kind":"relay","session":"x","since":1}`, &RelayForm{"x"}},
		"the longest name":         {`{"kind":"relay","session":"` + longest + `"}`, &RelayForm{longest}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := ReadForm(json.RawMessage(c.form)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %#v, want %#v", got, c.want)
			}
		})
	}
}

// plainForms are forms that cannot be read: each shows its message as plain text.
var plainForms = map[string]string{
	"nothing":               ``,
	"null":                  `null`,
	"a string":              `"notice"`,
	"a list":                `[{"kind":"notice","summary":"x"}]`,
	"broken":                `{"kind":"notice","summary":"x"`,
	"no kind":               `{"summary":"x"}`,
	"kind of another type":  `{"kind":5,"summary":"x"}`,
	"kind in another case":  `{"kind":"Notice","summary":"x"}`,
	"a kind of a newer day": `{"kind":"map","summary":"x"}`,

	"no files":                      `{"kind":"instructions"}`,
	"files empty":                   `{"kind":"instructions","files":[]}`,
	"files of another type":         `{"kind":"instructions","files":{"path":"a","change":"added"}}`,
	"a file that is no object":      `{"kind":"instructions","files":["a"]}`,
	"a file without a path":         `{"kind":"instructions","files":[{"change":"added"}]}`,
	"a file without a change":       `{"kind":"instructions","files":[{"path":"a"}]}`,
	"an unknown change":             `{"kind":"instructions","files":[{"path":"a","change":"renamed"}]}`,
	"one file of two":               `{"kind":"instructions","files":[{"path":"a","change":"added"},{"path":"","change":"added"}]}`,
	"no items":                      `{"kind":"catalog","items":null}`,
	"items empty":                   `{"kind":"catalog","items":[]}`,
	"an item without a name":        `{"kind":"catalog","items":[{"name":"a"},{"description":"b"}]}`,
	"a description of another type": `{"kind":"catalog","items":[{"name":"a","description":5}]}`,
	"a description of null":         `{"kind":"catalog","items":[{"name":"a","description":null}]}`,
	"no sections":                   `{"kind":"snapshot"}`,
	"a section without a name":      `{"kind":"snapshot","sections":[{"text":"a"}]}`,
	"a section without a text":      `{"kind":"snapshot","sections":[{"name":"a"}]}`,
	"a section's text of null":      `{"kind":"snapshot","sections":[{"name":"a","text":null}]}`,
	"no summary":                    `{"kind":"notice"}`,
	"a blank summary":               `{"kind":"notice","summary":" \t"}`,
	"a summary of two lines":        `{"kind":"notice","summary":"a\nb"}`,
	"a summary with a CR":           `{"kind":"notice","summary":"a\rb"}`,
	"a summary in another case":     `{"kind":"notice","Summary":"a"}`,
	"no session":                    `{"kind":"relay","from":"a"}`,
	"a session of another type":     `{"kind":"relay","session":{"label":"a"}}`,
	"a name too long":               `{"kind":"relay","session":"` + strings.Repeat("x", maxFormName+1) + `"}`,
	"no counts":                     `{"kind":"recall"}`,
	"one count":                     `{"kind":"recall","kept":1}`,
	"a count below none":            `{"kind":"recall","kept":-1,"omitted":0}`,
	"a count with a part":           `{"kind":"recall","kept":1.5,"omitted":0}`,
	"a count in words":              `{"kind":"recall","kept":"1","omitted":0}`,
	"a count of null":               `{"kind":"recall","kept":1,"omitted":null}`,
	"a count beyond counting":       `{"kind":"recall","kept":1,"omitted":99999999999999999999}`,
	"a flag in words":               `{"kind":"recall","kept":1,"omitted":0,"truncated":"yes"}`,
	"a flag of null":                `{"kind":"recall","kept":1,"omitted":0,"truncated":null}`,
}

func TestFormThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for name, form := range plainForms {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := ReadForm(json.RawMessage(form)); got != nil {
				t.Errorf("read as %#v", got)
			}
		})
	}
}

// TestFormInTheFold: a form is read the same in a context message and in a
// foreign message; one that cannot be read is kept for the row to show.
func TestFormInTheFold(t *testing.T) {
	t.Parallel()
	source := json.RawMessage(`{"kind":"plugin","plugin":"clock"}`)
	for form, read := range map[string]bool{`{"kind":"notice","summary":"x"}`: true, `{"kind":"notice"}`: false} {
		for _, kind := range []Kind{KindContextMessage, KindUserMessage} {
			e := Event{Source: source, Content: "all of it", Payload: DecodePayload(kind, json.RawMessage(`{"form":`+form+`}`))}
			n := row[*ContextNode](t, Fold("", numbered(e)), 0)
			if n.Content != "all of it" || n.Provenance.Label != "clock" {
				t.Errorf("%s: row is %+v", kind, n)
			}
			if (n.Form != nil) != read || (string(n.Unread) == form) == read {
				t.Errorf("%s %s: read as %#v, unread %q", kind, form, n.Form, n.Unread)
			}
		}
	}
}

func FuzzReadForm(f *testing.F) {
	for _, form := range plainForms {
		f.Add([]byte(form))
	}
	f.Add([]byte(`{"kind":"snapshot","sections":[{"name":"time","text":"nine"}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if first, again := ReadForm(raw), ReadForm(raw); !reflect.DeepEqual(first, again) {
			t.Errorf("read as %#v, then as %#v", first, again)
		}
	})
}
