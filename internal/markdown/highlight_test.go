package markdown

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/chroma/v2"
)

// TestLanguages holds that every lexer ends, on every other's text too, and
// leaves the text as it is.
func TestLanguages(t *testing.T) {
	t.Parallel()
	golden, err := os.ReadFile("testdata/golden/code.md")
	if err != nil {
		t.Fatal(err)
	}
	samples := []string{
		string(golden), "package main\nfunc main() { x := 1 }\n", "", "\n", "\n\n  \n", "é中😀\u2028", "x",
		strings.Repeat("(", 500), strings.Repeat("<a>", 200), strings.Repeat("\\", 300), strings.Repeat("\"'`", 200),
		strings.Repeat("/*", 200), strings.Repeat("#{", 200), strings.Repeat("<!--", 100), strings.Repeat("$(", 200), strings.Repeat("a b ", 300),
	}
	for _, language := range languages {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			for _, code := range samples {
				checkHighlight(t, language, code)
			}
		})
	}
}

func TestAliases(t *testing.T) {
	t.Parallel()
	byAlias := lexersByAlias()
	for alias, name := range aliases {
		if l := byAlias[alias]; l == nil || l.Config().Name != name {
			t.Errorf("alias %q is not %s", alias, name)
		}
	}
	for alias, name := range map[string]string{
		"go": "Go", "golang": "Go", "js": "JavaScript", "ts": "TypeScript", "py": "Python", "sh": "Bash", "c++": "C++", "c#": "C#",
		"yaml": "YAML", "html": "HTML", "dockerfile": "Docker", "rs": "Rust", "jsx": "react", "tsx": "react", "sql": "SQL",
	} {
		if l := byAlias[alias]; l == nil || l.Config().Name != name {
			t.Errorf("%q is not %s", alias, name)
		}
	}
}

func TestUnknownLanguagesAreNotGuessed(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"", "text", "no-such-language", "main.go", "markdown", "Jungle"} {
		html := Render("```" + language + "\npackage main // a comment\n```\n")
		if strings.Contains(html, "<span") || !strings.Contains(html, "package main // a comment") {
			t.Errorf("%q: %s", language, html)
		}
	}
}

func TestLanguageOf(t *testing.T) {
	t.Parallel()
	for info, want := range map[string]string{
		"go": "go", "go title=x": "go", "go{1,3}": "go", "ts:app.ts": "ts", "C++": "C++", "objective-c": "objective-c",
		"": "", "{.go}": "", "日本": "", "a\"b": "", "<b>": "", strings.Repeat("a", 33): "", strings.Repeat("a", 32): strings.Repeat("a", 32),
	} {
		if got := languageOf(info); got != want {
			t.Errorf("languageOf(%q) = %q, want %q", info, got, want)
		}
	}
}

func TestHighlightBounds(t *testing.T) {
	t.Parallel()
	block := func(size int) string { return bigFence(size)[len("```go\n"):] }
	count := func(h *highlighter, code string) int {
		var b buffer
		h.write(&b.Buffer, "go", code)
		return strings.Count(b.String(), "<span")
	}
	if count(newHighlighter(), block(maxHighlightBlock-1000)) == 0 {
		t.Error("a block within the bound is plain")
	}
	if count(newHighlighter(), block(maxHighlightBlock+1000)) != 0 {
		t.Error("a block beyond the bound is highlighted")
	}
	if h := newHighlighter(); h.bytes != maxHighlightText {
		t.Errorf("a text may have %d bytes highlighted", h.bytes)
	}
	h := &highlighter{bytes: 10 << 10, time: time.Hour}
	blocks := 0
	for ; blocks < 100 && count(h, block(2<<10)) > 0; blocks++ {
	}
	if blocks != 4 {
		t.Errorf("%d blocks of 2 KB were highlighted, 10 KB are allowed", blocks)
	}
	h = newHighlighter()
	h.time = 0
	if count(h, block(1000)) != 0 {
		t.Error("highlighted without time left")
	}
	h.time = time.Nanosecond
	var b buffer
	h.write(&b.Buffer, "go", block(1000))
	if strings.Count(b.String(), "<span") > 1 || h.time > 0 {
		t.Error("the time is not watched while highlighting")
	}
}

// TestGuardEndsLoops runs a lexer that never ends on its own.
func TestGuardEndsLoops(t *testing.T) {
	t.Parallel()
	looping := chroma.MustNewLexer(&chroma.Config{Name: "looping"}, func() chroma.Rules {
		return chroma.Rules{
			"root":  {{Pattern: "a", Type: chroma.Keyword}, {Pattern: "(?=b)", Mutator: chroma.Push("other")}},
			"other": {{Pattern: "(?=b)", Mutator: chroma.Push("root")}},
		}
	})
	guarded := chroma.MustNewLexer(&chroma.Config{Name: "guarded"}, func() chroma.Rules { return guard(looping) })
	done := make(chan int, 1)
	go func() {
		next, err := guarded.Tokenise(nil, "aab")
		n := 0
		for err == nil && next() != chroma.EOF {
			n++
		}
		done <- n
	}()
	select {
	case n := <-done:
		if n != 2 {
			t.Errorf("%d tokens before the loop, want 2", n)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the lexer does not end")
	}
}

func TestHighlightKeepsTextOfBrokenLexer(t *testing.T) {
	t.Parallel()
	var b buffer
	func() {
		h := newHighlighter()
		h.write(&b.Buffer, "c", "int main(void) { return '\\x'; } /* open")
	}()
	if !strings.Contains(b.String(), "/* open") {
		t.Errorf("%s", b.String())
	}
}
