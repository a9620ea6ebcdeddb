package composer

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func mustMarshal(t testing.TB, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// checkSpans holds the runs of a message to their promises.
func checkSpans(t testing.TB, content string, annotations []Annotation) {
	t.Helper()
	var joined strings.Builder
	chips := 0
	for _, span := range Spans(content, annotations) {
		joined.WriteString(span.Text)
		if span.Text == "" {
			t.Error("an empty run")
		}
		if a := span.Annotation; a != nil {
			chips++
			if a.Type != TypeReference || a.Text != span.Text {
				t.Errorf("a run of %q is a chip of %s over %q", span.Text, a.Type, a.Text)
			}
			ChipOf(*a)
		}
	}
	if joined.String() != content {
		t.Errorf("runs join to %q, want %q", joined.String(), content)
	}
	if chips > len(annotations) {
		t.Errorf("%d chips of %d annotations", chips, len(annotations))
	}
}

// checkKept holds sanitized annotations to what is promised of them.
func checkKept(t testing.TB, content string, got []Annotation) {
	t.Helper()
	checkAnnotations(t, content, got)
	checkSpans(t, content, got)
	stored := Encode(got)
	if back := ReadStored(content, stored); !reflect.DeepEqual(back, got) {
		t.Errorf("stored %s\nread back %s", stored, Encode(back))
	}
	if len(stored) <= MaxList {
		if again, report := Sanitize(content, stored); !reflect.DeepEqual(again, got) || report != (Report{}) {
			t.Errorf("sanitized again: %s, %+v\nwant %s", Encode(again), report, stored)
		}
	}
	references := 0
	for _, a := range got {
		if a.Type == TypeReference {
			references++
		}
	}
	for _, span := range Spans(content, got) {
		if span.Annotation != nil {
			references--
		}
	}
	if references != 0 {
		t.Errorf("%d references without a chip", references)
	}
}

func FuzzSanitize(f *testing.F) {
	for _, c := range readVectors(f).Sanitize {
		f.Add(c.Content, []byte(c.Raw))
	}
	w := writer{Rand: rand.New(rand.NewPCG(7, 8))}
	for range 100 {
		content := w.content()
		w.units = utf16.Encode([]rune(content))
		f.Add(content, w.list(w.entry))
	}
	f.Fuzz(func(t *testing.T, content string, raw []byte) {
		before := bytes.Clone(raw)
		if _, err := Canonical(content); err != nil {
			Sanitize(content, raw) // must not panic
			return
		}
		content = strings.ReplaceAll(content, "\x00", "\uFFFD")
		got, report := Sanitize(content, raw)
		if !bytes.Equal(before, raw) {
			t.Error("the input was written to")
		}
		checkKept(t, content, got)
		wantJSON(t, Encode(got), mustMarshal(t, oracleSanitize(content, raw)))
		if report.Dropped != report.Shape+report.Range+report.Text+report.Overlap+report.Excess {
			t.Errorf("reasons do not add up: %+v", report)
		}
		items, usable := oracleList(raw)
		if usable = usable && len(raw) <= MaxList; usable && len(items) != len(got)+report.Dropped {
			t.Errorf("%d entries, %d kept, %+v", len(items), len(got), report)
		}
		if ignored := report.Lists == 1; ignored == (usable || len(raw) == 0) {
			t.Errorf("list usable: %v, report %+v", usable, report)
		}
	})
}

func FuzzBuild(f *testing.F) {
	for _, c := range readVectors(f).Build {
		f.Add(c.Text, []byte(c.Tags))
	}
	w := writer{Rand: rand.New(rand.NewPCG(9, 10))}
	for range 100 {
		text := w.content()
		w.units = utf16.Encode([]rune(text))
		f.Add(text, w.list(w.tagEntry))
	}
	f.Fuzz(func(t *testing.T, text string, tags []byte) {
		m, _, err := Build(text, tags)
		if !utf8.ValidString(text) {
			if !errors.Is(err, ErrNotUTF8) {
				t.Errorf("text that is not UTF-8: %v", err)
			}
			return
		}
		content, annotations, ok := oracleBuild(text, tags)
		if err != nil {
			if ok || errors.Is(err, ErrTagsTooLarge) != (len(tags) > MaxList) || errors.Is(err, ErrTagsTooLarge) == errors.Is(err, ErrTagsInvalid) {
				t.Errorf("refused with %v, usable: %v", err, ok)
			}
			return
		}
		if !ok || m.Content != content {
			t.Fatalf("usable: %v, content %q, want %q", ok, m.Content, content)
		}
		wantJSON(t, Encode(m.Annotations), mustMarshal(t, annotations))
		checkKept(t, m.Content, m.Annotations)
		canonical, err := Canonical(text)
		if err != nil || !strings.HasSuffix(m.Content, canonical) {
			t.Errorf("the text %q is not at the end of %q", canonical, m.Content)
		}
	})
}

// FuzzSpans gives Spans annotations that no sanitizer has seen: whatever they
// claim, no character may be lost or doubled.
func FuzzSpans(f *testing.F) {
	f.Add("see @a and 😀@b", 4, 6, "@a", 13, 15, "@b", TypeReference)
	f.Add("😀", 1, 2, "\uFFFD", 0, 2, "😀", TypeReference)
	f.Add("abc", -5, 2, "ab", 1, 1<<62, "bc", TypeCommand)
	f.Add("\xff\xfea", 0, 1, "\xff", 1, 3, "\xfea", TypeReference)
	f.Fuzz(func(t *testing.T, content string, start, end int, text string, start2, end2 int, text2, kind string) {
		annotations := []Annotation{
			{Type: TypeReference, Start: start, End: end, Text: text, Reference: &Reference{ID: "1", Label: &text2}},
			{Type: kind, Start: start2, End: end2, Text: text2, Reference: &Reference{ID: "2", Value: &text}},
			{Type: TypeReference, Start: start2, End: end2, Text: text2},
		}
		if units := utf16.Encode([]rune(content)); 0 <= start && start < end && end <= len(units) {
			covered := string(utf16.Decode(units[start:end]))
			annotations = append(annotations, Annotation{
				Type: TypeReference, Start: start, End: end, Text: covered, Reference: &Reference{ID: "3"},
			})
		}
		checkSpans(t, content, annotations)
		annotations[0], annotations[1] = annotations[1], annotations[0]
		checkSpans(t, content, annotations)
	})
}
