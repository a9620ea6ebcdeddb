package store

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"webshell/internal/session"
)

// SessionInfo is a session as a list or a page's head shows it.
type SessionInfo struct {
	ID          string
	Title       string
	Agent       string
	LastSeq     int64
	UpdatedAt   time.Time
	Running     bool   // a turn waits or runs
	Turn        string // which; "" for none
	NeedsAnswer bool   // and waits for a permission
}

// The log is looked at where a turn runs only, and there from that turn on.
const selectSessions = `
select s.id, s.title, s.agent, s.last_seq, s.updated_at, coalesce(t.id::text, ''),
	case t.state when 'running' then exists (
		select from events q where q.session_id = s.id and q.seq > t.started_seq and q.kind = 'permission/requested'
		and not exists (
			select from events a where a.session_id = s.id and a.kind = 'permission/resolved' and a.seq > q.seq
			and a.body ->> 'permissionId' = q.body ->> 'permissionId')) else false end
from sessions s left join turns t on t.session_id = s.id and t.state in ('waiting', 'running')
where s.owner_id = $1 `

func scanSession(row pgx.CollectableRow) (SessionInfo, error) {
	var s SessionInfo
	err := row.Scan(&s.ID, &s.Title, &s.Agent, &s.LastSeq, &s.UpdatedAt, &s.Turn, &s.NeedsAnswer)
	s.Running = s.Turn != ""
	return s, err
}

// Sessions are the viewer's sessions, the most recently changed first.
func (s *Store) Sessions(ctx context.Context, v Viewer, limit int) ([]SessionInfo, error) {
	rows, err := s.pool.Query(ctx, selectSessions+`order by s.updated_at desc limit $2`, v.UserID, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanSession)
}

// watchedLimit bounds SessionsToWatch.
const watchedLimit = 200

// SessionsToWatch are those of the viewer's sessions in which a turn is active,
// and those with the given ids, the most recently changed first.
func (s *Store) SessionsToWatch(ctx context.Context, v Viewer, ids []string) ([]SessionInfo, error) {
	const which = `and s.id in (
	select session_id from turns where state in ('waiting', 'running') union select unnest($2::uuid[]))
order by s.updated_at desc limit $3`
	rows, err := s.pool.Query(ctx, selectSessions+which, v.UserID, ids, watchedLimit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanSession)
}

// Session is one session of the viewer's, or ErrNotFound.
func (s *Store) Session(ctx context.Context, v Viewer, sessionID string) (SessionInfo, error) {
	rows, err := s.pool.Query(ctx, selectSessions+`and s.id = $2`, v.UserID, sessionID)
	if err != nil {
		return SessionInfo{}, err
	}
	info, err := pgx.CollectExactlyOneRow(rows, scanSession)
	return info, notFound(err)
}

// NewSession begins an empty session.
func (s *Store) NewSession(ctx context.Context, v Viewer, agent, title string) (string, error) {
	var id string
	err := s.inTx(ctx, func(tx pgx.Tx) (err error) {
		id, err = insertSession(ctx, tx, v, agent, title)
		return err
	})
	return id, err
}

func insertSession(ctx context.Context, tx pgx.Tx, v Viewer, agent, title string) (id string, err error) {
	title = storableText(title)
	err = tx.QueryRow(ctx, `insert into sessions (owner_id, agent, title) values ($1, $2, $3) returning id`, v.UserID, agent, title).Scan(&id)
	if err == nil && title != "" {
		_, err = appendEvents(ctx, tx, id, session.Event{Payload: session.SessionTitled{Title: title}})
	}
	return id, err
}

// OpenSession begins a session with its first message, in one transaction. The
// request id counts once per person here: sent again, it leads to the session
// that it opened. sub.SessionID is ignored.
func (s *Store) OpenSession(ctx context.Context, v Viewer, agent, title string, sub Submission) (Receipt, error) {
	r, err := s.openedBefore(ctx, v, sub)
	if !errors.Is(err, pgx.ErrNoRows) {
		return r, err
	}
	err = s.inTx(ctx, func(tx pgx.Tx) error {
		id, err := insertSession(ctx, tx, v, agent, title)
		if err != nil {
			return err
		}
		sub.SessionID, sub.opens = id, true
		r, err = submit(ctx, tx, v, sub)
		return err
	})
	if sqlState(err, "23505") { // the same request id won a race on another connection
		return s.openedBefore(ctx, v, sub)
	}
	if err != nil {
		return Receipt{}, err
	}
	s.submitted(r)
	return r, nil
}

func (s *Store) openedBefore(ctx context.Context, v Viewer, sub Submission) (Receipt, error) {
	const find = `select session_id from submissions where user_id = $1 and request_id = $2 and opened_session`
	if err := s.pool.QueryRow(ctx, find, v.UserID, sub.RequestID).Scan(&sub.SessionID); err != nil {
		return Receipt{}, err
	}
	return scanReceipt(s.pool.QueryRow(ctx, selectSubmission, sub.SessionID, sub.RequestID), sub)
}
