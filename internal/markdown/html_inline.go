package markdown

import (
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer/html"
)

// maxTitle bounds, in bytes, a link's title and a refused target shown as one.
const maxTitle = 300

func (w *writer) inlines(parent ast.Node) {
	_, task := parent.FirstChild().(*extast.TaskCheckBox)
	if task {
		w.str("<label>") // the box is named by its task
	}
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		w.inline(n)
	}
	if task {
		w.str("</label>")
	}
}

func (w *writer) inline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		w.textNode(n)
	case *ast.String:
		escape(&w.out.Buffer, n.Value)
	case *ast.CodeSpan:
		w.codeSpan(n)
	case *ast.Emphasis:
		if n.Level == 2 {
			w.wrap("strong", n)
		} else {
			w.wrap("em", n)
		}
	case *extast.Strikethrough:
		w.wrap("del", n)
	case *ast.Link:
		w.link(n)
	case *ast.AutoLink:
		w.autoLink(n)
	case *ast.Image:
		w.image(n)
	case *extast.TaskCheckBox:
		if n.IsChecked {
			w.str(`<input type="checkbox" disabled checked> `)
		} else {
			w.str(`<input type="checkbox" disabled> `)
		}
	case *lineBreak:
		w.str("<br>")
	default:
		w.inlines(n)
	}
}

func (w *writer) wrap(tag string, n ast.Node) {
	w.str("<" + tag + ">")
	w.inlines(n)
	w.str("</" + tag + ">")
}

func (w *writer) textNode(n *ast.Text) {
	value := n.Segment.Value(w.source)
	if n.IsRaw() {
		escape(&w.out.Buffer, value)
	} else {
		w.text(value)
	}
	switch {
	case n.HardLineBreak():
		w.str("<br>\n")
	case n.SoftLineBreak() && !w.joins(value, n.NextSibling()):
		w.str("\n")
	}
}

// joins reports whether a line break between two texts is not a space, as in
// Chinese and Japanese, which set none between words. Korean does.
func (w *writer) joins(before []byte, next ast.Node) bool {
	text, ok := next.(*ast.Text)
	if !ok {
		return false
	}
	last, _ := utf8.DecodeLastRune(before)
	first, _ := utf8.DecodeRune(text.Segment.Value(w.source))
	return eastAsian(last) && eastAsian(first) &&
		!unicode.Is(unicode.Hangul, last) && !unicode.Is(unicode.Hangul, first)
}

func (w *writer) codeSpan(n ast.Node) {
	w.str("<code>")
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		text, ok := c.(*ast.Text)
		if !ok {
			continue
		}
		value := text.Segment.Value(w.source)
		if l := len(value); l > 0 && value[l-1] == '\n' {
			escape(&w.out.Buffer, value[:l-1])
			w.str(" ")
			continue
		}
		escape(&w.out.Buffer, value)
	}
	w.str("</code>")
}

func (w *writer) link(n *ast.Link) {
	end := w.anchor(safeURL(n.Destination), "md-link", n.Destination, n.Title)
	w.inlines(n)
	w.str(end)
	w.links--
}

// anchor starts a link to target, or where that is empty or inside another
// link, a span of the class that tells the refused target in its title. It
// returns the end tag; the caller writes it and counts down links.
func (w *writer) anchor(target, class string, dest, title []byte) string {
	w.links++
	if target == "" || w.links > 1 {
		w.str(`<span class="` + class + `"`)
		w.title(dest)
		w.str(">")
		return "</span>"
	}
	w.str(`<a href="`)
	escape(&w.out.Buffer, []byte(target))
	w.str(`" rel="noopener noreferrer nofollow" target="_blank"`)
	if class != "md-link" {
		w.str(` class="` + class + `"`)
	}
	w.title(title)
	w.str(">")
	return "</a>"
}

func (w *writer) title(b []byte) {
	if len(b) == 0 {
		return
	}
	if len(b) > maxTitle {
		i := maxTitle
		for i > 0 && !utf8.RuneStart(b[i]) {
			i--
		}
		b = append(b[:i:i], "…"...)
	}
	w.str(` title="`)
	html.DefaultWriter.Write(&w.out, b)
	w.str(`"`)
}

func (w *writer) autoLink(n *ast.AutoLink) {
	label, dest := n.Label(w.source), n.URL(w.source)
	if n.AutoLinkType == ast.AutoLinkEmail {
		dest = append([]byte("mailto:"), label...)
	}
	target := safeURL(dest)
	if target == "" || w.links > 0 {
		escape(&w.out.Buffer, label)
		return
	}
	end := w.anchor(target, "md-link", nil, nil)
	escape(&w.out.Buffer, label)
	w.str(end)
	w.links--
}

// image writes a link to the picture, named by its alternative text.
func (w *writer) image(n *ast.Image) {
	end := w.anchor(safeURL(n.Destination), "md-image", n.Destination, n.Title)
	before := w.out.Len()
	w.inlines(n)
	if w.out.Len() == before {
		escape(&w.out.Buffer, n.Destination)
	}
	w.str(end)
	w.links--
}
