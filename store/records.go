package store

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"webshell/composer"
	"webshell/internal/session"
)

// Record is an event as the log holds it, for programs: its body is not read.
type Record struct {
	Seq         int64
	Kind        string
	At          time.Time
	Source      json.RawMessage
	RPCID       string
	Content     *string
	Annotations []composer.Annotation // nil where the event has none of its own
	Body        json.RawMessage
}

// recordBytes bounds one read of Records: no more events once there is so much.
const recordBytes = 32 << 20

// Records reads up to limit events after a seq, fewer where they are large:
// there are more as long as the newest that was read is not last, the session's
// newest seq. ErrNotFound where the session is not the viewer's.
func (s *Store) Records(ctx context.Context, v Viewer, sessionID string, after int64, limit int) (records []Record, last int64, err error) {
	b := &pgx.Batch{}
	b.Queue(`select last_seq from sessions where id = $1 and owner_id = $2`, sessionID, v.UserID).
		QueryRow(func(row pgx.Row) error { return notFound(row.Scan(&last)) })
	b.Queue(`select e.seq, e.kind, e.at, e.source, coalesce(e.rpc_id::text, ''), e.content, e.annotations, e.body
		from events e join sessions s on s.id = e.session_id
		where e.session_id = $1 and s.owner_id = $2 and e.seq > $3 order by e.seq limit $4`, sessionID, v.UserID, after, limit).
		Query(func(rows pgx.Rows) (err error) {
			records, _, err = collectWithin(rows, scanRecord, recordBytes)
			return err
		})
	err = s.pool.SendBatch(ctx, b).Close()
	if n := len(records); n > 0 {
		last = max(last, records[n-1].Seq) // written between the two reads
	}
	return records, last, err
}

func scanRecord(row pgx.CollectableRow) (Record, error) {
	var r Record
	var source, annotations, body []byte
	if err := row.Scan(&r.Seq, &r.Kind, &r.At, &source, &r.RPCID, &r.Content, &annotations, &body); err != nil {
		return r, err
	}
	r.Source, r.Body = source, body
	if annotations != nil && r.Kind == string(session.KindUserMessage) && r.Content != nil {
		r.Annotations = storedAnnotations(*r.Content, annotations)
	}
	return r, nil
}
