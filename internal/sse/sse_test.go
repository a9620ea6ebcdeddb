package sse

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// event is what a reader sees.
type event struct{ id, name, data string }

// parse reads a stream as the WHATWG algorithm says (section 9.2.6), written
// from the text of that section.
func parse(stream string) []event {
	stream = strings.TrimPrefix(stream, "\uFEFF")
	stream = strings.ReplaceAll(stream, "\r\n", "\n")
	stream = strings.ReplaceAll(stream, "\r", "\n")
	var events []event
	var lastID, name string
	var data []string
	lines := strings.Split(stream, "\n")
	for _, line := range lines[:len(lines)-1] {
		if line == "" {
			if data != nil {
				events = append(events, event{lastID, name, strings.Join(data, "\n")})
			}
			name, data = "", nil
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			name = value
		case "data":
			data = append(data, value)
		case "id":
			if !strings.Contains(value, "\x00") {
				lastID = value
			}
		}
	}
	return events
}

// asRead is what becomes of data on the way: each line break is an LF.
func asRead(data string) string {
	return strings.ReplaceAll(strings.ReplaceAll(data, "\r\n", "\n"), "\r", "\n")
}

func FuzzAReaderGetsWhatWasWritten(f *testing.F) {
	for _, data := range []string{
		"", "x", "a\nb", "a\r\nb\rc\n", "\n\nevent: evil\ndata: x\n\n", "\r\rid: 9\r\r", ": comment", " leading", "\uFEFFbom", "a\x00b",
		"data: x", "retry: 1", "\u2028\u0085", "<b>\n</b>", "\r", "\n", "\r\n\r\n",
	} {
		f.Add("7", "row", data)
		f.Add(data, data, data)
	}
	f.Fuzz(func(t *testing.T, id, name, data string) {
		var b strings.Builder
		AppendEvent(&b, id, name, data)
		AppendEvent(&b, "last", "after", "unharmed")
		got := parse(b.String())
		if len(got) != 2 {
			t.Fatalf("%d events were read of 2: %q", len(got), b.String())
		}
		want := event{oneLine(id), oneLine(name), asRead(data)}
		if got[0] != want || got[1] != (event{"last", "after", "unharmed"}) {
			t.Errorf("read %q, want %q", got, want)
		}
	})
}

func TestHeadersKeepProxiesFromBuffering(t *testing.T) {
	rec := httptest.NewRecorder()
	w := NewWriter(deadlines{rec}, time.Second)
	if err := w.Open(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no", "Cache-Control": "no-store, no-transform",
	} {
		if got := rec.Header().Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// deadlines gives a recorder the deadline that a connection has.
type deadlines struct{ *httptest.ResponseRecorder }

func (deadlines) SetWriteDeadline(time.Time) error { return nil }

// A reader that stops reading is cut within the limit, and costs no more
// memory than its connection's buffers.
func TestASlowReaderIsCut(t *testing.T) {
	ended := make(chan error, 1)
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w := NewWriter(rw, 50*time.Millisecond)
		err := w.Open()
		for err == nil {
			w.Event("", "row", strings.Repeat("x", 1<<20))
			err = w.Flush()
		}
		ended <- err
	}))
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write([]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended: // never read from
	case <-time.After(time.Minute):
		t.Fatal("the reader was not cut")
	}
}
