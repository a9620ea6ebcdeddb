package handlers

import (
	"encoding/json"
	"net/http"
	"slices"

	"webshell/store"
	"webshell/web/templates"
)

// preferences are read for each page, to be shown and to be acted on.
func (s *Server) preferences(r *http.Request, v store.Viewer) (templates.Preferences, error) {
	p, err := s.store.Preferences(r.Context(), v)
	return templates.Preferences{Enter: p.Enter, AfterStop: p.AfterStop}, err
}

// savePreferences takes what the person prefers on every browser.
func (s *Server) savePreferences(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	get, err := preferenceFields(w, r)
	if err != nil {
		return err
	}
	var p store.Preferences
	if p.Enter, err = oneOf("enter", get("enter", "enter"), store.EnterQueue, store.EnterSteer); err != nil {
		return err
	}
	if p.AfterStop, err = oneOf("afterStop", get("afterStop", "after_stop"), store.AfterStopWait, store.AfterStopDrain); err != nil {
		return err
	}
	if p == (store.Preferences{}) {
		return badRequest("", "want enter or afterStop")
	}
	if err := s.store.SavePreferences(r.Context(), v, p); err != nil {
		return err
	}
	if wantsFragment(r) || wantsJSON(r) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, s.cameFrom(r), http.StatusSeeOther)
	return nil
}

// preferenceFields gives the values of a small body by their names in JSON and
// in forms; "" for what was left out.
func preferenceFields(w http.ResponseWriter, r *http.Request) (get func(inJSON, inForm string) string, err error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxSmallForm)
	if mediaType(r) != "application/json" {
		form, err := readForm(r)
		return func(_, inForm string) string { return form.Get(inForm) }, err
	}
	object, err := readJSONObject(r)
	return func(inJSON, _ string) string {
		var value string
		if raw, sent := object[inJSON]; sent && json.Unmarshal(raw, &value) != nil {
			return string(raw) // which is none of the values
		}
		return value
	}, err
}

func oneOf(field, value string, values ...string) (string, error) {
	if value != "" && !slices.Contains(values, value) {
		return "", badRequest(field, "want one of the values that the page offers, or none")
	}
	return value, nil
}
