package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// bombs are texts of about n bytes that are hard on some parser of Markdown.
var bombs = map[string]func(n int) string{
	"gt":       func(n int) string { return strings.Repeat(">", n) },
	"gt a":     func(n int) string { return strings.Repeat("> ", n/2) + "a" },
	"gt lines": func(n int) string { return strings.Repeat(strings.Repeat(">", 100)+"a\n", n/102) },
	"gt incr": func(n int) string {
		var b strings.Builder
		for i := 1; b.Len() < n; i++ {
			b.WriteString(strings.Repeat(">", i) + "a\n")
		}
		return b.String()
	},
	"list nest": func(n int) string { return strings.Repeat("- ", n/2) + "a" },
	"list nest lines": func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			b.WriteString(strings.Repeat(" ", 2*i) + "- a\n")
		}
		return b.String()
	},
	"list nest then lines": func(n int) string { return strings.Repeat("- ", n/8) + "a\n" + strings.Repeat("b\n", n/3) },
	"gt nest then lines":   func(n int) string { return strings.Repeat("> ", n/8) + "a\n" + strings.Repeat("b\n", n/3) },
	"gt nest then blank":   func(n int) string { return strings.Repeat("> ", n/8) + "a\n" + strings.Repeat("\n> a\n", n/6) },
	"[":                    func(n int) string { return strings.Repeat("[", n) },
	"[a](":                 func(n int) string { return strings.Repeat("[a](", n/4) },
	"[a](<":                func(n int) string { return strings.Repeat("[a](<", n/5) },
	"[a](x \"":             func(n int) string { return strings.Repeat("[a](x \"", n/7) },
	"[]":                   func(n int) string { return strings.Repeat("[", n/2) + strings.Repeat("]", n/2) },
	"[a][b":                func(n int) string { return strings.Repeat("[a][b", n/5) },
	"![":                   func(n int) string { return strings.Repeat("![", n/2) },
	"![]()":                func(n int) string { return strings.Repeat("![", n/5) + strings.Repeat("](x)", n/6) },
	"[ x ](":               func(n int) string { return strings.Repeat("[", n/3) + strings.Repeat("](x)", n/6) },
	"[x]:":                 func(n int) string { return strings.Repeat("[x]: /a\n", n/8) },
	"[x]: unique": func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, "[x%d]: /a\n", i)
		}
		return b.String()
	},
	"[x]:\\n":     func(n int) string { return strings.Repeat("[x]:\n", n/5) },
	"[\\n":        func(n int) string { return "[" + strings.Repeat("a\n", n/2) },
	"[x]: \"":     func(n int) string { return strings.Repeat("[x]: a \"\n", n/9) },
	"[x]: (multi": func(n int) string { return "[x]: /a \"" + strings.Repeat("a\n", n/2) },
	"*":           func(n int) string { return strings.Repeat("*", n) },
	"*a":          func(n int) string { return strings.Repeat("*a ", n/3) },
	"a*":          func(n int) string { return strings.Repeat("a* ", n/3) },
	"*a_":         func(n int) string { return strings.Repeat("*a_ ", n/4) },
	"*a**":        func(n int) string { return strings.Repeat("*a **a ", n/7) },
	"a**b c*":     func(n int) string { return strings.Repeat("a**b", n/8) + strings.Repeat("c* ", n/8) },
	"***a":        func(n int) string { return strings.Repeat("*a **a ***a a* a** a*** _a __a ", n/30) },
	"_a*_":        func(n int) string { return strings.Repeat("_a", n/4) + strings.Repeat("*a* ", n/8) },
	"emph nest":   func(n int) string { return strings.Repeat("*a **a ", n/14) + strings.Repeat("b** b*", n/14) },
	"~":           func(n int) string { return strings.Repeat("~~a ", n/4) },
	"`": func(n int) string {
		var b strings.Builder
		for i := 1; b.Len() < n; i++ {
			b.WriteString("e" + strings.Repeat("`", i))
		}
		return b.String()
	},
	"` 2":             func(n int) string { return strings.Repeat("`a``b", n/5) },
	"<":               func(n int) string { return strings.Repeat("<", n) },
	"<a":              func(n int) string { return strings.Repeat("<a:", n/3) },
	"<a:aaa":          func(n int) string { return strings.Repeat("<ab:"+strings.Repeat("a", 50), n/54) },
	"<a@":             func(n int) string { return strings.Repeat("<a@b", n/4) },
	"a@":              func(n int) string { return strings.Repeat("a@", n/2) },
	" a@b":            func(n int) string { return strings.Repeat(" "+strings.Repeat("a", 60), n/61) },
	"*a (aaa":         func(n int) string { return strings.Repeat("(a", n/2) },
	"(((":             func(n int) string { return strings.Repeat("(", n) },
	"~a":              func(n int) string { return strings.Repeat("_a", n/2) },
	"http":            func(n int) string { return strings.Repeat("http://a.b ", n/11) },
	"http(":           func(n int) string { return "http://a.b/" + strings.Repeat("(", n) },
	"http)":           func(n int) string { return "http://a.b/" + strings.Repeat(")", n) },
	"http;":           func(n int) string { return "http://a.b/" + strings.Repeat("&a;", n/3) },
	"http_":           func(n int) string { return strings.Repeat("_http://a.b/", n/12) },
	"(www.":           func(n int) string { return strings.Repeat("(www.a.", n/7) },
	"http://longhost": func(n int) string { return strings.Repeat("*http://"+strings.Repeat("a", 20), n/28) },
	"&":               func(n int) string { return strings.Repeat("&", n) },
	"&a":              func(n int) string { return strings.Repeat("&a", n/2) },
	"&#":              func(n int) string { return strings.Repeat("&#9", n/3) },
	"table": func(n int) string {
		return strings.Repeat("a|", n/4) + "\n" + strings.Repeat("-|", n/4) + "\n" + strings.Repeat("|\n", n/4)
	},
	"table1":         func(n int) string { return "a|b\n-|-\n" + strings.Repeat("a|b\n", n/4) },
	"tabledelims":    func(n int) string { return strings.Repeat("a|b\n-\n", n/6) },
	"tabledelim -|-": func(n int) string { return strings.Repeat("-|-|-\n", n/6) },
	"table escaped":  func(n int) string { return "a|b\n-|-\n" + strings.Repeat("`a\\|b`|`c\\|d`\n", n/14) },
	"table escaped1": func(n int) string { return "a|b\n-|-\n" + "`" + strings.Repeat("a\\|", n/3) + "`|b\n" },
	"para lines":     func(n int) string { return strings.Repeat("a\n", n/2) },
	"para words":     func(n int) string { return strings.Repeat("lorem ipsum ", n/12) },
	"one word":       func(n int) string { return strings.Repeat("a", n) },
	"spaces":         func(n int) string { return strings.Repeat(" ", n) + "a" },
	"a spaces":       func(n int) string { return strings.Repeat("a"+strings.Repeat(" ", 100), n/101) },
	"tabs":           func(n int) string { return strings.Repeat("\t", n) + "a" },
	"backslash":      func(n int) string { return strings.Repeat("\\", n) },
	"setext":         func(n int) string { return strings.Repeat("a\n", n/4) + strings.Repeat("=\n", n/4) },
	"setext2":        func(n int) string { return strings.Repeat("a\n---\n", n/6) },
	"heading":        func(n int) string { return strings.Repeat("# a\n", n/4) },
	"heading #":      func(n int) string { return strings.Repeat("#", n) },
	"heading a #":    func(n int) string { return "# a" + strings.Repeat(" #", n/2) },
	"hr":             func(n int) string { return strings.Repeat("- ", n/4) + strings.Repeat("* ", n/4) },
	"* * ":           func(n int) string { return strings.Repeat("* ", n/2) },
	"fence":          func(n int) string { return strings.Repeat("```\n", n/4) },
	"fence2":         func(n int) string { return strings.Repeat("~~~ a\n\n", n/7) },
	"indented":       func(n int) string { return strings.Repeat("    a\n", n/6) },
	"indented blank": func(n int) string { return "    a\n" + strings.Repeat("\n", n) + "    b" },
	"list items":     func(n int) string { return strings.Repeat("- a\n", n/4) },
	"list loose":     func(n int) string { return strings.Repeat("- a\n\n", n/5) },
	"list blank":     func(n int) string { return "- a\n" + strings.Repeat("\n", n) + "  b" },
	"list alt":       func(n int) string { return strings.Repeat("- a\n* b\n", n/8) },
	"list+gt":        func(n int) string { return strings.Repeat("- > ", n/4) + "a" },
	"1.":             func(n int) string { return strings.Repeat("1. ", n/3) + "a" },
	"ol long":        func(n int) string { return strings.Repeat("1. a\n", n/5) },
	"nul":            func(n int) string { return strings.Repeat("\x00", n) },
	"entity amp":     func(n int) string { return strings.Repeat("&amp;", n/5) },
	"refs use": func(n int) string {
		return "[a]: http://x/" + strings.Repeat("b", n/2) + "\n\n" + strings.Repeat("[a] ", n/8)
	},
	"task":       func(n int) string { return strings.Repeat("- [ ] a\n", n/8) },
	"hardbreaks": func(n int) string { return strings.Repeat("a  \n", n/4) },
	"code list":  func(n int) string { return strings.Repeat("- ```\n  a\n", n/10) },
	"cjk":        func(n int) string { return strings.Repeat("**中文。**中文 ", n/24) },
	"[[]](":      func(n int) string { return strings.Repeat("[a]", n/3) },
	"[a]: b [a]": func(n int) string { return "[a]: b\n\n" + strings.Repeat("[", n/4) + strings.Repeat("a]", n/4) },
	"]":          func(n int) string { return strings.Repeat("a]", n/2) },
	"[*":         func(n int) string { return strings.Repeat("[*a", n/3) + strings.Repeat("](x)", n/12) },
	"*[":         func(n int) string { return strings.Repeat("*a [b](c* ", n/10) },
	"~ run":      func(n int) string { return strings.Repeat("~", n) + "a" },
	"a_ run":     func(n int) string { return "a" + strings.Repeat("_", n) + "a" },
	"* run open": func(n int) string { return strings.Repeat("*", n/2) + "a" + strings.Repeat("*", n/2) },
	"` run":      func(n int) string { return "a" + strings.Repeat("`", n) },
	"`` runs":    func(n int) string { return strings.Repeat("`a", n/4) + strings.Repeat("``b", n/6) },
	"!":          func(n int) string { return strings.Repeat("!", n) },
	"(((www":     func(n int) string { return strings.Repeat("(www.a.b", n/8) },
	"a.b@":       func(n int) string { return strings.Repeat("a.b@c ", n/6) },
	"<br":        func(n int) string { return strings.Repeat("<br", n/3) + strings.Repeat("<br>", n/4) },
	"tab lists":  func(n int) string { return strings.Repeat("-\t", n/2) + "a" },
	"numbers":    func(n int) string { return strings.Repeat("1", n) + ". a" },
	"empty list": func(n int) string { return strings.Repeat("-\n", n/2) },
	"gt list":    func(n int) string { return strings.Repeat("> - a\n", n/6) },
	"ref label": func(n int) string {
		return "[" + strings.Repeat("a", n/2) + "]: x\n\n[" + strings.Repeat("a", n/2) + "]"
	},
	"open code":  func(n int) string { return "```go\n" + strings.Repeat("/*", n/2) },
	"long fence": func(n int) string { return strings.Repeat("`", n/2) + "\na\n" + strings.Repeat("`", n/2-1) },
}

// TestBombs holds that output stays proportional to the text and safe, whole
// and streamed. What it costs is measured by BenchmarkBombs.
func TestBombs(t *testing.T) {
	const size, piece = 16 << 10, 1 << 10
	for name, bomb := range bombs {
		t.Run(name, func(t *testing.T) {
			src := bomb(size)
			html := Render(src)
			if limit := 12*len(src) + 1<<20; len(html) > limit {
				t.Errorf("%d bytes of text became %d bytes of HTML, want at most %d", len(src), len(html), limit)
			}
			checkSafe(t, html)
			s := NewStream()
			for rest := src; rest != ""; {
				k := min(piece, len(rest))
				s.Write(rest[:k])
				rest = rest[k:]
			}
			if _, tail, plain := s.Snapshot(); !plain {
				checkSafe(t, tail)
			}
			checkSafe(t, s.Close().Frozen)
		})
	}
}

// BenchmarkBombs renders each shape at one size and at eight times that size,
// in turn: what is linear reports about 8, what is quadratic 64.
func BenchmarkBombs(b *testing.B) {
	const small, large = 8 << 10, 64 << 10
	for name, bomb := range bombs {
		b.Run(name, func(b *testing.B) {
			one, eight := bomb(small), bomb(large)
			var short, long stopwatch
			for b.Loop() {
				short.run(func() { Render(one) })
				long.run(func() { Render(eight) })
			}
			b.ReportMetric(long.ms()/short.ms(), "times-the-small")
		})
	}
}
