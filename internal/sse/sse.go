// Package sse writes server-sent events (WHATWG HTML, section 9.2) so that
// no text can end its message early or pass for a field.
package sse

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// Writer writes events to one reader. A reader that does not take a write
// within the limit is cut: the write fails.
type Writer struct {
	w       http.ResponseWriter
	control *http.ResponseController
	limit   time.Duration
	buf     strings.Builder
}

// NewWriter makes a writer for a response that has not begun.
func NewWriter(w http.ResponseWriter, limit time.Duration) *Writer {
	return &Writer{w: w, control: http.NewResponseController(w), limit: limit}
}

// Open begins the response.
func (w *Writer) Open() error {
	h := w.w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no") // nginx would collect the events otherwise
	w.w.WriteHeader(http.StatusOK)
	return w.Comment("open")
}

// Event queues one event; Flush sends what is queued. id may be empty; name
// and id must not hold line breaks, data may hold anything.
func (w *Writer) Event(id, name, data string) {
	AppendEvent(&w.buf, id, name, data)
}

// Len is how much is queued, in bytes.
func (w *Writer) Len() int { return w.buf.Len() }

// Comment sends a line that readers skip.
func (w *Writer) Comment(text string) error {
	w.buf.WriteString(": ")
	w.buf.WriteString(oneLine(text))
	w.buf.WriteString("\n\n")
	return w.Flush()
}

// Flush sends what is queued.
func (w *Writer) Flush() error {
	if w.buf.Len() == 0 {
		return nil
	}
	if err := w.control.SetWriteDeadline(time.Now().Add(w.limit)); err != nil {
		return err
	}
	_, err := io.WriteString(w.w, w.buf.String())
	w.buf.Reset()
	if err != nil {
		return err
	}
	return w.control.Flush()
}

// AppendEvent writes an event's lines. Data is split at every line break the
// format knows (LF, CR, CRLF), one data line each: a reader joins them by LF.
func AppendEvent(b *strings.Builder, id, name, data string) {
	if id != "" {
		b.WriteString("id: ")
		b.WriteString(oneLine(id))
		b.WriteByte('\n')
	}
	b.WriteString("event: ")
	b.WriteString(oneLine(name))
	b.WriteByte('\n')
	for more := true; more; {
		var line string
		line, data, more = cutLine(data)
		b.WriteString("data: ")
		b.WriteString(line)
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
}

// cutLine cuts at the first line break; more says that there was one.
func cutLine(s string) (line, rest string, more bool) {
	i := strings.IndexAny(s, "\r\n")
	if i < 0 {
		return s, "", false
	}
	end := i + 1
	if s[i] == '\r' && end < len(s) && s[end] == '\n' {
		end++
	}
	return s[:i], s[end:], true
}

// oneLine takes out what would end a field, or make a reader drop an id (NUL).
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\r' || r == '\n' || r == 0 {
			return -1
		}
		return r
	}, s)
}
