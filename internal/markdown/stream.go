package markdown

import (
	"bytes"
	"strings"
)

// sizes are the sizes in bytes at which an open block is treated differently.
type sizes struct {
	// parsed is the size up to which a block is rendered again as it grows. A
	// larger one is sent as plain text until it ends.
	parsed int
	// always is the size up to which that happens with every piece.
	always int
	// series is the size from which a list or table is kept as a series.
	series int
}

var streamSizes = sizes{parsed: 32 << 10, always: 2 << 10, series: 1 << 10}

// A Stream renders one answer while it is being written. The answer is split
// at its top-level blocks: a block that has ended is rendered once, with its
// code highlighted, and never again; the open one is rendered as it stands.
//
// What a piece costs does not grow with the answer: see [preview] for the open
// block. What the pieces amount to is what [Render] makes of the whole text,
// except where later text changes earlier blocks, as a link definition does
// that follows its use; so the whole is to be rendered once at the end.
//
// A Stream is not safe for concurrent use.
type Stream struct {
	sizes     sizes
	in        normalizer
	open      []byte // normalised text after the last final block
	done      []string
	blocks    int        // times something became final
	refs      references // link definitions of the final blocks
	outline   outline    // headings of the final blocks
	highlight *highlighter
	fence     *fence  // open is a fenced code block
	plain     bool    // open is sent as plain text
	lines     lines   // plain: what was looked at for the end of the block
	preview   preview // open is anything else
	tail      string  // HTML of open, unless plain
}

// A Delta is what one piece changed.
//
// The zero Delta changes nothing. Otherwise, in this order: append Frozen to
// the done part; if Plain is not empty, append it to the tail as text, after
// clearing the tail if PlainStart is set; if Plain is empty, replace the tail
// by Tail.
type Delta struct {
	// Frozen is the HTML of blocks that became final with this piece.
	Frozen string
	// Tail is the HTML of the open block. It is empty if there is none, or if
	// Plain is used.
	Tail string
	// Plain is source text, not HTML: what the piece added to an open block of
	// more than 32 KB. Such a block is rendered once it ends.
	Plain string
	// PlainStart says that Plain begins a tail: it holds the whole open block.
	PlainStart bool
}

// NewStream returns a Stream of an empty answer.
func NewStream() *Stream { return newStream(streamSizes) }

func newStream(s sizes) *Stream { return &Stream{sizes: s, highlight: newHighlighter()} }

// Write adds a piece of the answer, cut anywhere: inside a rune, a line end, a
// fence.
func (s *Stream) Write(piece string) Delta {
	before := len(s.open)
	s.open = s.in.append(s.open, piece)
	if len(s.open) == before {
		return Delta{}
	}
	wasPlain, blocks := s.plain, s.blocks
	frozen := s.advance()
	d := Delta{Frozen: frozen}
	switch {
	case !s.plain:
		d.Tail = s.tail
		if d.Tail == "" && d.Frozen == "" {
			d.Tail = "\n" // not the zero Delta: the tail is to be emptied
		}
	case wasPlain && s.blocks == blocks:
		d.Plain = string(s.open[before:])
	default:
		d.Plain, d.PlainStart = string(s.open), true
	}
	return d
}

// Close ends the answer: what is open becomes final. The Stream must not be
// written to afterwards.
func (s *Stream) Close() Delta {
	shown := s.plain || s.tail != ""
	s.open = s.in.flush(s.open)
	d := Delta{Frozen: s.freeze(len(s.open))}
	if shown && d.Frozen == "" {
		d.Tail = "\n" // as in Write
	}
	s.tail = ""
	return d
}

// Snapshot returns the state for a reader that joins in the middle: the HTML of
// the done part, and the tail, which is HTML, or if plain is set, text.
func (s *Stream) Snapshot() (done, tail string, plain bool) {
	done = strings.Join(s.done, "")
	if s.plain {
		return done, string(s.open), true
	}
	return done, s.tail, false
}

// advance freezes the blocks that have ended and renders the tail.
func (s *Stream) advance() (frozen string) {
	for {
		s.skipBlankLines()
		if s.fence == nil && !s.plain {
			s.fence = openFence(s.open)
		}
		end := s.ended()
		if end <= 0 {
			break
		}
		frozen += s.freeze(end)
	}
	switch {
	case s.plain:
	case len(s.open) > s.sizes.parsed:
		s.plain, s.lines, s.tail = true, lines{}, ""
		// The block may have ended where its parser was not asked any more.
		return frozen + s.advance()
	case s.fence != nil:
		s.tail = s.fence.tail(s.open)
	default:
		s.tail = s.preview.html
	}
	return frozen
}

// ended returns the offset in open before which all blocks are final, or 0. It
// brings the preview up to date.
func (s *Stream) ended() int {
	switch {
	case s.fence != nil:
		return s.fence.scan(s.open, s.sizes.parsed)
	case s.plain:
		return boundary(s.open, &s.lines)
	default:
		return s.preview.update(s.open, &s.refs, s.sizes)
	}
}

// freeze renders open[:end] for good and returns the HTML.
func (s *Stream) freeze(end int) string {
	html := renderFinal(s.open[:end], &s.refs, s.highlight, &s.outline)
	s.drop(end)
	s.blocks++
	if html != "" {
		s.done = append(s.done, html)
	}
	s.fence, s.plain, s.lines = nil, false, lines{}
	s.preview = preview{outline: s.outline}
	return html
}

// skipBlankLines drops what separates blocks: blank lines at the start of open.
func (s *Stream) skipBlankLines() {
	if s.fence != nil || s.plain {
		return
	}
	n := 0
	for {
		i := bytes.IndexByte(s.open[n:], '\n')
		if i < 0 || len(bytes.TrimLeft(s.open[n:n+i], " \t")) > 0 {
			break
		}
		n += i + 1
	}
	if n > 0 {
		s.drop(n)
	}
}

// drop takes n bytes off open. What is left is moved only if it is the smaller
// part, so that each byte is moved at most once for one that goes.
func (s *Stream) drop(n int) {
	rest := s.open[n:]
	if len(rest) < n {
		rest = append(s.open[:0], rest...)
	}
	s.open = rest
}
