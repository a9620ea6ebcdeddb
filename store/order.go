package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"webshell/internal/session"
)

// permute gives the named messages, in this order, the places that they have in
// the queue. What is not named stays where it is.
const permute = `
with named as (
	select i.request_id, i.position, n.ord
	from unnest($2::uuid[]) with ordinality n (request_id, ord)
	join inbox i on i.session_id = $1 and i.request_id = n.request_id and i.lane = 'next-turn'),
wanted as (select request_id, row_number() over (order by ord) as place from named),
places as (select position, row_number() over (order by position) as place from named)
update inbox i set position = p.position
from wanted w join places p on p.place = w.place
where i.session_id = $1 and i.request_id = w.request_id and i.position <> p.position`

// Order has the named messages, each named once, change places so that they
// stand in this order. What does not wait for the next turn, or no more, is left
// out: whoever asks may not have seen it go. Errors: ErrNotFound for the session.
func (s *Store) Order(ctx context.Context, v Viewer, sessionID string, requestIDs []string) error {
	return s.changeQueue(ctx, v, sessionID, func(tx pgx.Tx, _ sessionNow) ([]session.Event, error) {
		return order(ctx, tx, sessionID, requestIDs)
	})
}

func order(ctx context.Context, tx pgx.Tx, sessionID string, requestIDs []string) ([]session.Event, error) {
	tag, err := tx.Exec(ctx, permute, sessionID, requestIDs)
	if err != nil || tag.RowsAffected() == 0 {
		return nil, err
	}
	return changed(session.InboxOrdered, ""), nil
}

// The message with which another changes places.
const (
	neighbour = `
select i.request_id::text from inbox me join inbox i on i.session_id = me.session_id and i.lane = me.lane
where me.session_id = $1 and me.request_id = $2 and me.lane = 'next-turn' and not me.sending_now and not i.sending_now `
	lastBefore  = neighbour + `and i.position < me.position order by i.position desc limit 1`
	firstBehind = neighbour + `and i.position > me.position order by i.position limit 1`
)

// MoveUp has a message change places with the one before it; the first stays.
// Errors: ErrNotFound, ErrTaken, ErrDeleted.
func (s *Store) MoveUp(ctx context.Context, v Viewer, sessionID, requestID string) error {
	return s.swap(ctx, v, sessionID, requestID, lastBefore, func(before string) []string { return []string{requestID, before} })
}

// MoveDown has a message change places with the one behind it; the last stays.
// Errors: as of MoveUp.
func (s *Store) MoveDown(ctx context.Context, v Viewer, sessionID, requestID string) error {
	return s.swap(ctx, v, sessionID, requestID, firstBehind, func(behind string) []string { return []string{behind, requestID} })
}

func (s *Store) swap(ctx context.Context, v Viewer, sessionID, requestID, find string, ordered func(other string) []string) error {
	return s.changeRow(ctx, v, sessionID, requestID, func(tx pgx.Tx, _ queueRow) ([]session.Event, error) {
		var other string
		err := tx.QueryRow(ctx, find, sessionID, requestID).Scan(&other)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return nil, nil
		case err != nil:
			return nil, err
		}
		return order(ctx, tx, sessionID, ordered(other))
	})
}
