package handlers

import (
	"net/http"
	"strings"

	"webshell/store"
)

// maxWatched bounds the sessions that one request asks about by id.
const maxWatched = 32

type statusJSON struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	LastSeq     int64  `json:"lastSeq"`
	Running     bool   `json:"running"`
	NeedsAnswer bool   `json:"needsAnswer"`
}

// status tells what runs, what waits for the person, and how far the sessions
// asked about have come: for tabs that hold no stream.
func (s *Server) status(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	ids := []string{}
	for value := range strings.SplitSeq(r.URL.Query().Get("ids"), ",") {
		if value == "" {
			continue
		}
		id := parseID(value)
		if id == "" || len(ids) == maxWatched {
			return badRequest("ids", "want at most 32 ids of sessions, with commas between them")
		}
		ids = append(ids, id)
	}
	sessions, err := s.store.SessionsToWatch(r.Context(), v, ids)
	if err != nil {
		return err
	}
	list := make([]statusJSON, len(sessions))
	for i, info := range sessions {
		list[i] = statusJSON{info.ID, info.Title, info.LastSeq, info.Running, info.NeedsAnswer}
	}
	writeJSON(w, http.StatusOK, map[string]any{"sessions": list})
	return nil
}
