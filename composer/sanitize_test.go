package composer

import (
	"strings"
	"testing"
)

func TestSanitizeEntries(t *testing.T) {
	t.Parallel()
	const kept = `[{"type":"reference","start":0,"end":2,"text":"@a","reference":{"id":"x"}}]`
	at := `"start":0,"end":2,"text":"@a"`
	runSanitize(t, []sanitizeCase{
		{"null", "@a", `[null]`, `[]`, badShape},
		{"a number", "@a", `[1]`, `[]`, badShape},
		{"a string", "@a", `["x"]`, `[]`, badShape},
		{"a list", "@a", `[[]]`, `[]`, badShape},
		{"true", "@a", `[true]`, `[]`, badShape},
		{"an empty object", "@a", `[{}]`, `[]`, badShape},
		{"one fault costs no neighbour", "@a", `[null,` + kept[1:len(kept)-1] + `,5]`, kept, Report{Dropped: 2, Shape: 2}},

		{"a known key twice", "@a", over(at + `,"start":0`), `[]`, badShape},
		{"an unknown key twice", "@a", over(at + `,"icon":1,"icon":1`), `[]`, badShape},
		{"a key twice, once in escapes", "@a", over(at + `,"\u0065nd":2`), `[]`, badShape},
		{"an unknown key twice, once in escapes", "@a", over(at + `,"icon":1,"ic\u006fn":1`), `[]`, badShape},
		{"two lone surrogates as keys decode alike", "@a", over(at + `,"\ud800":1,"\udfff":1`), `[]`, badShape},
		{"NUL and U+FFFD are two keys", "@a", over(at + `,"\u0000":1,"\ufffd":1`), kept, Report{}},
		{"keys that differ by case", "@a", over(at + `,"Start":1,"START":1,"TEXT":""`), kept, Report{}},
		{"the empty key twice", "@a", over(at + `,"":1,"":1`), `[]`, badShape},
		{"a key twice in the reference", "@a", `[{"type":"reference",` + at + `,"reference":{"id":"x","kind":"a","kind":"a"}}]`, `[]`, badShape},
		{"an unknown key twice in the reference", "@a", `[` + reference(0, 2, "@a", `,"z":1,"z":1`) + `]`, `[]`, badShape},
		{"a key twice in the reference, once in escapes", "@a", `[` + reference(0, 2, "@a", `,"\u0069d":"x"`) + `]`, `[]`, badShape},
		{"a key twice in the command", "@a", `[` + command(0, 2, "@a", `,"source":"","source":""`) + `]`, `[]`, badShape},
		{"a key twice in a command beside the reference", "@a", over(at + `,"command":{"z":1,"z":1}`), `[]`, badShape},
		{"a key twice further inside", "@a", over(at + `,"metadata":{"a":1,"a":2}`), kept, Report{}},
		{"a key twice further inside the reference", "@a", `[` + reference(0, 2, "@a", `,"metadata":{"id":1,"id":2}`) + `]`, kept, Report{}},
		{"two entries with the same keys", "@a", `[` + reference(0, 2, "@a", "") + `,` + reference(0, 2, "@a", "") + `]`, kept, overlapping},
		{"keys in the wrong case", "@a", `[{"Type":"reference",` + at + `,"reference":{"id":"x"}}]`, `[]`, badShape},
		{"an id in the wrong case", "@a", `[{"type":"reference",` + at + `,"reference":{"ID":"x"}}]`, `[]`, badShape},
		{"keys in escapes", "@a", `[{"\u0074ype":"\u0072eference",` + at + `,"reference":{"\u0069d":"x"}}]`, kept, Report{}},
		{"unknown keys", "@a", over(at + `,"icon":"/i.svg","href":"javascript:1","onclick":"x","hx-get":"/","metadata":{},"__proto__":{"type":"command"}`), kept, Report{}},

		{"no type", "@a", `[{` + at + `,"reference":{"id":"x"}}]`, `[]`, badShape},
		{"an empty type", "@a", `[{"type":"",` + at + `,"reference":{"id":"x"}}]`, `[]`, badShape},
		{"a type that is no string", "@a", `[{"type":["reference"],` + at + `,"reference":{"id":"x"}}]`, `[]`, badShape},
		{"an unknown type", "@a", `[{"type":"mention",` + at + `,"reference":{"id":"x"}}]`, `[]`, badShape},
		{"a type in capitals", "@a", `[{"type":"Reference",` + at + `,"reference":{"id":"x"}}]`, `[]`, badShape},
		{"no text", "@a", over(`"start":0,"end":2`), `[]`, badShape},
		{"an empty text", "@a", over(`"start":0,"end":2,"text":""`), `[]`, badShape},
		{"a text that is no string", "@a", over(`"start":0,"end":2,"text":["@a"]`), `[]`, badShape},
		{"no reference", "@a", `[{"type":"reference",` + at + `}]`, `[]`, badShape},
		{"a reference that is no object", "@a", `[{"type":"reference",` + at + `,"reference":"x"}]`, `[]`, badShape},
		{"a reference that is null", "@a", `[{"type":"reference",` + at + `,"reference":null}]`, `[]`, badShape},
		{"a reference with only a command", "@a", `[{"type":"reference",` + at + `,"command":{"name":"x"}}]`, `[]`, badShape},
		{"no id", "@a", `[{"type":"reference",` + at + `,"reference":{"label":"x"}}]`, `[]`, badShape},
		{"an empty id", "@a", `[{"type":"reference",` + at + `,"reference":{"id":""}}]`, `[]`, badShape},
		{"an id that is no string", "@a", `[{"type":"reference",` + at + `,"reference":{"id":5}}]`, `[]`, badShape},
		{"an id that is null", "@a", `[{"type":"reference",` + at + `,"reference":{"id":null}}]`, `[]`, badShape},
		{"an id with NUL", "@a", `[{"type":"reference",` + at + `,"reference":{"id":"a\u0000"}}]`, `[]`, badShape},
		{"no name", "@a", `[{"type":"command",` + at + `,"command":{}}]`, `[]`, badShape},
		{"an empty name", "@a", `[{"type":"command",` + at + `,"command":{"name":""}}]`, `[]`, badShape},
		{"a name that is no string", "@a", `[{"type":"command",` + at + `,"command":{"name":{}}}]`, `[]`, badShape},
		{"a name with NUL", "@a", `[{"type":"command",` + at + `,"command":{"name":"\u0000"}}]`, `[]`, badShape},
		{"a command with only a reference", "@a", `[{"type":"command",` + at + `,"reference":{"id":"x"}}]`, `[]`, badShape},
	})
}

func TestSanitizeTellsManyKeysApart(t *testing.T) {
	t.Parallel()
	keys := func(n int) string {
		var out strings.Builder
		for i := range n {
			out.WriteString(`,"k` + strings.Repeat("x", i) + `":1`)
		}
		return out.String()
	}
	for _, n := range []int{7, 8, 9, 12, 13, 100, 300} {
		if got, report := Sanitize("@a", []byte(over(`"start":0,"end":2,"text":"@a"`+keys(n)))); len(got) != 1 {
			t.Errorf("%d keys of their own: %+v", n, report)
		}
		for _, again := range []string{"type", "k", "k" + strings.Repeat("x", n-1)} {
			raw := over(`"start":0,"end":2,"text":"@a"` + keys(n) + `,"` + again + `":1`)
			if got, report := Sanitize("@a", []byte(raw)); len(got) != 0 || report != badShape {
				t.Errorf("%q twice among %d keys: kept %d, %+v", again, n, len(got), report)
			}
		}
	}
}

func TestSanitizeOrder(t *testing.T) {
	t.Parallel()
	list := func(entries ...string) []byte { return []byte("[" + strings.Join(entries, ",") + "]") }
	tests := []struct {
		name, want string
		raw        []byte
		overlaps   int
	}{
		{"sorted by start", "ab|cd|ef", list(reference(4, 6, "ef", ""), reference(0, 2, "ab", ""), reference(2, 4, "cd", "")), 0},
		{"nested inside an earlier one", "abcdef", list(reference(2, 4, "cd", ""), reference(0, 6, "abcdef", "")), 1},
		{"twice the same", "ab", list(reference(0, 2, "ab", ""), reference(0, 2, "ab", "")), 1},
		{"same start: the first in the list", "abc", list(reference(0, 3, "abc", ""), reference(0, 2, "ab", "")), 1},
		{"a dropped one frees its place for the next", "abc|d", list(reference(2, 4, "cd", ""), reference(0, 3, "abc", ""), reference(3, 4, "d", "")), 1},
		{"one that does not hold takes no place", "bc", list(reference(0, 3, "XXX", ""), reference(1, 3, "bc", "")), 0},
		{"adjacent", "abc|def", list(reference(3, 6, "def", ""), reference(0, 3, "abc", "")), 0},
		{"a command over a reference", "abcdef|cd", list(reference(2, 4, "cd", ""), command(0, 6, "abcdef", "")), 0},
		{"a command and a reference over the same", "ab|ab", list(reference(0, 2, "ab", ""), command(0, 2, "ab", "")), 0},
		{"two commands over each other", "abc|bc", list(command(0, 3, "abc", ""), command(1, 3, "bc", ""), reference(1, 3, "bc", "")), 1},
		{"types take turns", "ab|ab|cd|cd", list(command(2, 4, "cd", ""), reference(2, 4, "cd", ""), command(0, 2, "ab", ""), reference(0, 2, "ab", "")), 0},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, report := Sanitize("abcdef", c.raw)
			if texts(got) != c.want || report.Overlap != c.overlaps {
				t.Errorf("kept %s with %+v, want %s with %d overlaps", texts(got), report, c.want, c.overlaps)
			}
			checkKept(t, "abcdef", got)
		})
	}
}
