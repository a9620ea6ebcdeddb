package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"webshell/internal/session"
)

// Stop asks the running turn of a session to end; what it has said so far is
// kept. What waits then waits for Resume, unless the person prefers that it goes
// on. With a turn named that one alone is meant: where it has ended, nothing is
// done. Stop reports whether a turn was there to stop.
func (s *Store) Stop(ctx context.Context, v Viewer, sessionID, turn string) (stopping bool, err error) {
	const pause = `
update sessions s set queue_paused = true from users u
where s.id = $1 and u.id = $2 and u.after_stop = 'wait' and not s.queue_paused`
	err = s.stopTurn(ctx, v, sessionID, turn, func(tx pgx.Tx, now sessionNow, stops bool) ([]session.Event, error) {
		stopping = stops
		if !stops || now.waiting == 0 {
			return nil, nil
		}
		tag, err := tx.Exec(ctx, pause, sessionID, v.UserID)
		if err != nil || tag.RowsAffected() == 0 {
			return nil, err
		}
		return changed(session.InboxPaused, ""), nil
	})
	return stopping && err == nil, err
}

// Resume lets a paused queue go on. Where it is not paused nothing is done.
func (s *Store) Resume(ctx context.Context, v Viewer, sessionID string) error {
	return s.changeQueue(ctx, v, sessionID, func(tx pgx.Tx, now sessionNow) ([]session.Event, error) {
		if !now.paused {
			return nil, nil
		}
		_, err := tx.Exec(ctx, `update sessions set queue_paused = false where id = $1`, sessionID)
		return changed(session.InboxResumed, ""), err
	})
}

// SendNow makes exactly this message the next one, whatever is paused or held.
// A turn that runs is stopped first; with a turn named that one alone: where
// another has begun meanwhile, the message goes after it. It reports whether a
// turn was there to stop. Errors: ErrNotFound, ErrTaken, ErrDeleted, ErrHeld.
func (s *Store) SendNow(ctx context.Context, v Viewer, sessionID, requestID, turn string) (stopping bool, err error) {
	const write = `
update inbox set lane = 'next-turn', sending_now = true, held_by = null, held_until = null
where session_id = $1 and request_id = $2`
	err = s.stopTurn(ctx, v, sessionID, turn, func(tx pgx.Tx, _ sessionNow, stops bool) ([]session.Event, error) {
		stopping = stops
		w, err := waitingRow(ctx, tx, sessionID, requestID)
		switch {
		case err != nil:
			return nil, err
		case w.Held:
			return nil, ErrHeld
		case w.SendingNow:
			return nil, nil
		}
		var log []session.Event
		if w.Lane == session.LaneNextStep {
			log = moved([]string{requestID}, session.LaneNextStep, session.LaneNextTurn)
		}
		_, err = tx.Exec(ctx, write, sessionID, requestID)
		return append(log, changed(session.InboxNext, requestID)...), err
	})
	return stopping && err == nil, err
}

// Steer has a waiting message enter the running turn at its next step; with a
// turn named that one alone. Whether the turn's agent takes messages is for the
// caller to know. Errors: ErrNotFound, ErrTaken, ErrDeleted, ErrHeld, and
// ErrTurnOver: then it waits as before.
func (s *Store) Steer(ctx context.Context, v Viewer, sessionID, requestID, turn string) error {
	const write = `
update inbox set lane = 'next-step', entered_at = clock_timestamp(), sending_now = false, held_by = null, held_until = null
where session_id = $1 and request_id = $2`
	return s.changeRow(ctx, v, sessionID, requestID, func(tx pgx.Tx, row queueRow) ([]session.Event, error) {
		switch {
		case row.Held:
			return nil, ErrHeld
		case !row.session.active(), turn != "" && turn != row.session.turn:
			return nil, ErrTurnOver
		case row.Lane == session.LaneNextStep:
			return nil, nil
		}
		_, err := tx.Exec(ctx, write, sessionID, requestID)
		return moved([]string{requestID}, session.LaneNextTurn, session.LaneNextStep), err
	})
}

// stopTurn is changeQueue for what stops the active turn as well, turn or else
// whichever it is. change is told whether there is one.
func (s *Store) stopTurn(ctx context.Context, v Viewer, sessionID, turn string, change func(tx pgx.Tx, now sessionNow, stops bool) ([]session.Event, error)) error {
	promoted := false
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		// The turn before the session, as runners lock them. It cannot end then,
		// and one that begins only now is not the one that was meant.
		active, err := lockTurn(ctx, tx, v, sessionID, turn)
		if err != nil {
			return err
		}
		now, err := lockSession(ctx, tx, v, sessionID)
		if err != nil {
			return err
		}
		log, err := change(tx, now, active != "")
		if err != nil {
			return err
		}
		if active != "" {
			const stop = `update turns set stop_requested_at = coalesce(stop_requested_at, now()) where id = $1`
			if _, err := tx.Exec(ctx, stop, active); err != nil {
				return err
			}
		}
		promoted, err = settle(ctx, tx, sessionID, now, log)
		return err
	})
	if err == nil {
		s.wentOn(sessionID, promoted)
	}
	return err
}

// lockTurn locks a session's active turn, the named one or else whichever it is,
// and returns its id, or "" where there is none.
func lockTurn(ctx context.Context, tx pgx.Tx, v Viewer, sessionID, turn string) (id string, err error) {
	const lock = `
select t.id::text from turns t join sessions s on s.id = t.session_id
where s.id = $1 and s.owner_id = $2 and t.state in ('waiting', 'running') and ($3::uuid is null or t.id = $3)
for no key update of t`
	err = tx.QueryRow(ctx, lock, sessionID, v.UserID, nonEmpty(turn)).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return id, err
}
