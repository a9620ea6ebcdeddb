package handlers

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"webshell/composer"
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
	if len(form.text) > composer.MaxText {
		return &fault{status: http.StatusRequestEntityTooLarge, code: "too_large", field: "text"}
	}
	if form.tags != nil {
		if _, _, err := composer.Build(form.text, form.tags); err != nil {
			_, err := s.message(form)
			return err
		}
	}
	d.Text, d.Tags = form.text, string(form.tags)
	if err := s.store.SaveDraft(r.Context(), v, d); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
