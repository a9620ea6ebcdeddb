package turn

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"webshell/internal/session"
)

// TestBlockJoinsParts: however a text is cut into parts, also inside runes and
// where it is no UTF-8, the block holds what the whole text cleaned up is.
func TestBlockJoinsParts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		text := randomText(r)
		b := &block{kind: session.KindAssistantMessage, number: 1}
		var pieces strings.Builder
		for rest := text; rest != ""; {
			n := 1 + r.IntN(min(5, len(rest)))
			if left := b.add(rest[:n]); left != "" {
				t.Fatalf("no room for %q", left)
			}
			rest = rest[n:]
			if p := b.piece("t"); r.IntN(2) == 0 && p.Text != "" {
				pieces.WriteString(p.Text)
				b.stored(p)
			}
		}
		stored := pieces.String()
		if !utf8.ValidString(stored) {
			t.Fatalf("%q: a piece is cut inside a rune: %q", text, stored)
		}
		whole := b.close("t").Content
		if want := cleanText(text); whole != want {
			t.Fatalf("%q: block holds %q, want %q", text, whole, want)
		}
		if !strings.HasPrefix(whole, stored) {
			t.Fatalf("%q: pieces %q are no start of %q", text, stored, whole)
		}
	}
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(12) {
		switch r.IntN(5) {
		case 0:
			b.WriteByte(byte(r.IntN(256)))
		case 1:
			b.WriteString("\x00")
		case 2:
			b.WriteString("汉😀")
		default:
			b.WriteString("ab")
		}
	}
	return b.String()
}

func TestBlockHasALimit(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"ASCII":          strings.Repeat("x", maxBlock+10),
		"runes":          strings.Repeat("😀", maxBlock/4+10),
		"unaligned":      "x" + strings.Repeat("汉", maxBlock/3+10),
		"no runes":       strings.Repeat("\x80", maxBlock+10),
		"all of it NUL":  strings.Repeat("\x00", maxBlock+10),
		"exactly enough": strings.Repeat("x", maxBlock),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got strings.Builder
			for rest := text; rest != ""; {
				b := &block{kind: session.KindAssistantMessage}
				for rest != "" && !b.full() {
					rest = b.add(rest)
				}
				// A byte that is cleaned up takes three.
				if n := b.text.Len(); n > 3*(maxBlock+utf8.UTFMax) {
					t.Errorf("a block of %d bytes", n)
				}
				got.WriteString(b.close("t").Content)
			}
			if want := cleanText(text); got.String() != want {
				t.Errorf("%d of %d bytes came through, or others", got.Len(), len(want))
			}
		})
	}
}

// Cleaned bytes take three, so that a block can be over its limit while a rune
// is still cut off at its end.
func TestACutOffRuneAtTheLimitIsNotWaitedForForEver(t *testing.T) {
	t.Parallel()
	b := &block{kind: session.KindAssistantMessage}
	head := strings.Repeat("\x00", maxBlock-1) + "\xe6"
	if rest := b.add(head); rest != "" || len(b.partial) != 1 || b.text.Len() < maxBlock {
		t.Fatalf("%d bytes left, %d of a rune, %d of text", len(rest), len(b.partial), b.text.Len())
	}
	rest := b.add("after")
	if rest != "fter" || !b.full() {
		t.Errorf("%q is left, full: %v", rest, b.full())
	}
	if got := b.close("t").Content; !strings.HasSuffix(got, "\uFFFDa") {
		t.Errorf("ends with %q", got[len(got)-8:])
	}
}

func TestCleanText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain 汉 😀":      "plain 汉 😀",
		"":               "",
		"a\x00b":         "a\uFFFDb",
		"a\xff\xfeb":     "a\uFFFD\uFFFDb",
		"\xed\xa0\x80":   "\uFFFD\uFFFD\uFFFD",
		"kept \uFFFD":    "kept \uFFFD",
		"cut \xe6\xb1":   "cut \uFFFD\uFFFD",
		"\u202eoverride": "\u202eoverride",
	} {
		if got := cleanText(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// BenchmarkPiece shows that a piece costs the same at the start of an answer
// and after a megabyte of it.
func BenchmarkPiece(b *testing.B) {
	const parts = 1000
	part := strings.Repeat("p", 100)
	for _, c := range []struct {
		name   string
		before int
	}{{"at 1 KB", 1 << 10}, {"at 1 MB", 1 << 20}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var open *block
			for i := range b.N {
				if i%parts == 0 {
					b.StopTimer()
					open = &block{}
					open.text.Grow(1<<20 + parts*len(part)) // the same memory in both cases
					open.add(strings.Repeat("p", c.before))
					b.StartTimer()
				}
				open.add(part)
				open.stored(open.piece("t"))
			}
		})
	}
}
