package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"webshell/internal/session"
)

// changeQueue does something with what waits in a session, under the session's
// lock: change writes it and returns the events that log it, none where nothing
// has changed. Then an idle session goes on, if it may. change may be called
// again.
func (s *Store) changeQueue(ctx context.Context, v Viewer, sessionID string, change func(tx pgx.Tx, now sessionNow) ([]session.Event, error)) error {
	promoted := false
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		now, err := lockSession(ctx, tx, v, sessionID)
		if err != nil {
			return err
		}
		log, err := change(tx, now)
		if err != nil {
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

// settle logs what was done to a queue, and lets an idle session go on.
func settle(ctx context.Context, tx pgx.Tx, sessionID string, now sessionNow, log []session.Event) (promoted bool, err error) {
	if len(log) == 0 {
		return false, nil
	}
	if _, err := appendEvents(ctx, tx, sessionID, log...); err != nil || now.active() {
		return false, err
	}
	return promote(ctx, tx, sessionID)
}

// queueRow is a message that waits, and its session.
type queueRow struct {
	Waiting
	session sessionNow
}

// changeRow is changeQueue for one message. Where it does not wait nothing is
// done: ErrTaken, ErrDeleted, or ErrNotFound where it was never sent.
func (s *Store) changeRow(ctx context.Context, v Viewer, sessionID, requestID string, change func(tx pgx.Tx, row queueRow) ([]session.Event, error)) error {
	return s.changeQueue(ctx, v, sessionID, func(tx pgx.Tx, now sessionNow) ([]session.Event, error) {
		w, err := waitingRow(ctx, tx, sessionID, requestID)
		if err != nil {
			return nil, err
		}
		return change(tx, queueRow{w, now})
	})
}

func waitingRow(ctx context.Context, tx pgx.Tx, sessionID, requestID string) (Waiting, error) {
	rows, err := tx.Query(ctx, `select `+waitingColumns+` from inbox i where i.session_id = $1 and i.request_id = $2`, sessionID, requestID)
	if err != nil {
		return Waiting{}, err
	}
	w, err := pgx.CollectExactlyOneRow(rows, scanWaiting)
	if errors.Is(err, pgx.ErrNoRows) {
		err = whereGone(ctx, tx, sessionID, requestID)
	}
	return w, err
}

// whereGone is why a message does not wait.
func whereGone(ctx context.Context, tx pgx.Tx, sessionID, requestID string) error {
	const look = `
select exists (select from submissions where session_id = $1 and request_id = $2),
	exists (select from events where session_id = $1 and rpc_id = $2 and kind = 'user/message')`
	var sent, logged bool
	err := tx.QueryRow(ctx, look, sessionID, requestID).Scan(&sent, &logged)
	switch {
	case err != nil:
		return err
	case logged:
		return ErrTaken
	case sent:
		return ErrDeleted
	}
	return ErrNotFound
}

// changed is the event of a change that leaves messages in their lanes.
func changed(change, requestID string) []session.Event {
	return []session.Event{{Payload: session.InboxChanged{Change: change, RequestID: requestID}}}
}

// Delete takes a waiting message back. One that was deleted before stays so,
// without an error. Errors: ErrNotFound, ErrTaken.
func (s *Store) Delete(ctx context.Context, v Viewer, sessionID, requestID string) error {
	err := s.changeRow(ctx, v, sessionID, requestID, func(tx pgx.Tx, row queueRow) ([]session.Event, error) {
		_, err := tx.Exec(ctx, `delete from inbox where session_id = $1 and request_id = $2`, sessionID, requestID)
		return []session.Event{{Payload: session.InboxSpliced{
			Lane: row.Lane, Removed: []string{row.RequestID}, Outcome: session.InboxCanceled,
		}}}, err
	})
	if errors.Is(err, ErrDeleted) {
		return nil
	}
	return err
}
