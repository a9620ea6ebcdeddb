package markdown

import (
	"strings"
	"testing"
)

// TestPlain sends blocks of more than 32 KB: they turn into plain text, and
// into HTML when they end.
func TestPlain(t *testing.T) {
	t.Parallel()
	const long = 36 << 10
	for name, block := range map[string]string{
		"fence":         bigFence(long),
		"list":          bigList(long),
		"loose list":    strings.ReplaceAll(bigList(long), "\n", "\n\n"),
		"ordered list":  strings.ReplaceAll(bigList(long), "- item", "1. item"),
		"list of code":  strings.Repeat("- item\n\n  ```go\n  x := 1\n\n  y := 2\n  ```\n\n", long/40),
		"table":         bigTable(long),
		"paragraph":     bigParagraph(long),
		"lines":         strings.ReplaceAll(bigParagraph(long), ". ", ".\n"),
		"quote":         bigQuote(long),
		"indented code": strings.Repeat("    some code\n\n", long/15),
	} {
		end := "\n\n"
		if name == "fence" {
			end = "```\n"
		}
		src := "Before.\n\n" + block + end + "After **it**.\n\nThe end.\n"
		for _, n := range []int{1000, 34 << 10, len(src)} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				if want := Render(src); stream(t, src, size(n)).done != want {
					t.Errorf("pieces of %d: %s", n, diff(stream(t, src, size(n)).done, want))
				}
				if n == len(src) {
					return // never open
				}
				s, p := NewStream(), &page{}
				starts, text := 0, ""
				for rest := src; rest != ""; {
					k := min(n, len(rest))
					d := s.Write(rest[:k])
					rest = rest[k:]
					p.apply(t, d)
					if d.PlainStart {
						starts++
						text = ""
					}
					text += d.Plain
					if !p.plain && len(p.tail) > 400<<10 {
						t.Fatalf("a tail of %d bytes", len(p.tail))
					}
				}
				if starts != 1 {
					t.Errorf("plain text began %d times", starts)
				}
				if !strings.HasPrefix(src[len("Before.\n\n"):], text) || len(text) < streamSizes.parsed {
					t.Errorf("plain text of %d bytes is not the block's", len(text))
				}
				if p.plain || !strings.Contains(p.done+p.tail, "<strong>it</strong>") {
					t.Errorf("what follows the block is not rendered: plain=%v …%.300q", p.plain, p.done[len(p.done)-300:])
				}
			})
		}
	}
}

// TestPlainSnapshot joins while a block is plain text.
func TestPlainSnapshot(t *testing.T) {
	t.Parallel()
	s := NewStream()
	src := bigFence(40 << 10)
	s.Write("Before.\n\n" + src)
	done, tail, plain := s.Snapshot()
	if done != "<p dir=\"auto\">Before.</p>\n" || tail != src || !plain {
		t.Errorf("done %q, tail of %d bytes, plain %v", done, len(tail), plain)
	}
	if d := s.Write("x <b>"); d != (Delta{Plain: "x <b>"}) {
		t.Errorf("%+v", d)
	}
	d := s.Write("\n```\nAfter")
	if d.Plain != "" || d.PlainStart || !strings.Contains(d.Frozen, "x &lt;b&gt;") || d.Tail != "<p dir=\"auto\">After</p>\n" {
		t.Errorf("frozen of %d bytes, %+v", len(d.Frozen), d.Tail)
	}
}

// TestPlainAgain has two long blocks in a row.
func TestPlainAgain(t *testing.T) {
	t.Parallel()
	s := NewStream()
	s.Write(bigFence(40 << 10))
	second := "```\n" + strings.Repeat("y\n", 20<<10)
	d := s.Write("```\n" + second)
	if !d.PlainStart || d.Plain != second || d.Frozen == "" || d.Tail != "" {
		t.Errorf("start %v, plain of %d bytes, frozen of %d bytes", d.PlainStart, len(d.Plain), len(d.Frozen))
	}
}
