package handlers_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// message is one event of a stream.
type message struct{ id, name, data string }

// reader reads a stream on a connection of its own.
type reader struct {
	*testing.T
	messages chan message // closed when the stream ends
	comments chan string
	cancel   context.CancelFunc
}

func (s *site) follow(session, after string, change ...func(*http.Request)) *reader {
	s.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, "GET", s.server.URL+"/sessions/"+session+"/stream?after="+after, nil)
	if err != nil {
		s.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	for _, f := range change {
		f(req)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.Fatal(err)
	}
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		s.Fatalf("%d %s", res.StatusCode, res.Header.Get("Content-Type"))
	}
	r := &reader{s.T, make(chan message, 1000), make(chan string, 100), cancel}
	go r.read(res.Body)
	return r
}

func (r *reader) read(body io.ReadCloser) {
	defer body.Close()
	defer close(r.messages)
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, 16<<20)
	var m message
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch {
		case lines.Text() == "":
			if m.name != "" {
				r.messages <- m
			}
			m = message{}
		case field == "":
			select {
			case r.comments <- value:
			default:
			}
		case field == "id":
			m.id = value
		case field == "event":
			m.name = value
		default:
			if m.data != "" {
				m.data += "\n"
			}
			m.data += value
		}
	}
}

// next is the next event, within a deadline.
func (r *reader) next() message {
	r.Helper()
	select {
	case m, ok := <-r.messages:
		if !ok {
			r.Fatal("the stream ended")
		}
		return m
	case <-time.After(30 * time.Second):
		r.Fatal("nothing came on the stream")
	}
	return message{}
}

// named is the next event of a name, within a deadline.
func (r *reader) named(name string) message {
	r.Helper()
	m := r.next()
	for m.name != name {
		m = r.next()
	}
	return m
}

// cursor is the next event with a cursor, within a deadline.
func (r *reader) cursor() message {
	r.Helper()
	m := r.next()
	for m.id == "" {
		m = r.next()
	}
	return m
}

func (r *reader) row() message {
	r.Helper()
	return r.named("row")
}

// ended waits until the server has closed the stream.
func (r *reader) ended(limit time.Duration) bool {
	deadline := time.After(limit)
	for {
		select {
		case _, ok := <-r.messages:
			if !ok {
				return true
			}
		case <-deadline:
			return false
		}
	}
}

// screen is what a script would show: it applies a stream's events to a
// transcript, as docs/http.md says.
type screen struct {
	*testing.T
	order  []string
	rows   map[string]*html.Node
	cursor string
}

func newScreen(t *testing.T) *screen {
	return &screen{T: t, rows: map[string]*html.Node{}, cursor: "0"}
}

func (s *screen) apply(m message) {
	s.Helper()
	if m.id != "" {
		s.cursor = m.id
	}
	if m.name != "row" && m.name != "part" {
		return
	}
	doc := parse(s.T, "<body>"+m.data)
	if m.name == "row" {
		rows := all(doc, func(n *html.Node) bool { return n.Data == "article" })
		if len(rows) == 0 {
			s.Fatalf("a row without an article: %s", m.data)
		}
		key := attr(rows[0], "id")
		if s.rows[key] == nil {
			s.order = append(s.order, key)
		}
		s.rows[key] = rows[0]
		return
	}
	for _, template := range all(doc, byTag("template")) {
		row := s.rows[attr(template, "data-block")]
		if row == nil {
			s.Fatalf("a part of a block that is not on screen: %s", m.data)
		}
		class := "tail"
		if attr(template, "data-part") == "done" {
			class = "done"
		}
		target := all(row, byClass(class))[0]
		if attr(template, "data-part") == "tail" {
			for c := target.FirstChild; c != nil; c = target.FirstChild {
				target.RemoveChild(c)
			}
		}
		for c := template.FirstChild; c != nil; c = template.FirstChild {
			template.RemoveChild(c)
			target.AppendChild(c)
		}
	}
}

func byTag(name string) func(*html.Node) bool {
	return func(n *html.Node) bool { return n.Data == name }
}

func (s *screen) text() string {
	var b strings.Builder
	for _, key := range s.order {
		for _, part := range []string{"message-content", "done", "tail"} {
			for _, n := range all(s.rows[key], byClass(part)) {
				b.WriteString(strings.Join(strings.Fields(textOf(n)), " ") + "\n")
			}
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// reloaded is the same, from the page.
func (s *site) reloaded(id string) string {
	s.Helper()
	screen := newScreen(s.T)
	doc := parse(s.T, s.request("GET", "/sessions/"+id, "", "", acceptHTML).body)
	for _, n := range all(all(doc, byAttr("id", "transcript"))[0], byTag("article")) {
		screen.order = append(screen.order, attr(n, "id"))
		screen.rows[attr(n, "id")] = n
	}
	return screen.text()
}
