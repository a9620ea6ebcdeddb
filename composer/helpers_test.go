package composer

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// reference writes an entry over text, with more members inside the reference.
func reference(start, end int, text, more string) string {
	return fmt.Sprintf(`{"type":"reference","start":%d,"end":%d,"text":%s,"reference":{"id":"x"%s}}`, start, end, quoted(text), more)
}

// command writes an entry over text, with more members inside the command.
func command(start, end int, text, more string) string {
	return fmt.Sprintf(`{"type":"command","start":%d,"end":%d,"text":%s,"command":{"name":"x"%s}}`, start, end, quoted(text), more)
}

// quoted writes s as JSON; strings cannot fail to marshal.
func quoted(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}

// over writes an entry for "@a", the content of most tables, from its members.
func over(members string) string {
	return `[{"type":"reference",` + members + `,"reference":{"id":"x"}}]`
}

// texts joins the covered texts of annotations, so that a table can name them.
func texts(annotations []Annotation) string {
	var all []string
	for _, a := range annotations {
		all = append(all, a.Text)
	}
	return strings.Join(all, "|")
}

func nested(depth int) string {
	return strings.Repeat("[", depth) + strings.Repeat("]", depth)
}

// sanitizeCase is a row of the tables about entries and fields.
type sanitizeCase struct {
	name, content, raw, want string // want is the JSON to store
	report                   Report
}

func runSanitize(t *testing.T, cases []sanitizeCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, report := Sanitize(c.content, []byte(c.raw))
			wantJSON(t, Encode(got), []byte(c.want))
			if report != c.report {
				t.Errorf("report %+v, want %+v", report, c.report)
			}
			checkKept(t, c.content, got)
		})
	}
}

var (
	badShape    = Report{Dropped: 1, Shape: 1}
	badRange    = Report{Dropped: 1, Range: 1}
	badText     = Report{Dropped: 1, Text: 1}
	overlapping = Report{Dropped: 1, Overlap: 1}
	badField    = Report{Fields: 1}
	ignoredList = Report{Lists: 1}
)
