package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"

	"webshell/store"
)

// stop asks a turn to end: the one that is named, or whichever runs. Where it
// does not run there is nothing to do.
func (s *Server) stop(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	id, err := sessionID(r)
	if err != nil {
		return err
	}
	turn, _, err := optionalField(w, r, "turn")
	if err != nil {
		return err
	}
	if turn, err = optionalID("turn", turn); err != nil {
		return err
	}
	stopping, err := s.store.Stop(r.Context(), v, id, turn)
	if err != nil {
		return err
	}
	return s.done(w, r, id, map[string]any{"stopping": stopping})
}

// retry runs the last turn again, on the same message.
func (s *Server) retry(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	id, err := sessionID(r)
	if err != nil {
		return err
	}
	if err := s.store.Retry(r.Context(), v, id); err != nil {
		return err
	}
	return s.done(w, r, id, map[string]any{"retrying": true})
}

// answerPermission takes the person's answer to the agent's question.
func (s *Server) answerPermission(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	id, err := sessionID(r)
	if err != nil {
		return err
	}
	permission, err := pathParam(r, "*")
	if err != nil {
		return err
	}
	option, err := field(w, r, "option")
	if err != nil {
		return err
	}
	if option == "" {
		return badRequest("option", "want the id of one of the question's options")
	}
	if err := s.store.AnswerPermission(r.Context(), v, id, permission, option); err != nil {
		return err
	}
	return s.done(w, r, id, map[string]any{"permissionId": permission, "option": option})
}

// pathParam is a path segment, unescaped: the router cuts the path as it was
// escaped if its escaping is not the usual one, and else as it reads. What can
// be no name in the log names nothing.
func pathParam(r *http.Request, name string) (string, error) {
	value := chi.URLParam(r, name)
	if r.URL.RawPath != "" {
		var err error
		if value, err = url.PathUnescape(value); err != nil {
			return "", errNotFound
		}
	}
	if !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
		return "", errNotFound
	}
	return value, nil
}

// done answers an action: JSON, nothing to a script, whose stream shows what
// came of it, or back to the session's end.
func (s *Server) done(w http.ResponseWriter, r *http.Request, sessionID string, result any) error {
	switch {
	case wantsJSON(r):
		writeJSON(w, http.StatusOK, result)
		return nil
	case wantsFragment(r):
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, s.urls.SessionNewest(sessionID), http.StatusSeeOther)
	return nil
}
