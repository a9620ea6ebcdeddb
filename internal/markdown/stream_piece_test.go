package markdown

import (
	"strings"
	"testing"
)

// TestDeltas follows short answers piece by piece.
func TestDeltas(t *testing.T) {
	t.Parallel()
	const para, end = `<p dir="auto">`, "</p>\n"
	code := func(lang, text string) string {
		attr := ""
		if lang != "" {
			attr = ` data-lang="` + lang + `"`
		}
		return `<div class="code"` + attr + `><pre class="chroma" dir="ltr" tabindex="0"><code>` + text + "</code></pre></div>\n"
	}
	type step struct {
		piece string
		want  Delta
	}
	cases := map[string][]step{
		"paragraphs": {
			{"He", Delta{Tail: para + "He" + end}},
			{"llo\n", Delta{Tail: para + "Hello" + end}},
			{"\n", Delta{Tail: para + "Hello" + end}},
			{"Wor", Delta{Tail: para + "Hello" + end + para + "Wor" + end}},
			{"ld\n", Delta{Frozen: para + "Hello" + end, Tail: para + "World" + end}},
		},
		"a long line needs no end": {
			{"- a\n\nLong enough no", Delta{Tail: "<ul dir=\"auto\">\n<li>a</li>\n</ul>\n" + para + "Long enough no" + end}},
			{"w.", Delta{Frozen: "<ul dir=\"auto\">\n<li>a</li>\n</ul>\n", Tail: para + "Long enough now." + end}},
		},
		"nothing new": {
			{"", Delta{}},
			{"\xe4", Delta{}},
			{"\xb8", Delta{}},
			{"\xad", Delta{Tail: para + "中" + end}},
			{"\r", Delta{Tail: para + "中" + end}},
			{"\n", Delta{}},
			{"x", Delta{Tail: para + "中\nx" + end}},
		},
		"a number becomes an item": {
			{"1. a\n\n2", Delta{Tail: "<ol dir=\"auto\">\n<li>a</li>\n</ol>\n" + para + "2" + end}},
			{". b", Delta{Tail: "<ol dir=\"auto\">\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ol>\n"}},
		},
		"a paragraph becomes a heading": {
			{"Title\n", Delta{Tail: para + "Title" + end}},
			{"===", Delta{Tail: "<h2 dir=\"auto\">Title</h2>\n"}},
		},
		"a paragraph becomes a table": {
			{"| a |\n|-", Delta{Tail: "<div class=\"table-scroll\" tabindex=\"0\"><table dir=\"auto\">\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n</tbody>\n</table></div>\n"}},
		},
		"a paragraph becomes a definition": {
			{"[a]:", Delta{Tail: para + "[a]:" + end}},
			{" https://a.example\n", Delta{Tail: "\n"}},
			{"\n[a]\n", Delta{Tail: para + `<a href="https://a.example" rel="noopener noreferrer nofollow" target="_blank">a</a>` + end}},
		},
		"fence": {
			{"``", Delta{Tail: para + "``" + end}},
			{"`go", Delta{Tail: code("go", "")}},
			{"\n", Delta{Tail: code("go", "")}},
			{"x := \"<\"", Delta{Tail: code("go", "x := &#34;&lt;&#34;")}},
			{"\n``", Delta{Tail: code("go", "x := &#34;&lt;&#34;\n")}},
			{"`", Delta{Tail: code("go", "x := &#34;&lt;&#34;\n")}},
			{"\nThen", Delta{
				Frozen: code("go", `x := <span class="s">&#34;&lt;&#34;`+"\n</span>"),
				Tail:   para + "Then" + end,
			}},
		},
		"fence of another kind inside": {
			{"~~~~\n```\n~~~\n", Delta{Tail: code("", "```\n~~~\n")}},
			{"~~~~ \n", Delta{Frozen: code("", "```\n~~~\n")}},
		},
		"indented fence": {
			{"  ```\n  a\n    b\n c\n", Delta{Tail: code("", "a\n  b\nc\n")}},
			{"  ```\n", Delta{Frozen: code("", "a\n  b\nc\n")}},
		},
		"blank lines are nothing": {
			{"\n \n", Delta{Tail: "\n"}},
			{"a", Delta{Tail: para + "a" + end}},
		},
	}
	for name, steps := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := NewStream()
			for _, step := range steps {
				if got := s.Write(step.piece); got != step.want {
					t.Errorf("%q gives\n %+v, want\n %+v", step.piece, got, step.want)
				}
			}
		})
	}
}

// TestDefinitionsReach holds that a link definition in a final block is known to
// the blocks after it, and that the first one counts.
func TestDefinitionsReach(t *testing.T) {
	t.Parallel()
	src := "[a]: https://first.example\n\nSome text.\n\n[a]: https://second.example\n\nMore.\n\nSee [a] and [b].\n\n- [A]\n"
	p := stream(t, src, size(5))
	if n := strings.Count(p.done, `href="https://first.example"`); n != 2 {
		t.Errorf("%d links to the first, want 2: %s", n, p.done)
	}
	if p.done != Render(src) {
		t.Error(diff(p.done, Render(src)))
	}
}

// TestUnfinishedDefinition holds that the beginning of a definition's target is
// not taken for all of it.
func TestUnfinishedDefinition(t *testing.T) {
	t.Parallel()
	s := NewStream()
	s.Write("[a]: https://exam")
	s.Write("ple.org/path\n\n[a]\n\n.")
	if d := s.Close(); !strings.Contains(s.done[0], "https://example.org/path") {
		t.Errorf("%q %+v", s.done, d)
	}
}

// TestTailOfLongBlocks holds that what is shown of a long open block is all of
// its text, though not all of it is parsed with every piece.
func TestTailOfLongBlocks(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"list": bigList(20 << 10), "table": bigTable(20 << 10), "paragraph": bigParagraph(20 << 10),
		"quote": bigQuote(20 << 10), "nested": "- one\n" + strings.ReplaceAll("\n"+bigList(20<<10), "\n", "\n  "),
		"loose": strings.ReplaceAll(bigList(20<<10), "\n", "\n\n"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := NewStream()
			for rest := src; rest != ""; {
				n := min(64, len(rest))
				s.Write(rest[:n])
				rest = rest[n:]
				_, tail, _ := s.Snapshot()
				shown := len(src) - len(rest)
				// The last word that is whole is in the last thing shown.
				words := strings.Fields(strings.NewReplacer("*", "", "`", "", "|", " ", ">", "", "-", "").Replace(src[:shown]))
				if len(words) < 2 {
					continue
				}
				last := words[len(words)-2]
				if i := strings.LastIndex(tail, last); i < 0 || len(tail)-i > 1500 {
					t.Fatalf("after %d bytes %q is not at the end of the tail: …%.200q", shown, last, tail[max(0, len(tail)-200):])
				}
			}
		})
	}
}

// TestListTurnsLoose holds that the first blank line between items changes the
// items before it, also those that are not parsed any more.
func TestListTurnsLoose(t *testing.T) {
	t.Parallel()
	s := NewStream()
	s.Write(bigList(5 << 10))
	if _, tail, _ := s.Snapshot(); strings.Contains(tail, "<p>") || !strings.Contains(tail, "<li>item 1 ") {
		t.Fatalf("%.200q", tail)
	}
	s.Write("\n- loose\n")
	_, tail, _ := s.Snapshot()
	if !strings.Contains(tail, "<p>item 1 ") || !strings.Contains(tail, "<p>loose</p>") {
		t.Fatalf("%.200q … %.200q", tail, tail[len(tail)-200:])
	}
	s.Write("- tight again\n- x")
	_, tail, _ = s.Snapshot()
	if !strings.Contains(tail, "<p>tight again</p>") || strings.Count(tail, "<ul") != 1 {
		t.Fatalf("… %.300q", tail[len(tail)-300:])
	}
}

func TestCloseFlushes(t *testing.T) {
	t.Parallel()
	s := NewStream()
	s.Write("a \xf0\x9f")
	if d := s.Close(); d.Frozen != "<p dir=\"auto\">a \uFFFD\uFFFD</p>\n" {
		t.Errorf("%+v", d)
	}
	if done, tail, plain := s.Snapshot(); done == "" || tail != "" || plain {
		t.Errorf("%q %q %v", done, tail, plain)
	}
}
