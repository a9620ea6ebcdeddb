package handlers_test

import (
	"bytes"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"golang.org/x/net/html"

	"webshell/composer"
	"webshell/store"
	"webshell/store/storetest"
)

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// parse reads a page as a browser does.
func parse(t *testing.T, page string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// all finds the elements that match, in document order.
func all(n *html.Node, match func(*html.Node) bool) []*html.Node {
	var found []*html.Node
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && match(d) {
			found = append(found, d)
		}
	}
	return found
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasClass(n *html.Node, class string) bool {
	for _, c := range strings.Fields(attr(n, "class")) {
		if c == class {
			return true
		}
	}
	return false
}

func byClass(class string) func(*html.Node) bool {
	return func(n *html.Node) bool { return hasClass(n, class) }
}

func byAttr(name, value string) func(*html.Node) bool {
	return func(n *html.Node) bool { return attr(n, name) == value }
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

func itoa[T int | int64](n T) string { return strconv.FormatInt(int64(n), 10) }

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

func submission(session, text string) store.Submission {
	return store.Submission{SessionID: session, RequestID: uuid.NewString(), Message: composer.Message{Content: text}}
}

// otherStore is another process' view of the same database.
func (s *site) otherStore() *store.Store {
	s.Helper()
	other, _ := storetest.Open(s.T, s.dbURL, store.Options{})
	return other
}

// session is a session of the site's, the same for a whole test.
func (s *site) session() string {
	s.Helper()
	if s.shared == "" {
		s.shared = s.newSession()
	}
	return s.shared
}

// used is the request id of a message in that session.
func (s *site) used() string {
	s.Helper()
	r, _ := s.send(s.session(), map[string]any{"text": "another message"})
	return r.RequestID
}
