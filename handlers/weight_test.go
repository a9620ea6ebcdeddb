package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Bounds of the first load of a page, in bytes as they travel, without headers.
const (
	maxEarlyBytes = 50_000  // of the page and its style sheet: the first paint waits for them
	maxLoadBytes  = 200_000 // of everything
	// maxLoads leaves room, below 12 requests, for what scripts ask for: the
	// stream, and what the person has sent before.
	maxLoads = 8
)

// TestAPageIsLight weighs pages with all that they load.
func TestAPageIsLight(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for range 30 {
		s.send(s.newSession(), map[string]any{"text": "a session with a title of the usual length for one"})
	}
	id := s.newSession()
	commands := []string{"/markdown", "/context", "/tool", "/think", "/markdown"}
	for _, text := range commands {
		s.send(id, map[string]any{"text": text})
	}
	s.runner()
	s.awaitNth(id, "turn/ended", len(commands))
	for _, path := range []string{"/", "/sessions/" + id, "/login?token=none"} {
		early, total, loads := s.weigh(path)
		t.Logf("%s: %d bytes before the first paint, %d in all, %d requests", path, early, total, loads)
		if early > maxEarlyBytes || total > maxLoadBytes || loads > maxLoads {
			t.Errorf("%s is too heavy", path)
		}
	}
}

// weigh loads a page and what it names, as a browser does.
func (s *site) weigh(path string) (early, total, loads int) {
	s.Helper()
	page := s.request("GET", path, "", "", acceptHTML, gzipped)
	text := page.body
	if page.Header.Get("Content-Encoding") == "gzip" {
		text, _ = unpack(s.T, page)
	}
	early, total, loads = len(page.body), len(page.body), 1
	for _, n := range all(parse(s.T, text), loading) {
		address := attr(n, "src")
		if n.Data == "link" {
			address = attr(n, "href")
		}
		if !strings.HasPrefix(address, "/") {
			continue
		}
		a := s.request("GET", address, "", "", gzipped)
		if a.StatusCode != http.StatusOK {
			s.Errorf("%s names %s: %d", path, address, a.StatusCode)
		}
		total += len(a.body)
		loads++
		if attr(n, "rel") == "stylesheet" {
			early += len(a.body)
		}
	}
	return early, total, loads
}

// loading tells elements that have something loaded.
func loading(n *html.Node) bool { return n.Data == "link" || n.Data == "script" || n.Data == "img" }
