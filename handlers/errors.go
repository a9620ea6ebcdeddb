package handlers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"webshell/store"
	"webshell/web/templates"
)

// fault is an error as the person who made the request sees it: a code that
// names it in JSON and in the language files ("error.<code>"), and the field
// it is about, if any. cause goes to the log only, reason to programs as well.
type fault struct {
	status int
	code   string
	field  string
	reason string // what a program has to change, in English
	cause  error
	kept   *templates.Composer // what the person typed, to be shown again

	keptEdit *templates.QueueEdit // or what was to be saved
}

func (f *fault) Error() string {
	if f.cause != nil {
		return f.code + ": " + f.cause.Error()
	}
	return f.code
}

func (f *fault) Unwrap() error { return f.cause }

// badRequest is for what no person can cause by typing: want says what belongs
// there.
func badRequest(field, want string) *fault {
	return &fault{status: http.StatusBadRequest, code: "bad_request", field: field, reason: want}
}

func unprocessable(code, field string) *fault {
	return &fault{status: http.StatusUnprocessableEntity, code: code, field: field}
}

// keeping adds what the person typed to an error, so that its page can show it
// in a form that can be sent: with another request id where that one is taken
// by another message, and without tags where they cannot be read, since a
// person can neither see nor change them.
func keeping(err error, kept templates.Composer) error {
	if err == nil {
		return nil
	}
	f := *faultOf(err)
	switch {
	case f.code == "request_id_reused":
		kept.RequestID = uuid.NewString()
	case f.field == "tags":
		kept.Tags = ""
	}
	f.kept = &kept
	return &f
}

// storeFaults are the store's errors in the words of HTTP.
var storeFaults = []struct {
	err    error
	status int
	code   string
}{
	{store.ErrNotFound, http.StatusNotFound, "not_found"},
	{store.ErrRequestIDReused, http.StatusConflict, "request_id_reused"},
	{store.ErrQueueFull, http.StatusConflict, "queue_full"},
	{store.ErrTurnOver, http.StatusConflict, "no_turn"},
	{store.ErrAnswered, http.StatusConflict, "already_answered"},
	{store.ErrTaken, http.StatusConflict, "already_taken"},
	{store.ErrDeleted, http.StatusConflict, "already_deleted"},
	{store.ErrHeld, http.StatusConflict, "being_edited"},
	{store.ErrEditedElsewhere, http.StatusConflict, "edited_elsewhere"},
	{store.ErrNoRetry, http.StatusConflict, "nothing_to_retry"},
}

// faultOf reads any error as a fault. What is not known is "internal": its
// text stays in the log.
func faultOf(err error) *fault {
	var f *fault
	if errors.As(err, &f) {
		return f
	}
	for _, known := range storeFaults {
		if errors.Is(err, known.err) {
			return &fault{status: known.status, code: known.code, cause: err}
		}
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return &fault{status: http.StatusRequestEntityTooLarge, code: "too_large", cause: err}
	case store.Full(err):
		return &fault{status: http.StatusInsufficientStorage, code: "storage_full", cause: err}
	case store.Unavailable(err):
		return &fault{status: http.StatusServiceUnavailable, code: "unavailable", cause: err}
	}
	return &fault{status: http.StatusInternalServerError, code: "internal", cause: err}
}

// handler is a handler that returns its error instead of writing it.
type handler func(w http.ResponseWriter, r *http.Request) error

// handle is the one place where errors become answers.
func (s *Server) handle(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			s.fail(w, r, err)
		}
	}
}

func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(r.Context().Err(), context.Canceled) && s.closing.Err() == nil {
		w.WriteHeader(statusClientGone) // for the metrics: nobody reads it
		return
	}
	f := faultOf(err)
	id := ""
	if f.status >= http.StatusInternalServerError {
		id = uuid.NewString()
		s.log.LogAttrs(r.Context(), slog.LevelError, "request failed",
			slog.String("id", id), slog.String("method", r.Method), slog.String("path", r.URL.Path),
			slog.String("code", f.code), slog.Any("err", f.cause))
	}
	if f.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "2")
	}
	if wantsJSON(r) {
		s.failJSON(w, r, f, id)
		return
	}
	s.failHTML(w, r, f, id)
}

// statusClientGone is nginx' status for a client that closed its connection.
const statusClientGone = 499

// recovered answers for a handler that panicked, unless its answer had begun:
// then only cutting the connection tells the client that it is not whole.
func (s *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &statusRecorder{ResponseWriter: w}
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if cause == http.ErrAbortHandler {
				panic(cause)
			}
			s.log.Error("a handler panicked", "method", r.Method, "path", r.URL.Path, "panic", cause, "stack", string(debug.Stack()))
			if rec.status != 0 {
				panic(http.ErrAbortHandler)
			}
			s.fail(w, r, fmt.Errorf("panic: %v", cause))
		}()
		next.ServeHTTP(rec, r)
	})
}

type errorJSON struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Field   string `json:"field,omitempty"`
	ID      string `json:"id,omitempty"`
}

func (s *Server) failJSON(w http.ResponseWriter, r *http.Request, f *fault, id string) {
	p := s.printer(r)
	message := p.T("error."+f.code) + " " + p.T("error."+f.code+".hint")
	if f.reason != "" {
		message = p.T("error."+f.code) + " (" + f.reason + ")"
	}
	writeJSON(w, f.status, map[string]errorJSON{"error": {f.code, message, f.field, id}})
}

func (s *Server) failHTML(w http.ResponseWriter, r *http.Request, f *fault, id string) {
	v := s.view(r)
	page := templates.ErrorView{
		Page:    templates.Page{Title: v.P.T("error." + f.code)},
		Status:  f.status,
		Code:    f.code,
		Message: v.P.T("error." + f.code),
		Hint:    v.P.T("error." + f.code + ".hint"),
		ID:      id,
		Kept:    f.kept,

		KeptEdit: f.keptEdit,
		BackURL:  s.backFrom(r),
	}
	fragment := templates.ErrorFragment(v, page)
	if f.kept == nil && f.keptEdit == nil && r.Method != http.MethodGet && r.Method != http.MethodHead {
		// The page that asked stays, and says so.
		fragment = templates.ErrorNotice(v, page)
	}
	if err := s.render(w, r, v, f.status, templates.ErrorPage(v, page), fragment); err != nil {
		s.log.Error("render an error page", "err", err)
		http.Error(w, page.Message, f.status)
	}
}

// backFrom is the page that an action was taken on: the session's. "" where
// there is none other than home.
func (s *Server) backFrom(r *http.Request) string {
	if rctx := chi.RouteContext(r.Context()); rctx != nil && r.Method != http.MethodGet && r.Method != http.MethodHead {
		if id := parseID(rctx.URLParam("session")); id != "" {
			return s.urls.SessionNewest(id)
		}
	}
	return ""
}
