package handlers

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"webshell/store"
)

// saveDraft keeps what a person has written and not sent, in a session or on
// the home page. Unlike a message it may be blank; an empty one clears it.
func (s *Server) saveDraft(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	var d store.Draft
	if chi.URLParam(r, "session") != "" {
		id, err := sessionID(r)
		if err != nil {
			return err
		}
		d.SessionID = id
	}
	form, err := readSubmission(r)
	if err != nil {
		return err
	}
	if _, err := s.build(form); err != nil {
		return err
	}
	d.Text, d.Tags = form.text, string(form.tags)
	if err := s.store.SaveDraft(r.Context(), v, d); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
