package handlers

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"sync"
	"time"

	"github.com/a-h/templ"

	"webshell/web/locales"
	"webshell/web/templates"
)

type nonceKey struct{}

// printer speaks the request's language: the one that was chosen, or else one
// that the browser asks for.
func (s *Server) printer(r *http.Request) *locales.Printer {
	return locales.For(locales.Match(chosen(r, langCookie), r.Header.Get("Accept-Language")))
}

// view is what every template needs for this request.
func (s *Server) view(r *http.Request) templates.View {
	nonce, _ := r.Context().Value(nonceKey{}).(string)
	return templates.View{
		URLs:        s.urls,
		P:           s.printer(r),
		Nonce:       nonce,
		Theme:       theme(r),
		Icons:       s.icons,
		Now:         time.Now(),
		Markdown:    s.markdown.Render,
		UserContent: s.userContent,
	}
}

// maxKeptBuffer bounds what is kept for the next page: one very long page must
// not stay in memory for good.
const maxKeptBuffer = 1 << 20

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// render answers with a page, or with its fragment where a script asks for
// that. It is rendered whole before anything is written: an error never leaves
// half a page under a 200.
func (s *Server) render(w http.ResponseWriter, r *http.Request, v templates.View, status int, page, fragment templ.Component) error {
	if wantsFragment(r) {
		page = fragment
	}
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	defer func() {
		if buf.Cap() <= maxKeptBuffer {
			buffers.Put(buf)
		}
	}()
	if err := page.Render(r.Context(), buf); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Language", string(v.P.Lang()))
	h.Add("Vary", "Accept, Accept-Language, Cookie, HX-Request")
	w.WriteHeader(status)
	w.Write(buf.Bytes())
	return nil
}

// policy is the content security policy of every page.
func policy(nonce string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-" + nonce + "'; " +
		"img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}

// protect sets the headers that every answer carries.
func protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var b [16]byte
		rand.Read(b[:]) // never fails, by its contract
		nonce := base64.RawStdEncoding.EncodeToString(b[:])
		h := w.Header()
		h.Set("Content-Security-Policy", policy(nonce))
		h.Set("X-Frame-Options", "DENY")
		h.Set("X-Content-Type-Options", "nosniff")
		// Not no-referrer: under it browsers send "Origin: null" with forms, and
		// on plain http there is no Sec-Fetch-Site to tell such a form is ours.
		h.Set("Referrer-Policy", "same-origin")
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), nonceKey{}, nonce)))
	})
}
