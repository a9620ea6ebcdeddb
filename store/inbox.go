package store

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"webshell/composer"
	"webshell/internal/session"
)

// Waiting is a message in the inbox.
type Waiting struct {
	RequestID string
	Lane      string
	Message   composer.Message
	At        time.Time
}

func scanWaiting(row pgx.CollectableRow) (Waiting, error) {
	var w Waiting
	var annotations []byte
	if err := row.Scan(&w.RequestID, &w.Lane, &w.Message.Content, &annotations, &w.At); err != nil {
		return w, err
	}
	w.Message.Annotations = storedAnnotations(w.Message.Content, annotations)
	return w, nil
}

// Inbox is what waits in a session, in order.
func (s *Store) Inbox(ctx context.Context, v Viewer, sessionID string) ([]Waiting, error) {
	const list = `select i.request_id::text, i.lane, i.content, i.annotations, i.created_at
from inbox i join sessions s on s.id = i.session_id
where i.session_id = $1 and s.owner_id = $2 order by i.lane, i.position`
	rows, err := s.pool.Query(ctx, list, sessionID, v.UserID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanWaiting)
}

const takeWaiting = `
with taken as (
	delete from inbox where (session_id, request_id) in (
		select session_id, request_id from inbox
		where session_id = $1 and lane = $2 order by position limit $3 for update)
	returning request_id::text, lane, content, annotations, created_at, position
)
select request_id, lane, content, annotations, created_at from taken order by position`

// takeFromInbox removes up to limit rows from a lane's head and returns them
// with the events that log it: the splice, then each message.
func takeFromInbox(ctx context.Context, tx pgx.Tx, sessionID, lane string, limit int) (messages, log []session.Event, err error) {
	rows, err := tx.Query(ctx, takeWaiting, sessionID, lane, limit)
	if err != nil {
		return nil, nil, err
	}
	taken, err := pgx.CollectRows(rows, scanWaiting)
	if err != nil || len(taken) == 0 {
		return nil, nil, err
	}
	spliced := session.InboxSpliced{Lane: lane, Outcome: session.InboxClaimed}
	for _, w := range taken {
		spliced.Removed = append(spliced.Removed, w.RequestID)
		messages = append(messages, userMessage(Submission{RequestID: w.RequestID, Message: w.Message}, lane))
	}
	return messages, append([]session.Event{{Payload: spliced}}, messages...), nil
}

// promote makes the first waiting message the next turn. The caller holds the
// session's lock and no turn of the session is active.
func promote(ctx context.Context, tx pgx.Tx, sessionID string) (promoted bool, err error) {
	_, log, err := takeFromInbox(ctx, tx, sessionID, session.LaneNextTurn, 1)
	if err != nil || len(log) == 0 {
		return false, err
	}
	seq, err := appendEvents(ctx, tx, sessionID, log...)
	if err != nil {
		return false, err
	}
	const insert = `insert into turns (session_id, message_seq, agent) select $1, $2, agent from sessions where id = $1`
	_, err = tx.Exec(ctx, insert, sessionID, seq)
	return err == nil, err
}

// returnSteering moves what no step took to the lane of the next turn. There
// it stands by position, as everything does: in the order of submission.
func returnSteering(ctx context.Context, tx pgx.Tx, sessionID string) error {
	const move = `
with moved as (update inbox set lane = $3 where session_id = $1 and lane = $2 returning request_id, position)
select request_id::text from moved order by position`
	rows, err := tx.Query(ctx, move, sessionID, session.LaneNextStep, session.LaneNextTurn)
	if err != nil {
		return err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(ids) == 0 {
		return err
	}
	inserted := make([]session.InboxEntry, len(ids))
	for i, id := range ids {
		inserted[i].RequestID = id
	}
	_, err = appendEvents(ctx, tx, sessionID,
		session.Event{Payload: session.InboxSpliced{Lane: session.LaneNextStep, Removed: ids, Outcome: session.InboxMoved}},
		session.Event{Payload: session.InboxSpliced{Lane: session.LaneNextTurn, Inserted: inserted}})
	return err
}

// Stop asks the running turn of a session to end; what it has said so far is
// kept. It reports whether a turn was there to stop.
func (s *Store) Stop(ctx context.Context, v Viewer, sessionID string) (bool, error) {
	const request = `
update turns t set stop_requested_at = coalesce(stop_requested_at, now())
from sessions s where s.id = t.session_id and s.id = $1 and s.owner_id = $2 and t.state in ('waiting', 'running')`
	tag, err := s.pool.Exec(ctx, request, sessionID, v.UserID)
	if err != nil {
		return false, err
	}
	if tag.RowsAffected() == 0 {
		_, err := s.Session(ctx, v, sessionID)
		return false, err
	}
	s.notifier.committed(sessionID)
	return true, nil
}

// Retry begins a new turn on the message of the session's last turn, if that
// did not complete and nothing has followed it; else ErrNoRetry. Where a turn
// is active already it does nothing: a button pressed twice counts once.
func (s *Store) Retry(ctx context.Context, v Viewer, sessionID string) error {
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		now, err := lockSession(ctx, tx, v, sessionID)
		if err != nil || now.active {
			return err
		}
		const again = `
insert into turns (session_id, message_seq, agent)
select session_id, message_seq, agent from (
	select * from turns where session_id = $1 order by created_at desc limit 1) last
where outcome <> 'completed'`
		tag, err := tx.Exec(ctx, again, sessionID)
		if err == nil && tag.RowsAffected() == 0 {
			return ErrNoRetry
		}
		return err
	})
	if err == nil {
		s.notifier.committed(sessionID, session.TopicTurns)
	}
	return err
}

// AnswerPermission records the person's answer to a question of the running
// turn. The same answer again changes nothing. Errors: ErrNotFound for a
// question or option that is not there, ErrAnswered, ErrTurnOver.
func (s *Store) AnswerPermission(ctx context.Context, v Viewer, sessionID, permissionID, optionID string) error {
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		if _, err := lockSession(ctx, tx, v, sessionID); err != nil {
			return err
		}
		q, err := question(ctx, tx, sessionID, permissionID)
		if err != nil {
			return err
		}
		switch {
		case !q.offers(optionID):
			return ErrNotFound
		case q.outcome == session.PermissionSelected && q.answer == optionID:
			return nil
		case q.outcome == session.PermissionSelected:
			return ErrAnswered
		case q.outcome != "": // the agent took its question back
			return ErrTurnOver
		case !q.waits:
			return ErrTurnOver
		}
		_, err = appendEvents(ctx, tx, sessionID, session.Event{Payload: session.PermissionResolved{
			PermissionID: permissionID, Outcome: session.PermissionSelected, OptionID: optionID,
		}})
		return err
	})
	if err == nil {
		s.notifier.committed(sessionID)
	}
	return err
}

type asked struct {
	request session.PermissionRequested
	waits   bool   // the turn that asked still runs
	outcome string // "" while there is none
	answer  string // the option selected
}

func (q asked) offers(optionID string) bool {
	for _, o := range q.request.Options {
		if o.OptionID == optionID {
			return true
		}
	}
	return false
}

// question reads the newest question with this id: a foreign log may repeat it.
func question(ctx context.Context, tx pgx.Tx, sessionID, permissionID string) (asked, error) {
	const find = `
select q.body, exists (
		select from turns t where t.session_id = q.session_id and t.state = 'running' and t.started_seq < q.seq),
	coalesce(a.body ->> 'outcome', ''), coalesce(a.body ->> 'optionId', '')
from events q left join lateral (
	select body from events a where a.session_id = q.session_id and a.kind = 'permission/resolved'
		and a.body ->> 'permissionId' = $2 and a.seq > q.seq order by a.seq limit 1) a on true
where q.session_id = $1 and q.kind = 'permission/requested' and q.body ->> 'permissionId' = $2
order by q.seq desc limit 1`
	var q asked
	var body []byte
	if err := tx.QueryRow(ctx, find, sessionID, permissionID).Scan(&body, &q.waits, &q.outcome, &q.answer); err != nil {
		return q, notFound(err)
	}
	request, ok := session.DecodePayload(session.KindPermissionRequested, body).(session.PermissionRequested)
	if !ok {
		return q, errors.New("the question's event cannot be read")
	}
	q.request = request
	return q, nil
}
