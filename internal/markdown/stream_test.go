package markdown

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// A page is the client's side of a stream: it applies deltas as documented.
type page struct {
	done, tail string
	plain      bool
}

func (p *page) apply(t testing.TB, d Delta) {
	t.Helper()
	if d == (Delta{}) {
		return
	}
	p.done += d.Frozen
	if d.Plain != "" {
		if d.Tail != "" {
			t.Fatalf("Plain and Tail in one delta: %+v", d)
		}
		if d.PlainStart {
			p.tail = ""
		} else if !p.plain {
			t.Fatalf("plain text without a start: %.100q", d.Plain)
		}
		p.plain = true
		p.tail += d.Plain
		return
	}
	if d.PlainStart {
		t.Fatal("PlainStart without Plain")
	}
	p.plain = false
	p.tail = d.Tail
}

// stream writes src to a stream in the pieces that cut gives, and checks after
// each that the page is the stream's state and safe.
func stream(t testing.TB, src string, cut func(rest string) int) *page {
	t.Helper()
	return follow(t, NewStream(), src, cut)
}

func follow(t testing.TB, s *Stream, src string, cut func(rest string) int) *page {
	t.Helper()
	p := &page{}
	pieces, next, looked := 0, 0, 0
	check := func(d Delta) {
		p.apply(t, d)
		// Looking at the state costs what the answer is long: after a megabyte
		// it is done less and less often.
		if pieces++; pieces < next {
			return
		}
		if looked += len(p.done) + len(p.tail); looked > 1<<20 {
			next = pieces + pieces/4
		}
		done, tail, plain := s.Snapshot()
		if p.done != done || strings.Trim(p.tail, "\n") != strings.Trim(tail, "\n") || p.plain != plain {
			t.Fatalf("page and snapshot differ:\ndone %.300q\nand  %.300q\ntail %v %.300q\nand  %v %.300q",
				p.done, done, p.plain, p.tail, plain, tail)
		}
		checkSafe(t, d.Frozen)
		if !plain {
			checkSafe(t, tail)
		}
	}
	for rest := src; rest != ""; {
		n := min(max(cut(rest), 1), len(rest))
		check(s.Write(rest[:n]))
		rest = rest[n:]
	}
	check(s.Close())
	if strings.Trim(p.tail, "\n") != "" {
		t.Fatalf("tail after Close: %.100q", p.tail)
	}
	return p
}

func size(n int) func(string) int { return func(string) int { return n } }

func TestStreamEqualsRender(t *testing.T) {
	t.Parallel()
	docs := goldenSources(t)
	docs["mixed"] = mixedAnswer(10 << 10)
	docs["big list"] = bigList(6 << 10)
	docs["loose list"] = strings.ReplaceAll(bigList(6<<10), "\n", "\n\n") + "After.\n"
	docs["turns loose"] = bigList(3<<10) + "\n" + bigList(3<<10) + "\nAfter.\n"
	docs["big table"] = bigTable(6<<10) + "\nAfter.\n"
	docs["big paragraph"] = strings.Repeat("Some *words* and `code`, more **words**\nand a line. ", 120) + "\n\nAfter.\n"
	docs["big quote"] = strings.Repeat("> Quoted *words* here.\n", 300) + "\nAfter.\n"
	docs["nested"] = "- one\n" + strings.Repeat("  - nested *item*\n", 300) + "- two\n\nAfter.\n"
	docs["numbers"] = "1. a\n\n2. b\n\n3. c\n\n10. d\n\nEnd\n\n- x\n\n- y\n\n* z\n"
	delete(docs, "links") // uses link definitions before they come
	delete(docs, "images")
	for name, src := range docs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := Render(src)
			for _, n := range []int{1, 2, 3, 7, 16, 100, 1000, 4096, len(src)} {
				if len(src) > 4<<10 && n != 100 && n != len(src) {
					continue // small documents cover these
				}
				if got := stream(t, src, size(n)).done; got != want {
					t.Errorf("pieces of %d: %s", n, diff(got, want))
				}
			}
			r := rand.New(rand.NewPCG(1, uint64(len(src))))
			random := func(string) int { return r.IntN(60) }
			if got := stream(t, src, random).done; got != want {
				t.Errorf("random pieces: %s", diff(got, want))
			}
		})
	}
}

// diff shows where two texts begin to differ.
func diff(got, want string) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	for i > 0 && i < len(got) && !utf8.RuneStart(got[i]) {
		i--
	}
	from := max(0, i-60)
	return fmt.Sprintf("at %d\n got …%.200q\nwant …%.200q", i, got[from:], want[from:])
}
