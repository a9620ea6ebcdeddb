// Package markdown turns the Markdown of an answer into HTML that is safe to
// put into a page as it is: whole ([Render]) or while it is still being
// written ([Stream]).
//
// The dialect is CommonMark with GitHub's tables, task lists, strikethrough
// and autolinks, with these differences:
//   - HTML is not passed through and not dropped: tags show as the text they
//     are. Only <br> is understood, as a line break.
//   - Strikethrough needs two tildes. One tilde is a range in many languages
//     ("5~10", "好的~") and must not cross out what stands between two of them.
//   - Emphasis next to Chinese, Japanese and Korean text works without spaces
//     ("**注意：**请"), see [cjkFlanking].
//   - An image is a link named by its alternative text: nothing is loaded from
//     another origin by itself.
//   - A link goes to http, https or mailto, or is not a link at all.
//
// The HTML has no style attribute, no id, no event handler and no element that
// loads something. It is built by this package's own writer, which escapes all
// text, and then passed through an allow-list (bluemonday). What it consists
// of, for a style sheet or a script:
//
//	<p dir="auto"> <h2…h6 dir="auto"> <ul|ol dir="auto" [start]> <blockquote dir="auto">
//	    dir on top-level blocks only; what is inside follows its block
//	    headings by their nesting, see [outline]
//	<li> with <label><input type="checkbox" disabled [checked]> first, in a task list
//	<div class="table-scroll" tabindex="0"><table dir="auto">… <th|td [align]>
//	<div class="code" [data-lang="go"]><pre class="chroma" dir="ltr" tabindex="0"><code>…
//	    what scrolls can be reached by keyboard
//	    <span class="k">: token classes, rules in chroma.css
//	<a href rel="noopener noreferrer nofollow" target="_blank" [title] [class="md-image"]>
//	<span class="md-link|md-image" [title]>: a link or image whose target is not allowed
//	<pre class="plain" dir="auto" tabindex="0">: text that could not be parsed, as it is
//	<em> <strong> <del> <code> <br> <hr>
//
// All work is bounded by the length of the text: nesting, delimiters, table
// cells and the use of link definitions have limits, beyond which the text
// shows as text. Everything here is safe for concurrent use, except that one
// Stream belongs to one goroutine at a time.
package markdown

import "bytes"

// maxSource is the longest text, in bytes, that Render parses. A longer one is
// shown as plain text: its tree alone would take about a hundred times as much
// memory.
const maxSource = 4 << 20

// Render returns src as safe HTML, with code highlighted. Invalid UTF-8 and
// NUL become U+FFFD, CR and CRLF become LF.
func Render(src string) string {
	var n normalizer
	text := n.append(make([]byte, 0, len(src)+1), src)
	text = n.flush(text)
	if len(text) > maxSource {
		return plain(text)
	}
	return renderFinal(text, nil, newHighlighter(), new(outline))
}

// renderFinal renders blocks that will not change any more. The link
// definitions found in them are added to refs, which may be nil, and their
// headings to o.
func renderFinal(text []byte, refs *references, h *highlighter, o *outline) (html string) {
	// The parser is a large foreign body that reads hostile text: a fault in
	// it must cost this text its format, not the server its life.
	defer func() {
		if recover() != nil {
			html = plain(text)
		}
	}()
	doc, state := parse(text, refs)
	if refs != nil {
		refs.addAll(state.refs)
	}
	w := newWriter(text, h)
	defer w.free()
	w.outline = *o
	w.blocks(doc)
	*o = w.outline
	return w.sanitized()
}

// plain returns text as it is, escaped.
func plain(text []byte) string {
	var b bytes.Buffer
	// The parser of HTML drops a first line feed in pre.
	b.WriteString("<pre class=\"plain\" dir=\"auto\" tabindex=\"0\">\n")
	escape(&b, text)
	b.WriteString("</pre>\n")
	return b.String()
}
