package handlers

import (
	"encoding/json"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// wantsJSON reports whether a program asks: one that accepts JSON, or that
// sends JSON and does not ask for HTML.
func wantsJSON(r *http.Request) bool {
	json, html := weight(r, "application/json"), weight(r, "text/html")
	if json > 0 {
		return json >= html
	}
	return json < 0 && html <= 0 && mediaType(r) == "application/json"
}

// wantsFragment reports whether a script asks for a view without the page
// around it.
func wantsFragment(r *http.Request) bool { return r.Header.Get("HX-Request") == "true" }

// weight is the one that Accept gives a media type by its name (RFC 9110,
// 12.5.1): from 0, which refuses it, to 1; -1 where it is not named. Ranges
// such as */* do not count: programs and browsers both send them.
func weight(r *http.Request, want string) float64 {
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		name, params, err := mime.ParseMediaType(part)
		if err != nil || name != want {
			continue
		}
		q, given := params["q"]
		if !given {
			return 1
		}
		n, err := strconv.ParseFloat(q, 64)
		if err != nil || !(n >= 0 && n <= 1) {
			return 0
		}
		return n
	}
	return -1
}

func mediaType(r *http.Request) string {
	t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return t
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		panic("handlers: an answer of our own types always encodes: " + err.Error())
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(body)
}
