package composer

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func marked(content string, chips ...string) Message {
	m := Message{Content: content}
	for _, chip := range chips {
		before, _, _ := strings.Cut(content, chip)
		start := UTF16Len(before)
		m.Annotations = append(m.Annotations, Annotation{
			Type: TypeReference, Start: start, End: start + UTF16Len(chip), Text: chip, Reference: &Reference{ID: chip},
		})
	}
	return m
}

func TestRetextKeepsWhatTheChangeLeftAlone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before Message
		after  string
		want   []string
	}{
		"nothing changed":       {marked("see @a and @b", "@a", "@b"), "see @a and @b", []string{"@a", "@b"}},
		"before":                {marked("see @a and @b", "@a", "@b"), "please see 😀 @a and @b", []string{"@a", "@b"}},
		"between":               {marked("see @a and @b", "@a", "@b"), "see @a or 中 @b", []string{"@a", "@b"}},
		"behind":                {marked("see @a and @b", "@a", "@b"), "see @a and @b now", []string{"@a", "@b"}},
		"in one":                {marked("see @a and @b", "@a", "@b"), "see @ and @b", []string{"@b"}},
		"in all":                {marked("see @a and @b", "@a", "@b"), "", nil},
		"an emoji for another":  {marked("😀 @a 😀 @b", "@a", "@b"), "😁 @a 😀 @b", []string{"@a", "@b"}},
		"another emoji between": {marked("😀 @a 😀 @b", "@a", "@b"), "😀 @a 😁 @b", []string{"@a", "@b"}},
		"one taken out":         {marked("@a @a @b", "@a", "@b"), "@a @b", []string{"@a", "@b"}},
		"from nothing":          {marked(""), "see @a", nil},
	} {
		got := Retext(c.before, c.after)
		if got.Content != c.after || !reflect.DeepEqual(got.Annotations, marked(c.after, c.want...).Annotations) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Whatever is changed: each annotation that is kept covers the text that it did.
func TestRetextNeverMovesARange(t *testing.T) {
	t.Parallel()
	parts := []string{"a", "@a", " ", "\n", "é", "中", "😀", "😁", "\u0301"}
	r := rand.New(rand.NewPCG(1, 1))
	some := func() (picked []string) {
		for range r.IntN(6) {
			picked = append(picked, parts[r.IntN(len(parts))])
		}
		return picked
	}
	for range 20_000 {
		var m Message
		for _, part := range append(some(), "@chip😀", "x") {
			start := UTF16Len(m.Content)
			m.Content += part
			if r.IntN(2) == 0 {
				m.Annotations = append(m.Annotations, Annotation{Type: TypeReference, Start: start, End: start + UTF16Len(part), Text: part, Reference: &Reference{ID: "x"}})
			}
		}
		whole := []rune(m.Content)
		from := r.IntN(len(whole) + 1)
		to := from + r.IntN(len(whole)-from+1)
		after := string(whole[:from]) + strings.Join(some(), "") + string(whole[to:])
		got := Retext(m, after)
		chips := 0
		for _, s := range Spans(got.Content, got.Annotations) {
			if s.Annotation != nil {
				chips++
			}
		}
		if got.Content != after || chips != len(got.Annotations) {
			t.Fatalf("%q to %q: %+v", m.Content, after, got.Annotations)
		}
	}
}
