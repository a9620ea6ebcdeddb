package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// A series is an open list or table whose finished items or rows are rendered
// and no longer parsed.
type series struct {
	head    buffer  // start tags and finished members
	foot    string  // end tags
	last    int     // offset in open of the first member that is not in head
	lead    []byte  // text that has to stand before a row to make it one
	loose   bool    // the list's items are paragraphs
	marker  byte    // of the list
	outline outline // headings of what comes before, and in head
}

// newSeries returns a series for n, the only block of open, or nil if it is not
// a list or table with finished members. Lines from offset whole on are not
// whole. before is the headings of what comes before.
func newSeries(n ast.Node, open []byte, whole int, before outline) *series {
	s := &series{outline: before}
	w := newWriter(open, nil)
	defer w.free()
	switch n := n.(type) {
	case *ast.List:
		s.loose, s.marker = !n.IsTight, n.Marker
		w.listStart(n)
		s.head.WriteString(w.sanitized())
		w.out.Reset()
		w.listEnd(n)
		s.foot = w.out.String()
	case *extast.Table:
		if s.lead = leadingLines(open, 2); s.lead == nil {
			return nil
		}
		w.tableStart(n, n.FirstChild())
		s.head.WriteString(w.sanitized())
		w.out.Reset()
		w.tableEnd()
		s.foot = w.out.String()
	default:
		return nil
	}
	if !s.finish(n, open, 0, whole) {
		return nil
	}
	return s
}

// leadingLines returns a copy of the first n lines, or nil if there are not as
// many whole ones.
func leadingLines(src []byte, n int) []byte {
	end := 0
	for range n {
		i := bytes.IndexByte(src[end:], '\n')
		if i < 0 {
			return nil
		}
		end += i + 1
	}
	return bytes.Clone(src[:end])
}

// members returns the first item of a list or the first row of a table.
func members(n ast.Node) ast.Node {
	c := n.FirstChild()
	if c != nil && c.Kind() == extast.KindTableHeader {
		c = c.NextSibling()
	}
	return c
}

// finish renders the members of n, parsed from src, that are followed by one in
// a whole line, and moves last. shift is the offset of src in open. It reports
// whether there were any.
func (s *series) finish(n ast.Node, src []byte, shift, whole int) bool {
	last := n.LastChild()
	for last != nil && lineStart(src, start(last)) >= whole {
		last = last.PreviousSibling()
	}
	first := members(n)
	if last == nil || first == nil || first == last || last.Kind() == extast.KindTableHeader {
		return false
	}
	w := newWriter(src, nil)
	defer w.free()
	w.loose, w.outline = s.loose, s.outline
	for c := first; c != last; c = c.NextSibling() {
		w.member(c)
	}
	s.outline = w.outline
	s.head.WriteString(w.sanitized())
	s.last = shift + lineStart(src, start(last))
	return true
}

func (w *writer) member(n ast.Node) {
	if n.Kind() == extast.KindTableRow {
		w.row(n, "td")
	} else {
		w.item(n)
	}
}

// rest writes the members of n that are not in head. shift is the offset of
// the writer's source in open.
func (s *series) rest(w *writer, n ast.Node, shift int) {
	w.loose, w.outline = s.loose, s.outline
	for c := members(n); c != nil; c = c.NextSibling() {
		if shift+lineStart(w.source, start(c)) >= s.last {
			w.member(c)
		}
	}
}

// extend parses open from the last member on and renders what is not in head
// then. after is the HTML of blocks in the last line, which may or may not
// belong to the series once that line is whole. It reports false if open has
// more than the series.
func (s *series) extend(open []byte, refs *references) (html, after string, ok bool) {
	src, shift := open[s.last:], s.last
	if s.lead != nil {
		src = append(bytes.Clone(s.lead), src...)
		shift -= len(s.lead)
	}
	doc, parsed := tryParse(src, refs)
	if !parsed {
		return "", "", false
	}
	whole := bytes.LastIndexByte(src, '\n') + 1
	n := doc.FirstChild()
	if n == nil || !s.continues(n, open) {
		return "", "", false
	}
	for next := n.NextSibling(); next != nil; next = next.NextSibling() {
		if at := lineStart(src, start(next)); settled(next, src[at:], at < whole) {
			return "", "", false
		}
	}
	s.finish(n, src, shift, whole)
	w := newWriter(src, nil)
	defer w.free()
	s.rest(w, n, shift)
	html = w.sanitized()
	if n.NextSibling() != nil {
		w.out.Reset()
		w.loose = false
		for next := n.NextSibling(); next != nil; next = next.NextSibling() {
			w.block(next)
		}
		after = w.sanitized()
	}
	return html, after, true
}

// continues reports whether n is more of the same. A list that has been tight
// and has its first blank line between items is not: all its items change.
func (s *series) continues(n ast.Node, open []byte) bool {
	switch n := n.(type) {
	case *ast.List:
		loose := !n.IsTight || afterBlank(open, s.last)
		return n.Marker == s.marker && (s.loose || !loose)
	case *extast.Table:
		return s.lead != nil
	}
	return false
}
