package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"webshell/composer"
	"webshell/internal/session"
)

// Held is a message under a hold: its text is for editing.
type Held struct {
	RequestID string
	Message   composer.Message
	Hold      string    // names the edit; what saves it names it too
	Until     time.Time // then the hold ends by itself
}

// Hold keeps a waiting message from being taken while it is edited, for the
// time d. The hold of an edit that is under way is prolonged by its name; ""
// begins an edit, and takes the message over from whoever edits it. Errors:
// ErrNotFound, ErrTaken, ErrDeleted, ErrEditedElsewhere.
func (s *Store) Hold(ctx context.Context, v Viewer, sessionID, requestID, hold string, d time.Duration) (held Held, err error) {
	const write = `
update inbox set held_by = coalesce($3::uuid, gen_random_uuid()), held_until = now() + $4, sending_now = false
where session_id = $1 and request_id = $2 returning held_by::text, held_until`
	err = s.changeRow(ctx, v, sessionID, requestID, func(tx pgx.Tx, row queueRow) ([]session.Event, error) {
		if hold != "" && hold != row.Hold {
			return nil, ErrEditedElsewhere
		}
		held = Held{RequestID: row.RequestID, Message: row.Message}
		if err := tx.QueryRow(ctx, write, sessionID, requestID, nonEmpty(hold), d).Scan(&held.Hold, &held.Until); err != nil || row.Held {
			return nil, err
		}
		return changed(session.InboxHeld, requestID), nil
	})
	return held, err
}

// Release ends a hold and changes nothing else. A hold that is not the
// message's is nobody's by now, which is no error; "" stands for whichever it
// is. Errors: ErrNotFound, ErrTaken, ErrDeleted.
func (s *Store) Release(ctx context.Context, v Viewer, sessionID, requestID, hold string) error {
	const write = `update inbox set held_by = null, held_until = null where session_id = $1 and request_id = $2`
	return s.changeRow(ctx, v, sessionID, requestID, func(tx pgx.Tx, row queueRow) ([]session.Event, error) {
		if hold != "" && hold != row.Hold {
			return nil, nil
		}
		if _, err := tx.Exec(ctx, write, sessionID, requestID); err != nil || !row.Held {
			return nil, err
		}
		return changed(session.InboxReleased, requestID), nil
	})
}

// Edit saves another message under a waiting message's request id, and ends the
// hold. change makes it from the one that waits; it may be called again. Where
// hold is not the message's latest edit, or it is "" while somebody edits,
// nothing is saved: ErrEditedElsewhere. Further errors: ErrNotFound, ErrTaken,
// ErrDeleted, ErrQueueFull, and change's own.
func (s *Store) Edit(ctx context.Context, v Viewer, sessionID, requestID, hold string, change func(composer.Message) (composer.Message, error)) (saved composer.Message, err error) {
	const write = `
update inbox set content = $3, annotations = $4, held_by = null, held_until = null
where session_id = $1 and request_id = $2`
	err = s.changeRow(ctx, v, sessionID, requestID, func(tx pgx.Tx, row queueRow) ([]session.Event, error) {
		if hold != row.Hold && (hold != "" || row.Held) {
			return nil, ErrEditedElsewhere
		}
		var err error
		if saved, err = change(row.Message); err != nil {
			return nil, err
		}
		annotations := composer.Encode(saved.Annotations)
		longer := len(saved.Content)+len(annotations) > len(row.Message.Content)+len(composer.Encode(row.Message.Annotations))
		if longer && row.session.bytes >= InboxBytes {
			return nil, ErrQueueFull
		}
		_, err = tx.Exec(ctx, write, sessionID, requestID, saved.Content, annotations)
		return changed(session.InboxEdited, requestID), err
	})
	return saved, err
}

// endHolds lets go of messages whose edit was abandoned, one session at a time,
// so that an idle session goes on. Who held one can still save until somebody
// else edits it.
func (s *Store) endHolds(ctx context.Context) error {
	const find = `select distinct session_id::text from inbox where held_until <= now()`
	rows, err := s.pool.Query(ctx, find)
	if err != nil {
		return err
	}
	sessions, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, id := range sessions {
		if err := s.endHoldsIn(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) endHoldsIn(ctx context.Context, sessionID string) error {
	const end = `update inbox set held_until = null where session_id = $1 and held_until <= now() returning request_id::text`
	promoted := false
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockForLog, sessionID); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, end, sessionID)
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		var log []session.Event
		for _, id := range ids {
			log = append(log, changed(session.InboxReleased, id)...)
		}
		var now sessionNow
		const active = `select coalesce((select id::text from turns where session_id = $1 and state in ('waiting', 'running')), '')`
		if err := tx.QueryRow(ctx, active, sessionID).Scan(&now.turn); err != nil {
			return err
		}
		promoted, err = settle(ctx, tx, sessionID, now, log)
		return err
	})
	if err == nil {
		s.wentOn(sessionID, promoted)
	}
	return err
}
