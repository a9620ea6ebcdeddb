package markdown

import (
	"bytes"
	"strconv"
	"sync"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer/html"
)

// A buffer is a bytes.Buffer with the methods goldmark's text writer wants.
type buffer struct{ bytes.Buffer }

func (*buffer) Buffered() int { return 0 }
func (*buffer) Flush() error  { return nil }

// A writer renders parsed blocks of one source. It is the only producer of
// HTML in this package, apart from the allow-list behind it.
type writer struct {
	out       buffer
	source    []byte
	highlight *highlighter // nil: code stays plain
	loose     bool         // items of the top-level list get paragraphs, whatever the list says
	links     int          // links being written: they do not nest
	outline   outline      // of what was written before
}

var writers = sync.Pool{New: func() any { return new(writer) }}

func newWriter(source []byte, highlight *highlighter) *writer {
	w := writers.Get().(*writer)
	w.source, w.highlight = source, highlight
	return w
}

func (w *writer) free() {
	if w.out.Cap() > 256<<10 {
		return
	}
	w.out.Reset()
	*w = writer{out: w.out}
	writers.Put(w)
}

// sanitized returns what was written, passed through the allow-list.
func (w *writer) sanitized() string { return sanitize(w.out.Bytes()) }

func (w *writer) str(s string) { w.out.WriteString(s) }

// text writes Markdown text: entities and backslash escapes are resolved.
func (w *writer) text(b []byte) { html.DefaultWriter.Write(&w.out, b) }

// dir writes the attribute that lets a top-level block find its direction from
// its text. Nested blocks follow theirs: a list stays one list.
func (w *writer) dir(n ast.Node) {
	if p := n.Parent(); p == nil || p.Kind() == ast.KindDocument {
		w.str(` dir="auto"`)
	}
}

func (w *writer) blocks(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		w.block(n)
	}
}

func (w *writer) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Paragraph:
		w.paragraph(n)
	case *ast.TextBlock:
		w.textBlock(n)
	case *ast.Heading:
		tag := "h" + strconv.Itoa(w.outline.heading(n.Level))
		w.str("<" + tag)
		w.dir(n)
		w.str(">")
		w.inlines(n)
		w.str("</" + tag + ">\n")
	case *ast.ThematicBreak:
		w.str("<hr>\n")
	case *ast.Blockquote:
		w.str("<blockquote")
		w.dir(n)
		w.str(">\n")
		w.blocks(n)
		w.str("</blockquote>\n")
	case *ast.List:
		w.listStart(n)
		w.blocks(n)
		w.listEnd(n)
	case *ast.ListItem:
		w.item(n)
	case *ast.FencedCodeBlock:
		w.code(string(n.Language(w.source)), n)
	case *ast.CodeBlock:
		w.code("", n)
	case *extast.Table:
		w.table(n)
	case *ast.LinkReferenceDefinition:
	default:
		w.blocks(n)
	}
}

func (w *writer) paragraph(n ast.Node) {
	w.str("<p")
	w.dir(n)
	w.str(">")
	w.inlines(n)
	w.str("</p>\n")
}

// textBlock is a paragraph of a list whose items are not set apart.
func (w *writer) textBlock(n *ast.TextBlock) {
	if w.loose && n.Parent().Parent().Parent().Kind() == ast.KindDocument {
		w.paragraph(n)
		return
	}
	w.inlines(n)
	if n.NextSibling() != nil && n.FirstChild() != nil {
		w.str("\n")
	}
}

func (w *writer) listStart(n *ast.List) {
	if !n.IsOrdered() {
		w.str("<ul")
	} else {
		w.str("<ol")
		if n.Start != 1 {
			w.str(` start="` + strconv.Itoa(n.Start) + `"`)
		}
	}
	w.dir(n)
	w.str(">\n")
}

func (w *writer) listEnd(n *ast.List) {
	if n.IsOrdered() {
		w.str("</ol>\n")
	} else {
		w.str("</ul>\n")
	}
}

func (w *writer) item(n ast.Node) {
	w.str("<li>")
	if c := n.FirstChild(); c != nil && (w.loose || c.Kind() != ast.KindTextBlock) {
		w.str("\n")
	}
	w.blocks(n)
	w.str("</li>\n")
}

func (w *writer) table(n *extast.Table) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Kind() == extast.KindTableHeader {
			w.tableStart(n, c)
			continue
		}
		w.row(c, "td")
	}
	w.tableEnd()
}

func (w *writer) tableStart(table, header ast.Node) {
	w.str(`<div class="table-scroll" tabindex="0"><table`)
	w.dir(table)
	w.str(">\n<thead>\n")
	w.row(header, "th")
	w.str("</thead>\n<tbody>\n")
}

func (w *writer) tableEnd() { w.str("</tbody>\n</table></div>\n") }

func (w *writer) row(row ast.Node, tag string) {
	w.str("<tr>\n")
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		w.str("<" + tag)
		if cell, ok := c.(*extast.TableCell); ok && cell.Alignment != extast.AlignNone {
			w.str(` align="` + cell.Alignment.String() + `"`)
		}
		w.str(">")
		w.inlines(c)
		w.str("</" + tag + ">\n")
	}
	w.str("</tr>\n")
}
