package composer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const mib = 1 << 20

// hostile is input made to cost time, with 1 MiB of content.
type hostile struct{ name, content, raw string }

// filled repeats part, numbered, between head and tail up to size bytes.
func filled(size int, head, part, tail string) string {
	var out strings.Builder
	out.WriteString(head)
	for i := 0; out.Len()+len(part)+len(tail)+8 < size; i++ {
		fmt.Fprintf(&out, part, i)
	}
	out.WriteString(tail)
	return out.String()
}

// hostiles makes lists of about size bytes, or of as many as they can use.
func hostiles(size int) []hostile {
	x, astral := strings.Repeat("x", mib), strings.Repeat("😀", mib/4)
	at := `[{"type":"reference","start":0,"end":1,"text":"x","reference":{"id":"x"`
	return []hostile{
		{"deep nesting", x, nested(size / 2)},
		{"nesting at the limit", x, filled(size, "[0", "%.0s,"+nested(31), "]")},
		{"objects at the limit", x, filled(size, "[0", ","+strings.Repeat(`{"a%[1]d":`, 31)+"0"+strings.Repeat("}", 31), "]")},
		{"an entry of many keys", x, filled(size, at, `,"k%d":0`, "}}]")},
		{"an entry of many keys in escapes", x, filled(size, at, `,"\u006b%d":0`, "}}]")},
		{"many entries of 30 keys each", x, filled(size, "[0", `,{"type":"reference"`+strings.Repeat(`,"k%[1]d":0`, 30)+"}", "]")},
		{"a key twice at the end of many", x, filled(size, at, `,"k%d":0`, `,"k0":0}}]`)},
		{"a list of many subcommands", x, filled(size, `[{"type":"command","start":0,"end":1,"text":"x","command":{"name":"x","subcommands":[""`, `,"\u0061%d"`, "]}}]")},
		{"one long string of escapes", x, filled(size, `[{"text":"`, `\ud83d\ude00%.0s`, `"}]`)},
		{"one long key of escapes", x, filled(size, `[{"`, `\u0061%.0s`, `":0}]`)},
		{"long strings over every limit", x, filled(size, at, `,"l%d":"`+strings.Repeat("中", 1024)+`"`, "}}]")},
		{"many small entries", x, filled(size, "[0", ",[%d]", "]")},
		{"many empty objects", x, filled(size, "[0", ",{}%.0s", "]")},
		{"many numbers", x, filled(size, "[0", ",1e%d", "]")},
		{"one number", x, "[" + strings.Repeat("1", size-2) + "]"},
		{"white space", x, "[" + strings.Repeat(" \n", size/2-1) + "]"},
		{"entries over each other", x, filled(250<<10, "["+reference(0, 600, x[:600], ""), ","+strings.ReplaceAll(reference(0, 600, x[:600], ""), `"x"`, `"%d"`), "]")},
		{"256 chips over astral content", astral, spread(astral, "😀", 4)},
		{"256 chips in reverse over astral content", astral, spread(astral, "😀", -4)},
		{"chips of 1,024 units", astral, longChips(min(256, size/4200))},
		{"256 ranges inside surrogate pairs", astral, strings.ReplaceAll(spread(astral, "😀", 4), `0,"end"`, `1,"end"`)},
		{"256 offsets beyond the content", x, strings.ReplaceAll(spread(x, "x", 4), `"start":`, `"start":9`)},
	}
}

// spread writes 256 chips over text, far apart, from the end where step is negative.
func spread(content, text string, step int) string {
	entries := make([]string, 256)
	gap := UTF16Len(content) / 256 / 10 * 10
	for i := range entries {
		at := gap * i
		if step < 0 {
			at = gap * (255 - i)
		}
		entries[i] = reference(at, at+UTF16Len(text), text, "")
	}
	return "[" + strings.Join(entries, ",") + "]"
}

// longChips writes n chips of the longest text next to each other.
func longChips(n int) string {
	entries := make([]string, n)
	text := strings.Repeat("😀", 512)
	for i := range entries {
		entries[i] = reference(i*1024, i*1024+1024, text, `,"serialized":"`+text+`"`)
	}
	return "[" + strings.Join(entries, ",") + "]"
}

// Whatever a list is made of, the content stays whole. What it costs is
// measured by BenchmarkHostile: at 256 KiB as it may come from outside, and at
// 1 MiB as if it had been stored, where no limit of size helps.
func TestHostileListsHideNothing(t *testing.T) {
	for _, h := range slices.Concat(hostiles(MaxList), hostiles(mib)) {
		t.Run(h.name, func(t *testing.T) {
			annotations := ReadStored(h.content, []byte(h.raw))
			var shown strings.Builder
			for _, span := range Spans(h.content, annotations) {
				shown.WriteString(span.Text)
			}
			if shown.String() != h.content {
				t.Error("the spans are not the content")
			}
			if again := ReadStored(h.content, Encode(annotations)); len(again) != len(annotations) {
				t.Errorf("%d annotations, read back %d", len(annotations), len(again))
			}
		})
	}
}

func BenchmarkHostile(b *testing.B) {
	for _, h := range hostiles(MaxList) {
		raw := []byte(h.raw)
		b.Run("256KiB/"+h.name, func(b *testing.B) {
			for b.Loop() {
				Sanitize(h.content, raw)
			}
		})
	}
	for _, h := range hostiles(mib) {
		raw := []byte(h.raw)
		b.Run("1MiB/"+h.name, func(b *testing.B) {
			for b.Loop() {
				Spans(h.content, ReadStored(h.content, raw))
			}
		})
	}
}
