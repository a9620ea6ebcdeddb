package markdown

import (
	"bytes"
	"strings"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/yuin/goldmark/ast"
)

// Bounds on highlighting. It costs some ten times what the rest does, and the
// expressions it is made of can be slow on text that is made for it: a language
// may take a second for 32 KB of empty lines.
const (
	maxHighlightBlock = 64 << 10  // bytes of one block
	maxHighlightText  = 512 << 10 // bytes of one text, or one stream
)

// maxHighlightTime is the time spent on one text, or one stream. Ordinary code
// needs about two milliseconds for a kilobyte, so only a machine that is far
// behind loses colours to this bound. Tests, which may run on one, lift it.
var maxHighlightTime = time.Second

// A highlighter colours the code of one text within its bounds.
type highlighter struct {
	bytes int
	time  time.Duration
}

func newHighlighter() *highlighter {
	return &highlighter{bytes: maxHighlightText, time: maxHighlightTime}
}

// code writes a code block. The language is the first word of a fence's info
// string; what tools append to it ("go{1,3}", "ts:app.ts") is not part of it.
func (w *writer) code(info string, n ast.Node) {
	language := languageOf(info)
	w.codeStart(language)
	lines := n.Lines()
	if w.highlight != nil && language != "" {
		var code strings.Builder
		for i := range lines.Len() {
			line := lines.At(i)
			code.Write(line.Value(w.source))
		}
		w.highlight.write(&w.out.Buffer, language, code.String())
	} else {
		for i := range lines.Len() {
			line := lines.At(i)
			escape(&w.out.Buffer, line.Value(w.source))
		}
	}
	w.str(codeEnd)
}

const codeEnd = "</code></pre></div>\n"

func (w *writer) codeStart(language string) {
	w.str(`<div class="code"`)
	if language != "" {
		w.str(` data-lang="` + language + `"`)
	}
	w.str(`><pre class="chroma" dir="ltr" tabindex="0"><code>`)
}

// languageOf returns the language named by the first word of a fence's info
// string, or "" if that is no name.
func languageOf(info string) string {
	if i := strings.IndexAny(info, " \t\n{:,"); i >= 0 {
		info = info[:i]
	}
	if !languageName.MatchString(info) {
		return ""
	}
	return info
}

// write writes code with its tokens marked, as far as a lexer and the bounds
// allow; the rest is plain. The text is that of code in every case.
func (h *highlighter) write(b *bytes.Buffer, language, code string) {
	written := 0
	defer func() {
		// A lexer that fails in the middle has written what it understood.
		_ = recover()
		escape(b, []byte(code[written:]))
	}()
	lexer := lexersByAlias()[strings.ToLower(language)]
	if lexer == nil || len(code) > maxHighlightBlock || len(code) > h.bytes || h.time <= 0 {
		return
	}
	h.bytes -= len(code)
	start := time.Now()
	defer func() { h.time -= time.Since(start) }()
	next, err := lexer.Tokenise(nil, code)
	if err != nil {
		return
	}
	open := ""
	for t := next(); t != chroma.EOF; t = next() {
		if !strings.HasPrefix(code[written:], t.Value) || time.Since(start) > h.time {
			break
		}
		class := tokenClass(t.Type)
		if class != open && strings.TrimSpace(t.Value) != "" {
			closeToken(b, open)
			openToken(b, class)
			open = class
		}
		escape(b, []byte(t.Value))
		written += len(t.Value)
	}
	closeToken(b, open)
}

func openToken(b *bytes.Buffer, class string) {
	if class != "" {
		b.WriteString(`<span class="`)
		b.WriteString(class)
		b.WriteString(`">`)
	}
}

func closeToken(b *bytes.Buffer, class string) {
	if class != "" {
		b.WriteString(`</span>`)
	}
}
