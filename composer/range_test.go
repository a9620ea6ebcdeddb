package composer

import (
	"fmt"
	"strings"
	"testing"
)

// What goes wrong with ranges in systems that count, trim or repair differently.

func TestRangesCountUTF16UnitsAfterEmoji(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"😀", "👩\u200d👩\u200d👧", "𝒳𝒴", "🇩🇪", "中é\u0301", "😀\n😀 "} {
		start := UTF16Len(before)
		content := before + "@a!"
		got, _ := Sanitize(content, []byte(`[`+reference(start, start+2, "@a", "")+`]`))
		if texts(got) != "@a" {
			t.Errorf("after %q: kept %q", before, texts(got))
		}
		if spans := Spans(content, got); len(spans) != 3 || spans[0].Text != before || spans[2].Text != "!" {
			t.Errorf("after %q: runs %+v", before, spans)
		}
		m, _, err := Build(content, fmt.Appendf(nil, `[{"id":"@a","start":%d,"end":%d}]`, start, start+2))
		if err != nil || len(m.Annotations) != 1 || m.Annotations[0].Start != start {
			t.Errorf("after %q: built %+v, %v", before, m.Annotations, err)
		}
	}
}

func TestRangeInsideASurrogatePairCostsThatRangeOnly(t *testing.T) {
	t.Parallel()
	const content = "😀@a 😀"
	got, report := Sanitize(content, []byte(`[`+reference(1, 4, "\uFFFD@a", "")+`,`+reference(2, 4, "@a", "")+`,`+reference(5, 6, "\uFFFD", "")+`]`))
	if texts(got) != "@a" || report != (Report{Dropped: 2, Range: 2}) {
		t.Errorf("kept %q, %+v", texts(got), report)
	}
	m, _, err := Build(content, []byte(`[{"id":"a","serialized":"\ude00@a","start":1,"end":4},{"id":"b","serialized":"@a","start":2,"end":4}]`))
	if err != nil || m.Content != content || texts(m.Annotations) != "@a" {
		t.Errorf("built %q with %q, %v", m.Content, texts(m.Annotations), err)
	}
}

func TestLeadingWhiteSpaceMovesNoRange(t *testing.T) {
	t.Parallel()
	for _, before := range []string{" ", "\n\n", "\t\u3000", "\ufeff", "\r\n"} {
		start := UTF16Len(before)
		m, report, err := Build(before+"@a \n", fmt.Appendf(nil, `[{"id":"@a","start":%d,"end":%d}]`, start, start+2))
		if err != nil || m.Content != before+"@a \n" || texts(m.Annotations) != "@a" || report != (Report{}) {
			t.Errorf("%q: %+v, %+v, %v", before, m, report, err)
		}
	}
}

func TestRangesOverLFHoldInAFormBodyOfCRLF(t *testing.T) {
	t.Parallel()
	const text = "one\ntwo\nsee @a\n"
	start := strings.Index(text, "@a") // ASCII: a byte is a unit
	tags := fmt.Appendf(nil, `[{"id":"@a","start":%d,"end":%d}]`, start, start+2)
	sent, err := CanonicalForm(strings.ReplaceAll(text, "\n", "\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := Build(sent, tags)
	if err != nil || m.Content != text || texts(m.Annotations) != "@a" {
		t.Errorf("form: %q with %q, %v", m.Content, texts(m.Annotations), err)
	}
	// JSON says what it means: CRLF stays, and is in the range already.
	crlf := "one\r\n@a"
	m, _, err = Build(crlf, []byte(`[{"id":"@a","start":5,"end":7}]`))
	if err != nil || m.Content != crlf || texts(m.Annotations) != "@a" {
		t.Errorf("JSON: %q with %q, %v", m.Content, texts(m.Annotations), err)
	}
}

func TestInvertedRangeCostsThatRangeOnly(t *testing.T) {
	t.Parallel()
	const content = "@a @b @c"
	raw := `[` + reference(0, 2, "@a", "") + `,` + reference(5, 3, "@b", "") + `,` + reference(6, 8, "@c", "") + `]`
	got, report := Sanitize(content, []byte(raw))
	if texts(got) != "@a|@c" || report != badRange {
		t.Errorf("kept %q, %+v", texts(got), report)
	}
	checkSpans(t, content, got)
	// The same bytes from a store that nobody checked show the same message.
	checkSpans(t, content, ReadStored(content, []byte(raw)))
}

func TestLettersWhoseCaseOrFormHasAnotherLengthMoveNoRange(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"İ", "ẞß", "ﬁ", "㎏", "e\u0301", "각", "ǰ", "K"} {
		start := UTF16Len(before)
		raw := []byte(`[` + reference(start, start+2, "@a", "") + `]`)
		m, _, err := Build(before+"@a", fmt.Appendf(nil, `[{"id":"@a","start":%d,"end":%d}]`, start, start+2))
		if err != nil || m.Content != before+"@a" || texts(m.Annotations) != "@a" {
			t.Errorf("%q: built %+v, %v", before, m, err)
		}
		if got, _ := Sanitize(before+"@a", raw); texts(got) != "@a" {
			t.Errorf("%q: kept %q", before, texts(got))
		}
	}
}

func TestCommandsAndReferencesCountFromTheSameStart(t *testing.T) {
	t.Parallel()
	const content = "/explain @a"
	got, _ := Sanitize(content, []byte(`[`+reference(9, 11, "@a", "")+`,`+command(0, 8, "/explain", "")+`]`))
	if texts(got) != "/explain|@a" {
		t.Errorf("kept %q", texts(got))
	}
	spans := Spans(content, got)
	if len(spans) != 2 || spans[0].Annotation != nil || spans[0].Text != "/explain " || spans[1].Text != "@a" {
		t.Errorf("runs %+v", spans)
	}
}

func TestNULBecomesOneUnitEverywhere(t *testing.T) {
	t.Parallel()
	m, _, err := Build("a\x00@b\x00", []byte(`[{"id":"n","serialized":"@b\u0000","label":"\u0000","start":2,"end":5}]`))
	if err != nil || m.Content != "a\uFFFD@b\uFFFD" || texts(m.Annotations) != "@b\uFFFD" {
		t.Errorf("built %+v, %v", m, err)
	}
	stored := m.Content + string(Encode(m.Annotations))
	if strings.Contains(stored, "\x00") || strings.Contains(stored, `\u0000`) {
		t.Errorf("NUL is left in %q", stored)
	}
}

func TestNoFaultOfOneAnnotationHidesTheMessage(t *testing.T) {
	t.Parallel()
	const content = "first line\nsecond @a"
	for name, raw := range map[string]string{
		"a label that is a number":     `[` + reference(18, 20, "@a", `,"label":5`) + `]`,
		"NaN":                          `[{"type":"reference","start":NaN,"end":20,"text":"@a","reference":{"id":"x"}}]`,
		"one over the whole message":   `[` + reference(0, 20, content, `,"label":"ok"`) + `]`,
		"unsorted":                     `[` + reference(18, 20, "@a", "") + `,` + reference(0, 5, "first", "") + `]`,
		"an infinite end":              `[{"type":"reference","start":0,"end":1e999,"text":"first","reference":{"id":"x"}}]`,
		"300 of them":                  `[` + strings.Repeat(reference(18, 20, "@a", "")+",", 299) + reference(0, 5, "first", "") + `]`,
		"a list that is not JSON":      `[` + reference(18, 20, "@a", ""),
		"metadata of another message":  `[` + reference(0, 9, "@Makefile", "") + `]`,
		"a chip over two lines' break": `[` + reference(10, 11, "\n", "") + `]`,
	} {
		got, _ := Sanitize(content, []byte(raw))
		checkKept(t, content, got)
		for _, span := range Spans(content, got) {
			if span.Annotation != nil && strings.Contains(span.Text, "\n") {
				t.Errorf("%s: a chip hides %q", name, span.Text)
			}
		}
	}
}
