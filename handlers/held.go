package handlers

import (
	"github.com/prometheus/client_golang/prometheus"

	"webshell/internal/sse"
)

// fragment is one event of a stream.
type fragment struct{ name, html string }

// held puts cursors to fragments: a fragment is held back until it is known
// whether it is the last that belongs to an event, and a cursor with nothing to
// show until something is.
type held struct {
	pending fragment
	cursor  streamPosition // passed, and not sent yet; zero: none
	sent    prometheus.Counter
}

// hold keeps a fragment until the next one, or its cursor, comes.
func (h *held) hold(out *sse.Writer, name, html string) {
	h.send(out, "")
	h.pending = fragment{name, html}
}

// release sends what is held with the cursor, or keeps the cursor where nothing
// is.
func (h *held) release(out *sse.Writer, at streamPosition) {
	h.cursor = at
	h.flush(out)
}

// flush sends what is held, with the cursor that has been passed.
func (h *held) flush(out *sse.Writer) {
	if h.pending.name == "" {
		return
	}
	id := ""
	if h.cursor != (streamPosition{}) {
		id = h.cursor.String()
	}
	h.send(out, id)
	h.cursor = streamPosition{}
}

// sendCursor sends a cursor that was kept, alone: a reader need not read the
// same again.
func (h *held) sendCursor(out *sse.Writer) {
	if h.cursor != (streamPosition{}) {
		h.pending = fragment{name: eventCursor}
		h.flush(out)
	}
}

func (h *held) send(out *sse.Writer, id string) {
	if h.pending.name == "" {
		return
	}
	out.Event(id, h.pending.name, h.pending.html)
	h.sent.Inc()
	h.pending = fragment{}
}
