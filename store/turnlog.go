package store

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"webshell/internal/session"
)

// TurnLog is the store as the turn runner sees it: it acts for no person, and
// every write is fenced by a lease. Locks are taken in one order, turn before
// session, so that runners cannot deadlock with each other.
type TurnLog struct{ s *Store }

// TurnLog gives access for the turn runner.
func (s *Store) TurnLog() *TurnLog { return &TurnLog{s} }

// Claim takes the oldest waiting turn and logs turn/started.
func (l *TurnLog) Claim(ctx context.Context, owner string, lease time.Duration) (t session.Turn, claimed bool, err error) {
	const claim = `
update turns set state = 'running', owner = $1, attempt = attempt + 1, lease_until = now() + $2
where id = (select id from turns where state = 'waiting' order by created_at for update skip locked limit 1)
returning id, session_id, agent, attempt, message_seq`
	err = l.s.inTx(ctx, func(tx pgx.Tx) error {
		t, claimed = session.Turn{}, false
		var messageSeq int64
		t.Owner = owner
		err := tx.QueryRow(ctx, claim, owner, lease).Scan(&t.TurnID, &t.SessionID, &t.Agent, &t.Attempt, &messageSeq)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		started := session.TurnStarted{Turn: t.TurnID, Message: messageSeq, Agent: t.Agent, Attempt: t.Attempt}
		seq, err := appendEvents(ctx, tx, t.SessionID, session.Event{Payload: started})
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `update turns set started_seq = $2 where id = $1`, t.TurnID, seq); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `select `+eventColumnList+` from events e where session_id = $1 and seq = $2`, t.SessionID, messageSeq)
		if err != nil {
			return err
		}
		t.Message, err = pgx.CollectExactlyOneRow(rows, scanEvent)
		claimed = err == nil
		return err
	})
	if err == nil && claimed {
		l.s.notifier.committed(t.SessionID)
	}
	return t, claimed && err == nil, err
}

// Heartbeat prolongs the lease.
func (l *TurnLog) Heartbeat(ctx context.Context, lease session.Lease, d time.Duration) error {
	const beat = `update turns set lease_until = now() + $4 where id = $1 and owner = $2 and attempt = $3 and state = 'running'`
	tag, err := l.s.pool.Exec(ctx, beat, lease.TurnID, lease.Owner, lease.Attempt, d)
	if err == nil && tag.RowsAffected() == 0 {
		return session.ErrFenced
	}
	return err
}

// Signals reads what reached the turn from outside.
func (l *TurnLog) Signals(ctx context.Context, lease session.Lease) (session.Signals, error) {
	const read = `
select t.stop_requested_at is not null,
	exists (select from inbox i where i.session_id = t.session_id and i.lane = 'next-step'
		and not coalesce(i.held_until > now(), false)),
	(select jsonb_object_agg(a.body ->> 'permissionId', a.body ->> 'optionId') from events a
		where a.session_id = t.session_id and a.seq > t.started_seq and a.kind = 'permission/resolved'
		and a.body ->> 'outcome' = 'selected')
from turns t where t.id = $1 and t.owner = $2 and t.attempt = $3 and t.state = 'running'`
	var signals session.Signals
	err := l.s.pool.QueryRow(ctx, read, lease.TurnID, lease.Owner, lease.Attempt).
		Scan(&signals.Stop, &signals.Steering, &signals.Answers)
	if errors.Is(err, pgx.ErrNoRows) {
		err = session.ErrFenced
	}
	return signals, err
}

// Append logs events in order. An event that closes a streamed block removes
// its pieces. A write whose number was applied before is not applied again.
func (l *TurnLog) Append(ctx context.Context, lease session.Lease, events ...session.Event) error {
	err := l.s.inTx(ctx, func(tx pgx.Tx) error {
		applied, err := beginWrite(ctx, tx, lease)
		if err != nil || applied {
			return err
		}
		logged, err := withoutAnswered(ctx, tx, lease.SessionID, events)
		if err != nil || len(logged) == 0 {
			return err
		}
		if _, err := appendEvents(ctx, tx, lease.SessionID, logged...); err != nil {
			return err
		}
		if !closesBlock(logged) {
			return nil
		}
		_, err = tx.Exec(ctx, `delete from pieces where session_id = $1`, lease.SessionID)
		return err
	})
	if err == nil {
		l.s.notifier.committed(lease.SessionID)
	}
	return err
}

// beginWrite makes sure of the lease, and takes note of the write's number. It
// reports whether that write was applied before. The turn's row stays locked:
// who would take the turn away waits for this transaction.
func beginWrite(ctx context.Context, tx pgx.Tx, lease session.Lease) (applied bool, err error) {
	const note = `
with held as (
	select id, last_write from turns
	where id = $1 and owner = $2 and attempt = $3 and state = 'running' for no key update),
noted as (
	update turns t set last_write = $4 from held where t.id = held.id and held.last_write < $4)
select $4 > 0 and last_write >= $4 from held`
	err = tx.QueryRow(ctx, note, lease.TurnID, lease.Owner, lease.Attempt, lease.Write).Scan(&applied)
	if errors.Is(err, pgx.ErrNoRows) {
		err = session.ErrFenced
	}
	return applied, err
}

// withoutAnswered leaves out what resolves a question that is resolved: the
// person answered while the agent took the question back. What came first
// stands. The session is locked, so that no answer can come in between.
func withoutAnswered(ctx context.Context, tx pgx.Tx, sessionID string, events []session.Event) ([]session.Event, error) {
	var kept []session.Event
	for i, e := range events {
		answered, err := isAnswered(ctx, tx, sessionID, e, events[:i])
		if err != nil {
			return nil, err
		}
		if !answered {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// isAnswered reports whether an event resolves a question, asked in an earlier
// write, that is resolved already.
func isAnswered(ctx context.Context, tx pgx.Tx, sessionID string, e session.Event, before []session.Event) (bool, error) {
	resolved, ok := e.Payload.(session.PermissionResolved)
	if !ok || slices.ContainsFunc(before, func(e session.Event) bool {
		asked, ok := e.Payload.(session.PermissionRequested)
		return ok && asked.PermissionID == resolved.PermissionID
	}) {
		return false, nil
	}
	if _, err := tx.Exec(ctx, lockForLog, sessionID); err != nil {
		return false, err
	}
	q, err := question(ctx, tx, sessionID, resolved.PermissionID)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return q.outcome != "", err
}

// lockForLog takes a session's lock where the turn's is held already.
const lockForLog = `select from sessions where id = $1 for no key update`

func closesBlock(events []session.Event) bool {
	for _, e := range events {
		switch e.Payload.(type) {
		case session.AssistantMessage, session.AssistantThought:
			return true
		}
	}
	return false
}

// Piece stores a part of the open block. A session has one open block at a
// time. opened_after is read once, for the block's first piece: the block that
// came before was closed by an event at or before it. lease.Write is the write
// that will close the block: a piece that comes after it, from a try that was
// given up, is not stored, or it would be shown beside the block, and closed a
// second time should the process die.
func (l *TurnLog) Piece(ctx context.Context, lease session.Lease, p session.Piece) error {
	const insert = `
with fence as (
	select 1 from turns where id = $2 and owner = $3 and attempt = $4 and state = 'running'
		and ($9::bigint = 0 or last_write < $9) for share)
insert into pieces (session_id, turn_id, block, n, kind, opened_after, text)
select $1, $2, $5, $6, $7, coalesce(
	(select opened_after from pieces where session_id = $1 and turn_id = $2 and block = $5 and n = 1),
	(select last_seq from sessions where id = $1)), $8
from fence
on conflict do nothing
returning n`
	var n int
	err := l.s.pool.QueryRow(ctx, insert, lease.SessionID, lease.TurnID, lease.Owner, lease.Attempt,
		p.Block, p.N, string(p.Kind), storableText(p.Text), lease.Write).Scan(&n)
	if errors.Is(err, pgx.ErrNoRows) {
		// Fenced, or a try whose answer was lost has stored this very piece.
		_, err = l.Signals(ctx, lease)
	}
	if err == nil {
		l.s.notifier.committed(lease.SessionID)
	}
	return err
}

// TakeSteering claims what waits in the next-step lane and logs it.
func (l *TurnLog) TakeSteering(ctx context.Context, lease session.Lease) ([]session.Event, error) {
	var taken []session.Event
	err := l.s.inTx(ctx, func(tx pgx.Tx) error {
		taken = nil
		if _, err := beginWrite(ctx, tx, session.Lease{TurnID: lease.TurnID, Owner: lease.Owner, Attempt: lease.Attempt}); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, lockForLog, lease.SessionID); err != nil {
			return err
		}
		messages, log, err := takeFromInbox(ctx, tx, lease.SessionID, session.LaneNextStep, takeSteering)
		if err != nil || len(log) == 0 {
			return err
		}
		taken = messages
		_, err = appendEvents(ctx, tx, lease.SessionID, log...)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(taken) > 0 {
		l.s.notifier.committed(lease.SessionID)
	}
	return taken, nil
}

// Finish ends the turn and makes the next waiting message the next turn.
func (l *TurnLog) Finish(ctx context.Context, lease session.Lease, outcome session.Outcome, message string, last ...session.Event) error {
	promoted := false
	err := l.s.inTx(ctx, func(tx pgx.Tx) error {
		applied, err := beginWrite(ctx, tx, lease)
		if err != nil {
			return err
		}
		if applied {
			last = nil // logged by an earlier try, whose answer was lost
		}
		const end = `update turns set state = 'ended', outcome = $2, ended_at = now() where id = $1`
		if _, err := tx.Exec(ctx, end, lease.TurnID, string(outcome)); err != nil {
			return err
		}
		promoted, err = endTurn(ctx, tx, lease.SessionID, append(last[:len(last):len(last)], ended(lease.TurnID, outcome, message)))
		return err
	})
	if err == nil {
		l.s.wentOn(lease.SessionID, promoted)
	}
	return err
}

// wentOn wakes whom a change of a session concerns that may have begun a turn.
func (s *Store) wentOn(sessionID string, promoted bool) {
	s.notifier.committed(sessionID)
	if promoted {
		s.notifier.committed(session.TopicTurns)
	}
}

func ended(turnID string, outcome session.Outcome, message string) session.Event {
	return session.Event{Payload: session.TurnEnded{Turn: turnID, Outcome: outcome, Error: message}}
}

// endTurn logs the last events of a turn whose row is ended already, and lets
// the session's next message begin.
func endTurn(ctx context.Context, tx pgx.Tx, sessionID string, last []session.Event) (promoted bool, err error) {
	if _, err := appendEvents(ctx, tx, sessionID, last...); err != nil {
		return false, err
	}
	if _, err := tx.Exec(ctx, `delete from pieces where session_id = $1`, sessionID); err != nil {
		return false, err
	}
	if err := returnSteering(ctx, tx, sessionID); err != nil {
		return false, err
	}
	return promote(ctx, tx, sessionID)
}

// Reap closes turns whose lease ran out, and lets go of messages whose edit was
// abandoned. A turn's open block is closed with the text of its pieces. Such a
// turn may have had effects outside, so it is never run again unless a person
// asks for it.
func (l *TurnLog) Reap(ctx context.Context) (int, error) {
	for reaped := 0; ; reaped++ {
		found, err := l.reapOne(ctx)
		if err != nil {
			return reaped, err
		}
		if !found {
			return reaped, l.s.endHolds(ctx)
		}
	}
}

func (l *TurnLog) reapOne(ctx context.Context) (found bool, err error) {
	var sessionID string
	promoted := false
	err = l.s.inTx(ctx, func(tx pgx.Tx) error {
		// In any order: one that cannot be closed does not keep the others open.
		const lost = `
update turns set state = 'ended', outcome = 'interrupted', ended_at = now()
where id = (select id from turns where state = 'running' and lease_until < now() order by random() for update skip locked limit 1)
returning id, session_id`
		var turnID string
		found = false
		err := tx.QueryRow(ctx, lost).Scan(&turnID, &sessionID)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		found = true
		open, err := openBlock(ctx, tx, sessionID)
		if err != nil {
			return err
		}
		promoted, err = endTurn(ctx, tx, sessionID, append(open, ended(turnID, session.Interrupted, "")))
		return err
	})
	if err == nil && found {
		l.s.wentOn(sessionID, promoted)
	}
	return found && err == nil, err
}

// openBlock is the event that closes a session's open block, if it has one.
func openBlock(ctx context.Context, tx pgx.Tx, sessionID string) ([]session.Event, error) {
	rows, err := tx.Query(ctx, `select turn_id::text, block, n, kind, opened_after, text, at from pieces where session_id = $1 order by turn_id, block, n`, sessionID)
	if err != nil {
		return nil, err
	}
	pieces, err := pgx.CollectRows(rows, scanPiece)
	if err != nil || len(pieces) == 0 {
		return nil, err
	}
	var text strings.Builder
	for _, p := range pieces {
		text.WriteString(p.Text)
	}
	return []session.Event{session.BlockEvent(pieces[0], text.String())}, nil
}

// History reads a session's log from its start up to a seq.
func (l *TurnLog) History(ctx context.Context, lease session.Lease, upTo int64) ([]session.Event, error) {
	rows, err := l.s.pool.Query(ctx, `select `+eventColumnList+` from events e where session_id = $1 and seq <= $2 order by seq`, lease.SessionID, upTo)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanEvent)
}
