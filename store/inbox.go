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
	RequestID  string
	Lane       string
	Message    composer.Message
	At         time.Time
	Hold       string // the latest edit's, also after it ended by itself; "" for none
	Held       bool   // it is being edited, and not taken meanwhile
	SendingNow bool   // it goes before all others
}

const waitingColumns = `i.request_id::text, i.lane, i.content, i.annotations, i.created_at,
	coalesce(i.held_by::text, ''), coalesce(i.held_until > now(), false), i.sending_now`

func scanWaiting(row pgx.CollectableRow) (Waiting, error) {
	var w Waiting
	var annotations []byte
	err := row.Scan(&w.RequestID, &w.Lane, &w.Message.Content, &annotations, &w.At, &w.Hold, &w.Held, &w.SendingNow)
	if err != nil {
		return w, err
	}
	w.Message.Annotations = storedAnnotations(w.Message.Content, annotations)
	return w, nil
}

// Queue is what waits in a session: what steers the running turn, then the
// rest, each in the order in which it will be taken.
type Queue struct {
	Waiting []Waiting
	Paused  bool // nothing is taken until a person says so
}

// Queue reads what waits in a session; nothing where it is not the viewer's.
func (s *Store) Queue(ctx context.Context, v Viewer, sessionID string) (q Queue, err error) {
	b := &pgx.Batch{}
	b.Queue(`select queue_paused from sessions where id = $1 and owner_id = $2`, sessionID, v.UserID).
		Query(func(rows pgx.Rows) error {
			_, err := pgx.ForEachRow(rows, []any{&q.Paused}, func() error { return nil })
			return err
		})
	b.Queue(`select `+waitingColumns+`
		from inbox i join sessions s on s.id = i.session_id
		where i.session_id = $1 and s.owner_id = $2
		order by i.lane, i.sending_now desc, case i.lane when 'next-step' then i.entered_at end, i.position`, sessionID, v.UserID).
		Query(func(rows pgx.Rows) (err error) {
			q.Waiting, err = pgx.CollectRows(rows, scanWaiting)
			return err
		})
	err = s.pool.SendBatch(ctx, b).Close()
	q.Paused = q.Paused && len(q.Waiting) > 0
	return q, err
}

// takeSteering removes what waits for the next step, in the order in which it
// came to, up to a message that is held. All changes of an inbox are made under
// the session's lock, so that none can come in between.
const takeSteering = `
with line as (
	select request_id, bool_or(coalesce(held_until > now(), false)) over (order by entered_at, position) as waits
	from inbox where session_id = $1 and lane = 'next-step'),
taken as (
	delete from inbox i using line l
	where i.session_id = $1 and i.request_id = l.request_id and not l.waits returning i.*)
select ` + waitingColumns + ` from taken i order by i.entered_at, i.position`

// takeNext removes the message that goes next, if one may go.
const takeNext = `
with head as (
	select i.request_id, i.sending_now or not (s.queue_paused or coalesce(i.held_until > now(), false)) as goes
	from inbox i join sessions s on s.id = i.session_id
	where i.session_id = $1 and i.lane = 'next-turn' order by i.sending_now desc, i.position limit 1)
delete from inbox i where i.session_id = $1 and i.request_id = (select request_id from head where goes)
returning ` + waitingColumns

// takeFromInbox removes rows with a statement of above and returns them with
// the events that log it: the splice, then each message.
func takeFromInbox(ctx context.Context, tx pgx.Tx, sessionID, lane, take string) (messages, log []session.Event, err error) {
	rows, err := tx.Query(ctx, take, sessionID)
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

// promote makes the message that goes next the next turn, if one may go. The
// caller holds the session's lock and no turn of the session is active.
func promote(ctx context.Context, tx pgx.Tx, sessionID string) (promoted bool, err error) {
	_, log, err := takeFromInbox(ctx, tx, sessionID, session.LaneNextTurn, takeNext)
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
	_, err = appendEvents(ctx, tx, sessionID, moved(ids, session.LaneNextStep, session.LaneNextTurn)...)
	return err
}

// moved are the events of messages that went from one lane to the other.
func moved(ids []string, from, to string) []session.Event {
	inserted := make([]session.InboxEntry, len(ids))
	for i, id := range ids {
		inserted[i].RequestID = id
	}
	return []session.Event{
		{Payload: session.InboxSpliced{Lane: from, Removed: ids, Outcome: session.InboxMoved}},
		{Payload: session.InboxSpliced{Lane: to, Inserted: inserted}},
	}
}

// Retry begins a new turn on the message of the session's last turn, if that
// did not complete and nothing has followed it; else ErrNoRetry. Where a turn
// is active already it does nothing: a button pressed twice counts once.
func (s *Store) Retry(ctx context.Context, v Viewer, sessionID string) error {
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		now, err := lockSession(ctx, tx, v, sessionID)
		if err != nil || now.active() {
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
