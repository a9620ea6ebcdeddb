package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"webshell/composer"
	"webshell/internal/session"
)

// How much may wait in a session: so many messages, and no more of them once
// they come to so many bytes. All of it is read when the queue is shown.
const (
	InboxLimit = 1000
	InboxBytes = 64 << 20
)

// Submission is a message a person sends. RequestID is a UUID that the client
// makes once for each message; it is the only correlation there is.
type Submission struct {
	SessionID string
	RequestID string
	Message   composer.Message
	// Steer asks that a running turn takes the message at its next step.
	Steer bool

	opens bool // it is the first message of a session that it begins
}

// States of a submission when it was accepted.
const (
	StateLogged   = "logged"
	StateQueued   = "queued"
	StateSteering = "steering"
)

// Receipt says what became of a submission. The same request id and message
// again give the same receipt, with Replayed set, and with the Seq that a
// message which waited has by now.
type Receipt struct {
	SessionID string
	RequestID string
	State     string
	Seq       int64 // of the event; 0 while there is none
	Message   composer.Message
	Replayed  bool
}

// Submit accepts a message: into the log with a turn to answer it where the
// session is idle, else into its inbox. Errors: ErrNotFound,
// ErrRequestIDReused, ErrQueueFull.
func (s *Store) Submit(ctx context.Context, v Viewer, sub Submission) (Receipt, error) {
	var r Receipt
	err := s.inTx(ctx, func(tx pgx.Tx) (err error) {
		r, err = submit(ctx, tx, v, sub)
		return err
	})
	if err != nil {
		return Receipt{}, err
	}
	s.submitted(r)
	return r, nil
}

// submitted wakes whom an accepted submission concerns.
func (s *Store) submitted(r Receipt) {
	switch {
	case r.Replayed:
	case r.State == StateLogged:
		s.notifier.committed(r.SessionID, session.TopicTurns)
	default:
		s.notifier.committed(r.SessionID)
	}
}

// sessionNow is what a submission needs to know of its session, read under the
// session's lock.
type sessionNow struct {
	agent   string
	lastSeq int64
	paused  bool   // its queue
	turn    string // the one that waits or runs; "" where the session is idle
	running bool
	waiting int   // rows in the inbox
	bytes   int64 // of these
}

func (n sessionNow) active() bool { return n.turn != "" }

func (n sessionNow) full() bool { return n.waiting >= InboxLimit || n.bytes >= InboxBytes }

func submit(ctx context.Context, tx pgx.Tx, v Viewer, sub Submission) (Receipt, error) {
	var now sessionNow
	var earlier Receipt
	b := &pgx.Batch{}
	queueLock(b, v, sub.SessionID, &now)
	b.Queue(selectSubmission, sub.SessionID, sub.RequestID).QueryRow(func(row pgx.Row) (err error) {
		if earlier, err = scanReceipt(row, sub); errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return Receipt{}, err
	}
	switch {
	case earlier.Replayed:
		return earlier, nil
	case !now.active() && (now.waiting == 0 || now.paused):
		// A paused queue is set aside: what is said to an idle session begins a
		// turn, as ever.
		return logMessage(ctx, tx, v, sub, now)
	case now.full():
		return Receipt{}, ErrQueueFull
	case sub.Steer && now.running:
		return enqueue(ctx, tx, v, sub, now, session.LaneNextStep, StateSteering)
	default:
		return enqueue(ctx, tx, v, sub, now, session.LaneNextTurn, StateQueued)
	}
}

// lockSession takes the session's lock, under which everything about it is
// then read and changed.
func lockSession(ctx context.Context, tx pgx.Tx, v Viewer, sessionID string) (now sessionNow, err error) {
	b := &pgx.Batch{}
	queueLock(b, v, sessionID, &now)
	err = tx.SendBatch(ctx, b).Close()
	return now, err
}

// queueLock is lockSession as the head of a batch: each statement after the
// first sees what was committed before the lock was given.
func queueLock(b *pgx.Batch, v Viewer, sessionID string, now *sessionNow) {
	b.Queue(`select agent, last_seq, queue_paused from sessions where id = $1 and owner_id = $2 for no key update`, sessionID, v.UserID).
		QueryRow(func(row pgx.Row) error { return notFound(row.Scan(&now.agent, &now.lastSeq, &now.paused)) })
	// Neither size takes reading the text itself.
	b.Queue(`select coalesce(t.state = 'running', false), coalesce(t.id::text, ''), i.n, i.bytes
		from (select count(*) as n, coalesce(sum(octet_length(content) + pg_column_size(annotations)), 0) as bytes
			from inbox where session_id = $1) i
		left join turns t on t.session_id = $1 and t.state in ('waiting', 'running')`, sessionID).
		QueryRow(func(row pgx.Row) error { return row.Scan(&now.running, &now.turn, &now.waiting, &now.bytes) })
}

const selectSubmission = `
select s.body_hash, s.state, coalesce(e.seq, 0), s.result, e.content, e.annotations
from submissions s left join events e
	on e.session_id = s.session_id and e.rpc_id = s.request_id and e.kind = 'user/message'
where s.session_id = $1 and s.request_id = $2`

// scanReceipt reads the receipt of an earlier submission with this request id,
// or fails with pgx.ErrNoRows where there is none.
func scanReceipt(row pgx.Row, sub Submission) (Receipt, error) {
	r := Receipt{SessionID: sub.SessionID, RequestID: sub.RequestID, Replayed: true}
	var hash []byte
	var result *storedMessage
	var content *string
	var annotations []byte
	if err := row.Scan(&hash, &r.State, &r.Seq, &result, &content, &annotations); err != nil {
		return Receipt{}, err
	}
	if !bytes.Equal(hash, hashOf(sub.Message)) {
		return Receipt{}, ErrRequestIDReused
	}
	switch {
	case result != nil: // what waited may have been changed since
		r.Message = composer.Message{Content: result.Content, Annotations: storedAnnotations(result.Content, result.Annotations)}
	case content != nil:
		r.Message = composer.Message{Content: *content, Annotations: storedAnnotations(*content, annotations)}
	}
	return r, nil
}

// storedMessage is a message as submissions.result keeps it.
type storedMessage struct {
	Content     string          `json:"content"`
	Annotations json.RawMessage `json:"annotations"`
}

// hashOf tells two messages apart. The content's length comes first, so that
// no text can pass for another text with annotations.
func hashOf(m composer.Message) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "%d\n", len(m.Content))
	h.Write([]byte(m.Content))
	h.Write(composer.Encode(m.Annotations))
	return h.Sum(nil)
}

func userMessage(sub Submission, lane string) session.Event {
	return session.Event{
		Source:      session.UserSource(sub.RequestID),
		RPCID:       sub.RequestID,
		Content:     sub.Message.Content,
		Annotations: sub.Message.Annotations,
		Payload:     session.UserMessage{Lane: lane},
	}
}

func queueSubmission(b *pgx.Batch, v Viewer, sub Submission, state string, seq *int64, result *storedMessage) {
	const insert = `
insert into submissions (session_id, request_id, user_id, opened_session, body_hash, state, seq, result)
values ($1, $2, $3, $4, $5, $6, $7, $8)`
	b.Queue(insert, sub.SessionID, sub.RequestID, v.UserID, sub.opens, hashOf(sub.Message), state, seq, result)
}

func logMessage(ctx context.Context, tx pgx.Tx, v Viewer, sub Submission, now sessionNow) (Receipt, error) {
	seq := now.lastSeq + 1 // nobody else numbers an event while the lock is held
	b := &pgx.Batch{}
	if err := queueEvents(b, sub.SessionID, userMessage(sub, "")); err != nil {
		return Receipt{}, err
	}
	b.Queue(`insert into turns (session_id, message_seq, agent) values ($1, $2, $3)`, sub.SessionID, seq, now.agent)
	queueSubmission(b, v, sub, StateLogged, &seq, nil)
	if now.lastSeq == 0 {
		b.Queue(`update sessions set title = $2 where id = $1 and title = ''`, sub.SessionID, session.TitleFrom(sub.Message.Content))
	}
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return Receipt{}, err
	}
	return Receipt{SessionID: sub.SessionID, RequestID: sub.RequestID, State: StateLogged, Seq: seq, Message: sub.Message}, nil
}

func enqueue(ctx context.Context, tx pgx.Tx, v Viewer, sub Submission, now sessionNow, lane, state string) (Receipt, error) {
	result := storedMessage{Content: sub.Message.Content, Annotations: composer.Encode(sub.Message.Annotations)}
	spliced := session.Event{Payload: session.InboxSpliced{Lane: lane, Inserted: []session.InboxEntry{{RequestID: sub.RequestID}}}}
	b := &pgx.Batch{}
	if err := queueEvents(b, sub.SessionID, spliced); err != nil {
		return Receipt{}, err
	}
	b.Queue(`insert into inbox (session_id, request_id, lane, content, annotations, source) values ($1, $2, $3, $4, $5, $6)`,
		sub.SessionID, sub.RequestID, lane, result.Content, result.Annotations, session.UserSource(sub.RequestID))
	queueSubmission(b, v, sub, state, nil, &result)
	if now.paused && now.waiting == 0 {
		b.Queue(`update sessions set queue_paused = false where id = $1`, sub.SessionID) // what was paused is gone
	}
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return Receipt{}, err
	}
	return Receipt{SessionID: sub.SessionID, RequestID: sub.RequestID, State: state, Message: sub.Message}, nil
}
