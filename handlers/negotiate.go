package handlers

import (
	"encoding/json"
	"mime"
	"net/http"
	"strings"
)

// wantsJSON reports whether a program asks: one that accepts JSON, or that
// sends JSON and does not ask for HTML.
func wantsJSON(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	if accepts(accept, "application/json") {
		return true
	}
	return mediaType(r) == "application/json" && !accepts(accept, "text/html")
}

// wantsFragment reports whether a script asks for a view without the page
// around it.
func wantsFragment(r *http.Request) bool { return r.Header.Get("HX-Request") == "true" }

func accepts(header, want string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, _, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(name), want) {
			return true
		}
	}
	return false
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
