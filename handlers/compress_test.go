package handlers_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func gzipped(r *http.Request) { r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd") }

// unpack reads a packed answer.
func unpack(t *testing.T, a answer) (text string, header gzip.Header) {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw), z.Header
}

func TestPagesFragmentsAndJSONArePacked(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	s.send(id, map[string]any{"text": strings.Repeat("a message that is long enough. ", 100)})
	for name, c := range map[string]struct {
		path   string
		change []func(*http.Request)
		end    string
	}{
		"page":     {"/sessions/" + id, []func(*http.Request){acceptHTML}, "</html>"},
		"fragment": {"/sessions/" + id, []func(*http.Request){acceptHTML, header("HX-Request", "true")}, "</template></div>"},
		"JSON":     {"/sessions/" + id + "/events", []func(*http.Request){acceptJSON}, "}"},
	} {
		a := s.request("GET", c.path, "", "", append(c.change, gzipped)...)
		if a.Header.Get("Content-Encoding") != "gzip" || !strings.Contains(strings.Join(a.Header.Values("Vary"), ","), "Accept-Encoding") {
			t.Errorf("%s: %v", name, a.Header)
			continue
		}
		text, head := unpack(t, a)
		if !strings.HasSuffix(strings.TrimSpace(text), c.end) || !strings.Contains(text, "long enough") {
			t.Errorf("%s ends with %q", name, text[max(0, len(text)-80):])
		}
		if len(a.body) >= len(text)/2 {
			t.Errorf("%s: %d bytes of %d", name, len(a.body), len(text))
		}
		// The length says less about the content for it.
		if head.Comment == "" {
			t.Errorf("%s is exactly as long as its content makes it", name)
		}
		if name == "JSON" && !json.Valid([]byte(text)) {
			t.Errorf("%s is none", name)
		}
		plain := s.request("GET", c.path, "", "", append(c.change, header("Accept-Encoding", "gzip;q=0, identity"))...)
		if plain.Header.Get("Content-Encoding") != "" || !strings.Contains(plain.body, "long enough") {
			t.Errorf("%s, gzip refused: %v", name, plain.Header)
		}
	}
}

// The page that has a secret in it tells nothing by its length, and the stream
// holds nothing back.
func TestWhatIsNotPacked(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	token, err := s.store.NewLoginLink(s.Context(), s.owner, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	id := s.newSession()
	for _, path := range []string{"/login?token=" + token, "/sessions/" + id + "/stream", "/healthz"} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", s.server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+s.token)
		gzipped(req)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusOK || res.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: %d, %v", path, res.StatusCode, res.Header)
		}
	}
}
