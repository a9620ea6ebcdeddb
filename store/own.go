package store

import (
	"context"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"webshell/composer"
)

// OwnMessage is a message that a person sent, as it stands in the log.
type OwnMessage struct {
	Seq       int64
	RequestID string // "" in a log from elsewhere
	At        time.Time
	Message   composer.Message
}

// ownBytes bounds one read of OwnMessages: no more messages once there is so
// much.
const ownBytes = 4 << 20

// OwnMessages reads up to limit messages that a person sent in a session before
// a seq (0: the newest), newest first, fewer where they are large. more reports
// that there are earlier ones. ErrNotFound where the session is not the
// viewer's.
func (s *Store) OwnMessages(ctx context.Context, v Viewer, sessionID string, before int64, limit int) (list []OwnMessage, more bool, err error) {
	if before == 0 {
		before = math.MaxInt64
	}
	const read = `
select e.seq, coalesce(e.rpc_id::text, ''), e.at, coalesce(e.content, ''), e.annotations
from events e join sessions s on s.id = e.session_id
where e.session_id = $1 and s.owner_id = $2 and e.seq < $3
	and e.kind = 'user/message' and e.source ->> 'kind' = 'user'
order by e.seq desc limit $4`
	whole := false
	b := &pgx.Batch{}
	b.Queue(`select 1 from sessions where id = $1 and owner_id = $2`, sessionID, v.UserID).
		QueryRow(func(row pgx.Row) error { return notFound(row.Scan(new(int))) })
	b.Queue(read, sessionID, v.UserID, before, limit+1).Query(func(rows pgx.Rows) (err error) {
		list, whole, err = collectWithin(rows, scanOwnMessage, ownBytes)
		return err
	})
	if err := s.pool.SendBatch(ctx, b).Close(); err != nil {
		return nil, false, err
	}
	if len(list) > limit {
		return list[:limit], true, nil
	}
	return list, !whole, nil
}

func scanOwnMessage(row pgx.CollectableRow) (OwnMessage, error) {
	var m OwnMessage
	var annotations []byte
	if err := row.Scan(&m.Seq, &m.RequestID, &m.At, &m.Message.Content, &annotations); err != nil {
		return m, err
	}
	if annotations != nil {
		m.Message.Annotations = storedAnnotations(m.Message.Content, annotations)
	}
	return m, nil
}
