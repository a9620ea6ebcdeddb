package logfile

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"webshell/composer"
	"webshell/internal/session"
	"webshell/store"
)

// Event is an event as JSON, in files and for programs.
type Event struct {
	Seq         int64           `json:"seq"`
	Kind        string          `json:"kind"`
	At          time.Time       `json:"at"`
	Source      json.RawMessage `json:"source,omitempty"`
	RPCID       string          `json:"rpcId,omitempty"`
	Content     *string         `json:"content,omitempty"`
	Annotations json.RawMessage `json:"annotations,omitempty"` // of a person's message, "[]" for none
	Body        json.RawMessage `json:"body"`
}

// EventOf is the event that a record holds.
func EventOf(r store.Record) Event {
	e := Event{Seq: r.Seq, Kind: r.Kind, At: r.At.UTC(), Source: r.Source, RPCID: r.RPCID, Content: r.Content, Body: r.Body}
	if isPersons(r) {
		e.Annotations = composer.Encode(r.Annotations)
	}
	return e
}

// isPersons tells a message that a person submitted: the only kind of event
// that has annotations.
func isPersons(r store.Record) bool {
	return r.Kind == string(session.KindUserMessage) && session.SourceKind(r.Source) == session.SourceUser
}

// chunk is how many events are read and written at a time.
const chunk = 1000

// Export writes a session's log as it is when Export begins. Where it fails, w
// has got whole chunks only. ErrNotFound where the session is not the viewer's.
func Export(ctx context.Context, s *store.Store, v store.Viewer, sessionID string, w io.Writer) error {
	records, last, err := s.Records(ctx, v, sessionID, 0, chunk)
	for seq := int64(0); err == nil && seq < last && len(records) > 0; {
		if err = write(w, records, last); err != nil {
			return err
		}
		seq = records[len(records)-1].Seq
		records, _, err = s.Records(ctx, v, sessionID, seq, chunk)
	}
	return err
}

// write writes the records up to the one that last names.
func write(w io.Writer, records []store.Record, last int64) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, r := range records {
		if r.Seq > last {
			return nil
		}
		if err := enc.Encode(EventOf(r)); err != nil {
			return err
		}
	}
	return nil
}
