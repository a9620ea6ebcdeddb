package handlers

import (
	"net/http"

	"webshell/internal/logfile"
	"webshell/store"
)

// Events of one answer: by default, and at most.
const (
	defaultEvents = 1000
	maxEvents     = 10_000
)

// events is the session's log as JSON. The store gives fewer events than asked
// for where they are large: who reads goes on until it has the one "last" names.
func (s *Server) events(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	id, err := sessionID(r)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	after, err := seqParam("after", query.Get("after"))
	if err != nil {
		return err
	}
	limit, err := limitParam(query.Get("limit"), defaultEvents, maxEvents)
	if err != nil {
		return err
	}
	records, last, err := s.store.Records(r.Context(), v, id, after, limit)
	if err != nil {
		return err
	}
	list := make([]logfile.Event, len(records))
	for i, rec := range records {
		list[i] = logfile.EventOf(rec)
	}
	writeJSON(w, http.StatusOK, map[string]any{"events": list, "last": last})
	return nil
}
