package handlers

import (
	"github.com/prometheus/client_golang/prometheus"

	"webshell/internal/sse"
)

// fragment is one event of a stream.
type fragment struct{ name, html string }

// held puts cursors to fragments: a fragment is held back until it is known
// whether it is the last that belongs to an event. A cursor with nothing to
// show goes alone: each event's cursor is sent, so that a reader can tell when
// one is missing.
type held struct {
	pending fragment
	sent    prometheus.Counter
}

// hold keeps a fragment until the next one, or its cursor, comes.
func (h *held) hold(out *sse.Writer, name, html string) {
	h.send(out, "")
	h.pending = fragment{name, html}
}

// release sends what is held with the cursor.
func (h *held) release(out *sse.Writer, at streamPosition) {
	if h.pending.name == "" {
		h.pending.name = eventCursor
	}
	h.send(out, at.String())
}

// flush sends what is held, which belongs to no event.
func (h *held) flush(out *sse.Writer) { h.send(out, "") }

func (h *held) send(out *sse.Writer, id string) {
	if h.pending.name == "" {
		return
	}
	out.Event(id, h.pending.name, h.pending.html)
	h.sent.Inc()
	h.pending = fragment{}
}
