package composer

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestBuild(t *testing.T) {
	t.Parallel()
	inline := func(start, end, more string) string {
		return `[{"id":"x","serialized":"@a","start":` + start + `,"end":` + end + more + `}]`
	}
	chip := func(start int, text, more string) string {
		return `[` + reference(start, start+UTF16Len(text), text, more) + `]`
	}
	noForm := Report{Dropped: 1, Shape: 1}
	tests := []struct {
		name, text, tags, content, want string
		report                          Report
	}{
		{"an inline tag", "see @a", inline("4", "6", ""), "see @a", chip(4, "@a", `,"serialized":"@a"`), Report{}},
		{"the same words before it keep their place", "@a @a", inline("3", "5", ""), "@a @a", chip(3, "@a", `,"serialized":"@a"`), Report{}},
		{"a range one off", "see @a", inline("3", "5", ""), "see @a", `[]`, badRange},
		{"a range longer than the form", "see @a.", inline("4", "7", ""), "see @a.", `[]`, badRange},
		{"an end beyond the text", "see @", inline("4", "6", ""), "see @", `[]`, badRange},
		{"an inverted range", "see @a", inline("6", "4", ""), "see @a", `[]`, badRange},
		{"null as start makes it inline", "see @a", `[{"id":"x","serialized":"@a","start":null}]`, "see @a", `[]`, badRange},
		{"only an end makes it inline", "see @a", `[{"id":"x","serialized":"@a","end":6}]`, "see @a", `[]`, badRange},
		{"offsets as strings make it inline", "see @a", inline(`"4"`, `"6"`, ""), "see @a", `[]`, badRange},
		{"offsets as floats make it inline", "see @a", inline(`4.0`, `6`, ""), "see @a", `[]`, badRange},
		{"a start written with an escape is a start", "see @a", `[{"id":"x","serialized":"@a","\u0073tart":4,"end":6}]`, "see @a", chip(4, "@a", `,"serialized":"@a"`), Report{}},
		{"a START is an unknown key", "see", `[{"id":"x","serialized":"@a","START":4,"END":6}]`, "@a\n\nsee", chip(0, "@a", `,"serialized":"@a"`), Report{}},
		{"unknown fields", "", `[{"id":"x","icon":"/i.svg","metadata":{"a":1,"a":2}}]`, "x", chip(0, "x", ""), Report{}},

		{"a prefix tag and no text", "", `[{"id":"x"}]`, "x", chip(0, "x", ""), Report{}},
		{"a prefix tag and white space", " ", `[{"id":"x"}]`, "x\n\n ", chip(0, "x", ""), Report{}},
		{"the form is serialized first", "", `[{"id":"i","label":"l","value":"v","serialized":"s"}]`, "s", `[{"type":"reference","start":0,"end":1,"text":"s","reference":{"id":"i","label":"l","value":"v","serialized":"s"}}]`, Report{}},
		{"then value", "", `[{"id":"i","label":"l","value":"v","serialized":""}]`, "v", `[{"type":"reference","start":0,"end":1,"text":"v","reference":{"id":"i","label":"l","value":"v"}}]`, badField},
		{"then label", "", `[{"id":"i","label":"l","value":5,"serialized":null}]`, "l", `[{"type":"reference","start":0,"end":1,"text":"l","reference":{"id":"i","label":"l"}}]`, Report{Fields: 2}},
		{"then id", "", `[{"id":"i","label":[],"value":"","removable":false}]`, "i", `[{"type":"reference","start":0,"end":1,"text":"i","reference":{"id":"i","value":"","removable":false}}]`, badField},
		{"a blank form is a form", "t", `[{"id":"i","serialized":" "}]`, " \n\nt", `[]`, badText},
		{"a form of several lines stays text", "t", `[{"id":"i","serialized":"a\nb"}]`, "a\nb\n\nt", `[]`, badText},
		{"no id: the form stays", "t", `[{"serialized":"@a"}]`, "@a\n\nt", `[]`, badShape},
		{"an id with NUL: the form stays", "", `[{"id":"\u0000"}]`, "\uFFFD", `[]`, badShape},
		{"an id of 257 units: the form stays", "", `[{"id":"` + strings.Repeat("i", 257) + `"}]`, strings.Repeat("i", 257), `[]`, badShape},
		{"a form of 1,024 units", "", `[{"id":"x","serialized":"` + strings.Repeat("s", 1024) + `"}]`, strings.Repeat("s", 1024), chip(0, strings.Repeat("s", 1024), `,"serialized":"`+strings.Repeat("s", 1024)+`"`), Report{}},
		{"a form of 1,025 units stays text", "", `[{"id":"x","serialized":"` + strings.Repeat("s", 1025) + `"}]`, strings.Repeat("s", 1025), `[]`, badText},
		{"a label too long for a field is a form", "", `[{"id":"x","label":"` + strings.Repeat("l", 257) + `"}]`, strings.Repeat("l", 257), chip(0, strings.Repeat("l", 257), ""), badField},
		{"NUL in a form", "", `[{"id":"x","serialized":"a\u0000"}]`, "a\uFFFD", chip(0, "a\uFFFD", ""), badField},
		{"a lone surrogate in a form", "", `[{"id":"x","serialized":"a\ud800"}]`, "a\uFFFD", chip(0, "a\uFFFD", `,"serialized":"a\ufffd"`), Report{}},
		{"NUL in text and form", "a\x00 b", `[{"id":"x","value":"a\u0000","start":0,"end":2}]`, "a\uFFFD b", chip(0, "a\uFFFD", ""), badField},
		{"a bad kind costs the kind", "", `[{"id":"x","kind":"No Kind"}]`, "x", chip(0, "x", ""), badField},
		{"CRLF of a form is kept", "", `[{"id":"x","serialized":"a\r\nb"}]`, "a\r\nb", `[]`, badText},

		{"null", "t", `[null]`, "t", `[]`, noForm},
		{"a string", "t", `["x"]`, "t", `[]`, noForm},
		{"a list", "t", `[["x"]]`, "t", `[]`, noForm},
		{"no form", "t", `[{"kind":"file"}]`, "t", `[]`, noForm},
		{"empty forms", "t", `[{"id":"","label":"","value":"","serialized":""}]`, "t", `[]`, noForm},
		{"a key twice", "t", `[{"id":"x","id":"x"}]`, "t", `[]`, noForm},
		{"an unknown key twice", "t", `[{"id":"x","icon":1,"icon":1}]`, "t", `[]`, noForm},
		{"a key twice, once in escapes", "t", `[{"id":"x","\u0069d":"x"}]`, "t", `[]`, noForm},
		{"an ignored entry between two", "t", `[{"id":"a"},5,{"id":"b"}]`, "a\nb\n\nt", `[` + `{"type":"reference","start":0,"end":1,"text":"a","reference":{"id":"a"}},{"type":"reference","start":2,"end":3,"text":"b","reference":{"id":"b"}}` + `]`, noForm},
		{"an empty list", "t", `[]`, "t", `[]`, Report{}},

		{"inline tags over each other", "abc", `[{"id":"bc","start":1,"end":3},{"id":"ab","start":0,"end":2}]`, "abc", `[{"type":"reference","start":0,"end":2,"text":"ab","reference":{"id":"ab"}}]`, overlapping},
		{"inline tags out of order after astral prefixes", "@b @a", `[{"id":"@a","start":3,"end":5},{"id":"😀"},{"id":"@b","start":0,"end":2},{"id":"é"}]`, "😀\né\n\n@b @a",
			`[{"type":"reference","start":0,"end":2,"text":"😀","reference":{"id":"😀"}},{"type":"reference","start":3,"end":4,"text":"é","reference":{"id":"é"}},{"type":"reference","start":6,"end":8,"text":"@b","reference":{"id":"@b"}},{"type":"reference","start":9,"end":11,"text":"@a","reference":{"id":"@a"}}]`, Report{}},
		{"text is never trimmed, folded or normalised", " İe\u0301ﬁ\r\n\t ", `[]`, " İe\u0301ﬁ\r\n\t ", `[]`, Report{}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m, report, err := Build(c.text, []byte(c.tags))
			if err != nil {
				t.Fatal(err)
			}
			if m.Content != c.content {
				t.Errorf("content %q, want %q", m.Content, c.content)
			}
			wantJSON(t, Encode(m.Annotations), []byte(c.want))
			if report != c.report {
				t.Errorf("report %+v, want %+v", report, c.report)
			}
			checkKept(t, m.Content, m.Annotations)
		})
	}
}

func TestBuildErrors(t *testing.T) {
	t.Parallel()
	atLimit := []byte(`[{"id":"x","pad":"` + strings.Repeat("p", MaxList-21) + `"}]`)
	if m, _, err := Build("", atLimit); len(atLimit) != MaxList || err != nil || m.Content != "x" {
		t.Errorf("%d bytes of tags: %v", len(atLimit), err)
	}
	for _, c := range []struct {
		name, text string
		tags       []byte
		want       error
	}{
		{"tags over 256 KiB", "t", append(atLimit, ' '), ErrTagsTooLarge},
		{"tags over 256 KiB that are not JSON", "t", []byte(strings.Repeat("x", MaxList+1)), ErrTagsTooLarge},
		{"tags that are not JSON", "t", []byte("x"), ErrTagsInvalid},
		{"tags that are no list", "t", []byte(`{"id":"x"}`), ErrTagsInvalid},
		{"text that is not UTF-8", "a\xff", nil, ErrNotUTF8},
		{"text that is not UTF-8, and tags", "a\xff", []byte(`[]`), ErrNotUTF8},
		{"a surrogate in bytes", "\xed\xa0\xbd", []byte(`[]`), ErrNotUTF8},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m, _, err := Build(c.text, c.tags)
			if !errors.Is(err, c.want) || m.Content != "" || m.Annotations != nil {
				t.Errorf("got %v and %+v, want %v", err, m, c.want)
			}
		})
	}
}

func TestContentIsTheSameWithAndWithoutUsableTags(t *testing.T) {
	t.Parallel()
	const text = "  compare @Makefile with\r\n@src/Makefile 😀\t"
	for i, tags := range []string{
		``, `[]`, `[null]`, `[{"id":"x","serialized":"@Makefile","start":10,"end":19}]`,
		`[{"id":"x","serialized":"@Makefile","start":9,"end":19}]`, `[{"id":"x","start":1e9,"end":-1}]`,
	} {
		if m, _, err := Build(text, []byte(tags)); err != nil || m.Content != text {
			t.Error(fmt.Sprint(i), m.Content, err)
		}
	}
}
