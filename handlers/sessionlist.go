package handlers

import (
	"net/http"
	"time"

	"webshell/store"
	"webshell/web/templates"
)

// sessionList is the list of sessions alone, for a page that is there already.
// A person who comes here is led home.
func (s *Server) sessionList(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	if !wantsJSON(r) && !wantsFragment(r) {
		http.Redirect(w, r, s.urls.Home(), http.StatusSeeOther)
		return nil
	}
	sessions, err := s.store.Sessions(r.Context(), v, listed)
	if err != nil {
		return err
	}
	if wantsJSON(r) {
		return s.homeJSON(w, sessions)
	}
	view, current := s.view(r), parseID(r.URL.Query().Get("current"))
	list := templates.SessionList(view, current, sessionItems(sessions, current))
	return s.render(w, r, view, http.StatusOK, list, list)
}

type sessionJSON struct {
	ID          string    `json:"id"`
	Title       string    `json:"title"`
	Agent       string    `json:"agent"`
	LastSeq     int64     `json:"lastSeq"`
	UpdatedAt   time.Time `json:"updatedAt"`
	Running     bool      `json:"running"`
	NeedsAnswer bool      `json:"needsAnswer"`
}

func toSessionJSON(i store.SessionInfo) sessionJSON {
	return sessionJSON{i.ID, i.Title, i.Agent, i.LastSeq, i.UpdatedAt, i.Running, i.NeedsAnswer}
}

func (s *Server) homeJSON(w http.ResponseWriter, sessions []store.SessionInfo) error {
	list := make([]sessionJSON, len(sessions))
	for i, info := range sessions {
		list[i] = toSessionJSON(info)
	}
	writeJSON(w, http.StatusOK, map[string]any{"sessions": list})
	return nil
}
