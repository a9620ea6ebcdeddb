package handlers

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"webshell/composer"
	"webshell/store"
)

// Messages of one answer: by default, and at most.
const (
	defaultOwn = 50
	maxOwn     = 200
)

type ownJSON struct {
	Seq         int64           `json:"seq"`
	RequestID   string          `json:"requestId,omitempty"`
	At          time.Time       `json:"at"`
	Content     string          `json:"content"`
	Annotations json.RawMessage `json:"annotations"`
}

// ownMessages is what a person has sent in a session, newest first, to be
// called back into the message box. The store gives fewer than asked for where
// they are large.
func (s *Server) ownMessages(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	id, err := sessionID(r)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	before, err := seqParam("before", query.Get("before"))
	if err != nil {
		return err
	}
	limit, err := limitParam(query.Get("limit"), defaultOwn, maxOwn)
	if err != nil {
		return err
	}
	messages, more, err := s.store.OwnMessages(r.Context(), v, id, before, limit)
	if err != nil {
		return err
	}
	list := make([]ownJSON, len(messages))
	for i, m := range messages {
		list[i] = ownJSON{m.Seq, m.RequestID, m.At, m.Message.Content, composer.Encode(m.Message.Annotations)}
	}
	writeJSON(w, http.StatusOK, map[string]any{"messages": list, "more": more})
	return nil
}

// limitParam reads how many of something are asked for; "" is usual, and most
// is given however many more are asked for.
func limitParam(value string, usual, most int) (int, error) {
	if value == "" {
		return usual, nil
	}
	limit, err := strconv.Atoi(value)
	if err != nil || limit < 1 {
		return 0, badRequest("limit", "want a number from 1")
	}
	return min(limit, most), nil
}
