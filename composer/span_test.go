package composer

import (
	"strings"
	"testing"
)

func TestSpans(t *testing.T) {
	t.Parallel()
	ref := func(start, end int, text string) Annotation {
		return Annotation{Type: TypeReference, Start: start, End: end, Text: text, Reference: &Reference{ID: "x"}}
	}
	cmd := func(start, end int, text string) Annotation {
		return Annotation{Type: TypeCommand, Start: start, End: end, Text: text, Command: &Command{Name: "x"}}
	}
	tests := []struct {
		name, content string
		annotations   []Annotation
		want          string // runs joined by |, chips in brackets
	}{
		{"nothing", "", nil, ""},
		{"no annotations", "plain @Makefile", nil, "plain @Makefile"},
		{"an empty list", "plain", []Annotation{}, "plain"},
		{"a chip in the middle", "a @b c", []Annotation{ref(2, 4, "@b")}, "a |[@b]| c"},
		{"a chip at the start", "@b c", []Annotation{ref(0, 2, "@b")}, "[@b]| c"},
		{"a chip at the end", "a @b", []Annotation{ref(2, 4, "@b")}, "a |[@b]"},
		{"a chip alone", "@b", []Annotation{ref(0, 2, "@b")}, "[@b]"},
		{"adjacent chips", "@a@b", []Annotation{ref(0, 2, "@a"), ref(2, 4, "@b")}, "[@a]|[@b]"},
		{"a chip after an astral character", "😀 @b", []Annotation{ref(3, 5, "@b")}, "😀 |[@b]"},
		{"a chip over astral characters", "a😀😀b", []Annotation{ref(1, 5, "😀😀")}, "a|[😀😀]|b"},
		{"a command is not drawn", "/x @b", []Annotation{cmd(0, 2, "/x"), ref(3, 5, "@b")}, "/x |[@b]"},
		{"a command over a chip", "/x @b", []Annotation{cmd(0, 5, "/x @b"), ref(3, 5, "@b")}, "/x |[@b]"},

		{"a command that has a reference too", "abc", []Annotation{{Type: TypeCommand, Start: 0, End: 1, Text: "a", Reference: &Reference{ID: "x"}}}, "abc"},
		{"offsets that do not hold", "a @b", []Annotation{ref(-1, 1, "a"), ref(1, 3, "@b"), ref(2, 4, "@b")}, "a |[@b]"},
		{"an end beyond the content", "a @b", []Annotation{ref(2, 5, "@b")}, "a @b"},
		{"inside a surrogate pair", "😀", []Annotation{ref(1, 2, "\uFFFD")}, "😀"},
		{"over each other", "abc", []Annotation{ref(0, 2, "ab"), ref(1, 3, "bc")}, "[ab]|c"},
		{"out of order", "abc", []Annotation{ref(1, 2, "b"), ref(0, 1, "a")}, "a|[b]|c"},
		{"an empty range", "abc", []Annotation{ref(1, 1, "")}, "abc"},
		{"no reference", "abc", []Annotation{{Type: TypeReference, Start: 0, End: 1, Text: "a"}}, "abc"},
		{"content that is not UTF-8", "\xff@a\xfe", []Annotation{ref(1, 3, "@a")}, "\xff|[@a]|\xfe"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var runs []string
			for _, span := range Spans(c.content, c.annotations) {
				if span.Annotation != nil {
					runs = append(runs, "["+span.Text+"]")
				} else {
					runs = append(runs, span.Text)
				}
			}
			if got := strings.Join(runs, "|"); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			checkSpans(t, c.content, c.annotations)
		})
	}
}

func TestSpansPointsIntoTheListGiven(t *testing.T) {
	t.Parallel()
	got, _ := Sanitize("@a @b", []byte(`[`+reference(0, 2, "@a", "")+`,`+reference(3, 5, "@b", "")+`]`))
	spans := Spans("@a @b", got)
	if len(spans) != 3 || spans[0].Annotation != &got[0] || spans[2].Annotation != &got[1] {
		t.Errorf("runs %+v", spans)
	}
}

func TestUTF16Len(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{
		"": 0, "abc": 3, "é": 1, "中": 1, "\uffff": 1, "\U00010000": 2, "😀a": 3, "\U0010FFFF": 2, "\xff\xfe": 2, "a\xe4\xb8": 3,
	} {
		if got := UTF16Len(s); got != want {
			t.Errorf("%q has %d units, want %d", s, got, want)
		}
	}
}
