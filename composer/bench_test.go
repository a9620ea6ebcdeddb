package composer

import (
	"encoding/json"
	"testing"
	"time"
)

// ordinary is a message with five chips as a program or the store has it.
func ordinary() (content string, raw []byte) {
	tags := `[{"id":"file:@src/Makefile","kind":"file","label":"Makefile","value":"src/Makefile","serialized":"@src/Makefile","removable":true,"start":8,"end":21},` +
		`{"id":"dataset:users","kind":"dataset","label":"Dataset","value":"users","serialized":"@dataset:users","start":27,"end":41},` +
		`{"id":"mcp:docs","kind":"mcp","value":"docs:file:///a b.md","serialized":"@docs:file:///a\\ b.md","start":46,"end":67},` +
		`{"id":"ext:db","kind":"extension","value":"db","serialized":"@ext:db","start":69,"end":76},` +
		`{"id":"session:9","kind":"session","label":"用户","value":"昨天","serialized":"@昨天","start":78,"end":81}]`
	m, _, err := Build(`compare @src/Makefile with @dataset:users and @docs:file:///a\ b.md, @ext:db, @昨天 please`, []byte(tags))
	if err != nil {
		panic(err)
	}
	return m.Content, Encode(m.Annotations)
}

// BenchmarkOrdinary sanitizes a message with five annotations and has
// encoding/json decode the same bytes, in turn, so that the ratio holds on a
// noisy machine.
func BenchmarkOrdinary(b *testing.B) {
	content, raw := ordinary()
	if got, _ := Sanitize(content, raw); len(got) != 5 {
		b.Fatalf("%d chips in the ordinary message", len(got))
	}
	const each = 100
	var ours, theirs time.Duration
	for b.Loop() {
		began := time.Now()
		for range each {
			Sanitize(content, raw)
		}
		half := time.Now()
		for range each {
			var all []Annotation
			if err := json.Unmarshal(raw, &all); err != nil {
				b.Fatal(err)
			}
		}
		ours += half.Sub(began)
		theirs += time.Since(half)
	}
	n := float64(b.N * each)
	b.ReportMetric(float64(ours)/n, "ns/Sanitize")
	b.ReportMetric(float64(theirs)/n, "ns/encoding-json")
	b.ReportMetric(float64(ours)/float64(theirs), "ratio")
}

// threeChips is the bubble that must be rendered in 60 allocations in all.
func threeChips() (string, []byte) {
	content := "see @a and @b and @c"
	return content, []byte(`[` + reference(4, 6, "@a", `,"kind":"file","value":"a"`) + `,` +
		reference(11, 13, "@b", `,"kind":"dataset","label":"D","value":"b"`) + `,` + reference(18, 20, "@c", "") + `]`)
}

func TestReadingABubbleAllocatesLittle(t *testing.T) {
	content, stored := threeChips()
	annotations := ReadStored(content, stored)
	chips := 0
	drawing := testing.AllocsPerRun(100, func() {
		for _, span := range Spans(content, annotations) {
			if span.Annotation != nil && ChipOf(*span.Annotation).Text != "" {
				chips++
			}
		}
	})
	reading := testing.AllocsPerRun(100, func() { ReadStored(content, stored) })
	if chips == 0 || drawing > 2 || reading > 8 {
		t.Errorf("%d chips, %v allocations to draw, want at most 2, and %v to read, want at most 8", chips, drawing, reading)
	}
}

func BenchmarkBubble(b *testing.B) {
	content, stored := threeChips()
	b.ReportAllocs()
	for b.Loop() {
		for _, span := range Spans(content, ReadStored(content, stored)) {
			if span.Annotation != nil {
				ChipOf(*span.Annotation)
			}
		}
	}
}
