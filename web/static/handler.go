package static

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// onceZipped compresses on first use: most programs that import this package
// never serve. It answers nil where the result would not be smaller.
func onceZipped(content []byte) func() []byte {
	return sync.OnceValue(func() []byte {
		var out bytes.Buffer
		w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
		if err != nil {
			panic("static: " + err.Error())
		}
		if _, err := w.Write(content); err != nil {
			return nil
		}
		if err := w.Close(); err != nil || out.Len() >= len(content) {
			return nil
		}
		return out.Bytes()
	})
}

// Handler serves /static/NAME, with the base path already taken off. A hashed
// name may be kept for ever; a plain one is asked for again each time. What is
// not there answers 404, methods other than GET and HEAD 405.
func Handler() http.Handler {
	return http.HandlerFunc(serve)
}

func serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	name, ok := strings.CutPrefix(r.URL.Path, "/static/")
	a, found := byName[name]
	if !ok || !found {
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}

	h.Set("Content-Type", a.kind)
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
	if a.forever {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	body, etag := a.plain, a.etag
	if accepts(r.Header.Values("Accept-Encoding"), "gzip") {
		if z := a.zipped(); z != nil {
			body, etag = z, strings.TrimSuffix(a.etag, `"`)+`-gzip"`
			h.Set("Content-Encoding", "gzip")
		}
	}
	h.Set("ETag", etag)
	if holds(r.Header.Values("If-None-Match"), etag) {
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodHead {
		return
	}
	// A client that went away is no error of ours.
	_, _ = w.Write(body)
}

// accepts reads Accept-Encoding (RFC 9110, 12.5.3): the coding is named, or
// "*" is, without a weight of zero.
func accepts(values []string, coding string) bool {
	any := false
	for item := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name, params, _ := strings.Cut(item, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name != coding && name != "*" {
			continue
		}
		ok := !zeroWeight(params)
		if name == coding {
			return ok
		}
		any = ok
	}
	return any
}

func zeroWeight(params string) bool {
	value, ok := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q=")
	if !ok {
		return false
	}
	q, err := strconv.ParseFloat(value, 64)
	return err != nil || q <= 0
}

// holds reads If-None-Match: one of the tags listed, weak or not, is etag.
func holds(values []string, etag string) bool {
	for item := range strings.SplitSeq(strings.Join(values, ","), ",") {
		if tag := strings.TrimPrefix(strings.TrimSpace(item), "W/"); tag == etag || tag == "*" {
			return true
		}
	}
	return false
}
