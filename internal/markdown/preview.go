package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// A preview renders the open part of a stream, which is not a fenced code
// block, as it grows. It finds out which blocks have ended by parsing.
//
// To keep the cost of a piece from growing with the block:
//   - The finished items of a list and rows of a table are rendered once; only
//     the last one is parsed again (see [series]).
//   - What is parsed again is parsed when it has grown by a part of its size.
//     Until then new text is shown as it is at the end of what was rendered.
type preview struct {
	outline outline // headings of what comes before
	html    string
	series  *series
	parsed  string // HTML of the text up to size, without what series holds
	after   string // HTML of what comes after the series
	size    int    // bytes of open that parsed covers
	lines   lines  // what was looked at for a boundary
}

const (
	// growth is the part of its size by which text beyond sizes.always grows
	// before it is parsed again.
	growth = 16
	// settledLength is longer than any mark of an item: nine digits, a full
	// stop, and up to three spaces before and one after it.
	settledLength = 16
)

// update brings the preview up to date with open. It returns the offset in open
// before which all blocks are final, or 0; if not 0 the preview is spent.
func (p *preview) update(open []byte, refs *references, sizes sizes) (final int) {
	if len(open) == 0 {
		*p = preview{outline: p.outline}
		return 0
	}
	if len(open) <= sizes.parsed {
		if p.lags(open, sizes.always) {
			i := beforeEndTags(p.parsed)
			var b buffer
			b.WriteString(p.parsed[:i])
			escape(&b.Buffer, open[p.size:])
			b.WriteString(p.parsed[i:])
			p.show(b.String())
			return 0
		}
		if p.series != nil && p.extend(open, refs) {
			return 0
		}
	}
	return p.parse(open, refs, sizes)
}

// lags reports whether open may be shown without parsing it again.
func (p *preview) lags(open []byte, always int) bool {
	size := len(open)
	if p.series != nil {
		size -= p.series.last
	}
	if p.parsed == "" || p.after != "" || size <= always || len(open)-p.size >= size/growth {
		return false
	}
	return boundary(open, &p.lines) == 0
}

// parse renders all of open, or finds what is final in it.
func (p *preview) parse(open []byte, refs *references, sizes sizes) (final int) {
	doc, ok := tryParse(open, refs)
	if !ok {
		p.rendered(plain(open), open)
		return 0
	}
	whole := bytes.LastIndexByte(open, '\n') + 1
	if final = lastBlock(doc, open, whole); final > 0 || len(open) > sizes.parsed {
		return final
	}
	p.series, p.after = nil, ""
	if n := doc.FirstChild(); n != nil && n.NextSibling() == nil && len(open) >= sizes.series {
		p.series = newSeries(n, open, whole, p.outline)
	}
	w := newWriter(open, nil)
	defer w.free()
	w.outline = p.outline
	if p.series != nil {
		p.series.rest(w, doc.FirstChild(), 0)
	} else {
		w.blocks(doc)
	}
	p.rendered(w.sanitized(), open)
	return 0
}

// extend renders the last item of a series and what is new after it. It
// reports false if that is no longer part of the series.
func (p *preview) extend(open []byte, refs *references) bool {
	html, after, ok := p.series.extend(open, refs)
	if !ok {
		p.series = nil
		return false
	}
	p.after = after
	p.rendered(html, open)
	return true
}

func (p *preview) rendered(html string, open []byte) {
	p.parsed, p.size = html, len(open)
	p.lines = lines{next: bytes.LastIndexByte(open, '\n') + 1}
	p.show(html)
}

func (p *preview) show(html string) {
	if p.series != nil {
		html = p.series.head.String() + html + p.series.foot + p.after
	}
	p.html = html
}

// tryParse parses text of which a part may still be missing.
func tryParse(src []byte, refs *references) (doc ast.Node, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	doc, _ = parse(src, refs)
	return doc, true
}

// lastBlock returns the offset of the line on which the last top-level block
// starts that is there for certain, before which all is final. Lines from
// offset whole on are not whole.
func lastBlock(doc ast.Node, open []byte, whole int) int {
	for n := doc.LastChild(); n != nil; n = n.PreviousSibling() {
		if at := lineStart(open, start(n)); settled(n, open[at:], at < whole) {
			return at
		}
	}
	return 0
}

// settled reports whether a top-level block stays a block of its own, whatever
// follows. One that starts in a line which is not whole may not: "2" is a
// paragraph and ends a list, until it becomes "2. x". A paragraph that has
// some length cannot turn into an item any more.
func settled(n ast.Node, text []byte, whole bool) bool {
	return whole || n.Kind() == ast.KindParagraph && len(text) >= settledLength
}

// start returns the offset at which a block starts, or 0 if that is unknown.
func start(n ast.Node) int {
	at := -1
	for ; n != nil && n.Type() == ast.TypeBlock; n = n.FirstChild() {
		first := n.Pos()
		if l := n.Lines(); l.Len() > 0 && (first < 0 || l.At(0).Start < first) {
			first = l.At(0).Start
		}
		if first >= 0 && (at < 0 || first < at) {
			at = first
		}
	}
	return max(at, 0)
}

func lineStart(src []byte, at int) int {
	return bytes.LastIndexByte(src[:at], '\n') + 1
}

// beforeEndTags returns the offset in html before the end tags of blocks it
// ends with, where more text of its last paragraph, item, cell or code block
// goes.
func beforeEndTags(html string) int {
	i := len(html)
	for {
		i = len(strings.TrimRight(html[:i], "\n"))
		cut := i
		for _, tag := range []string{"</label>", "</p>", "</li>", "</ul>", "</ol>", "</blockquote>", "</td>", "</th>",
			"</tr>", "</tbody>", "</thead>", "</table></div>", "</code></pre></div>",
			"</h2>", "</h3>", "</h4>", "</h5>", "</h6>"} {
			if strings.HasSuffix(html[:i], tag) {
				cut = i - len(tag)
				break
			}
		}
		if cut == i {
			return i
		}
		i = cut
	}
}
