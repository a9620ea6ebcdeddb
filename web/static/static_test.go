package static

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"webshell/web/static/bundle"
)

func get(t *testing.T, method, path string, header map[string]string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	for k, v := range header {
		r.Header.Set(k, v)
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) []byte {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestURL(t *testing.T) {
	t.Parallel()
	if got := URL("/prefix", "app.css"); !regexp.MustCompile(`^/prefix/static/app\.[0-9a-f]{12}\.css$`).MatchString(got) {
		t.Errorf("got %s", got)
	}
	if got := URL("", "nothing.css"); got != "/static/nothing.css" {
		t.Errorf("got %s", got)
	}
}

func TestHandler(t *testing.T) {
	t.Parallel()
	css, icon := URL("", "app.css"), URL("", "favicon.svg")
	for name, tc := range map[string]struct {
		method, path string
		header       map[string]string
		status       int
		want         map[string]string
	}{
		"hashed": {http.MethodGet, css, nil, 200, map[string]string{
			"Content-Type": "text/css; charset=utf-8", "Cache-Control": "public, max-age=31536000, immutable",
			"X-Content-Type-Options": "nosniff", "Content-Encoding": "", "Vary": "Accept-Encoding",
		}},
		"plain name":        {http.MethodGet, "/static/app.css", nil, 200, map[string]string{"Cache-Control": "no-cache"}},
		"icon":              {http.MethodGet, icon, nil, 200, map[string]string{"Content-Type": "image/svg+xml"}},
		"gzip":              {http.MethodGet, css, map[string]string{"Accept-Encoding": "br, gzip"}, 200, map[string]string{"Content-Encoding": "gzip"}},
		"gzip weighed":      {http.MethodGet, css, map[string]string{"Accept-Encoding": "GZIP;q=0.5"}, 200, map[string]string{"Content-Encoding": "gzip"}},
		"gzip refused":      {http.MethodGet, css, map[string]string{"Accept-Encoding": "gzip;q=0, *"}, 200, map[string]string{"Content-Encoding": ""}},
		"any coding":        {http.MethodGet, css, map[string]string{"Accept-Encoding": "*"}, 200, map[string]string{"Content-Encoding": "gzip"}},
		"head":              {http.MethodHead, css, nil, 200, nil},
		"wrong hash":        {http.MethodGet, "/static/app.000000000000.css", nil, 404, map[string]string{"X-Content-Type-Options": "nosniff"}},
		"unknown":           {http.MethodGet, "/static/x.css", nil, 404, nil},
		"the folder":        {http.MethodGet, "/static/", nil, 404, nil},
		"a way out":         {http.MethodGet, "/static/../static.go", nil, 404, nil},
		"a source":          {http.MethodGet, "/static/css/base.css", nil, 404, nil},
		"another path":      {http.MethodGet, "/app.css", nil, 404, nil},
		"post":              {http.MethodPost, css, nil, 405, map[string]string{"Allow": "GET, HEAD"}},
		"known already":     {http.MethodGet, css, map[string]string{"If-None-Match": `"x", ` + etagOf(css)}, 304, nil},
		"known as another":  {http.MethodGet, css, map[string]string{"If-None-Match": `"x"`}, 200, nil},
		"known, compressed": {http.MethodGet, css, map[string]string{"If-None-Match": etagOf(css), "Accept-Encoding": "gzip"}, 200, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := get(t, tc.method, tc.path, tc.header)
			if got.StatusCode != tc.status {
				t.Fatalf("status %d, want %d", got.StatusCode, tc.status)
			}
			for k, v := range tc.want {
				if got.Header.Get(k) != v {
					t.Errorf("%s is %q, want %q", k, got.Header.Get(k), v)
				}
			}
			if empty := tc.method == http.MethodHead || tc.status == 304; empty != (len(body(t, got)) == 0) {
				t.Error("a body where none belongs, or none where one does")
			}
		})
	}
}

func etagOf(path string) string { return byName[strings.TrimPrefix(path, "/static/")].etag }

func TestCompressedIsTheSame(t *testing.T) {
	t.Parallel()
	plain := body(t, get(t, http.MethodGet, URL("", "app.css"), nil))
	z, err := gzip.NewReader(bytes.NewReader(body(t, get(t, http.MethodGet, URL("", "app.css"), map[string]string{"Accept-Encoding": "gzip"}))))
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(plain, unpacked) {
		t.Error("the compressed style sheet is another")
	}
}

// TestBundleIsFresh: the style sheet that is served is what its sources give.
func TestBundleIsFresh(t *testing.T) {
	t.Parallel()
	want, err := bundle.CSS("css", "../../internal/markdown/chroma.css")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("app.css")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("app.css is stale: run go generate ./web/static")
	}
	folder, err := os.ReadDir("css")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folder {
		if !slices.Contains(bundle.Sources, f.Name()) {
			t.Errorf("%s is not in the bundle", f.Name())
		}
	}
}

// maxCSS bounds the style sheet, compressed, in bytes.
const maxCSS = 12 << 10

func TestStyleSheetIsSmall(t *testing.T) {
	t.Parallel()
	if got := len(byName["app.css"].zipped()); got > maxCSS {
		t.Errorf("%d bytes compressed, at most %d are allowed", got, maxCSS)
	}
}

// TestStyleSheetLoadsNothing: no import, no address, nothing that the page's
// policy would refuse.
func TestStyleSheetLoadsNothing(t *testing.T) {
	t.Parallel()
	if found := regexp.MustCompile(`@import|url\(|expression\(|@charset`).FindAll(byName["app.css"].plain, -1); found != nil {
		t.Errorf("found %q", found)
	}
}
