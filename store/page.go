package store

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"webshell/internal/session"
)

// Bounds of a page of the transcript.
const (
	pageMessages = 50  // about so many messages, cut at a turn's start
	pageRows     = 200 // at most so many rows; a longer turn is cut
)

// Page is a part of a session's log, in order.
type Page struct {
	Events []session.Event
	// Pieces are those of the open block, on the last page only.
	Pieces []session.Piece
	// Earlier reports that the log goes on before Events[0].
	Earlier bool
	// Turn is set where the page begins inside a turn.
	Turn string
}

const eventColumnList = `e.seq, e.kind, e.at, e.source, coalesce(e.rpc_id::text, ''), coalesce(e.content, ''), e.annotations, e.body`

// ownEvents is the head of every read of the log: the viewer's session only.
const ownEvents = `select ` + eventColumnList + `
from events e join sessions s on s.id = e.session_id
where e.session_id = $1 and s.owner_id = $2 `

func scanEvent(row pgx.CollectableRow) (session.Event, error) {
	var e session.Event
	var kind string
	var source, annotations, body []byte
	if err := row.Scan(&e.Seq, &kind, &e.At, &source, &e.RPCID, &e.Content, &annotations, &body); err != nil {
		return e, err
	}
	e.Source = source
	if annotations != nil {
		e.Annotations = storedAnnotations(e.Content, annotations)
	}
	e.Payload = session.DecodePayload(session.Kind(kind), json.RawMessage(body))
	return e, nil
}

// Page reads the part of the log that ends before the given seq (0: the
// newest), about 50 messages long and cut at the start of a turn.
func (s *Store) Page(ctx context.Context, v Viewer, sessionID string, before int64) (Page, error) {
	var p Page
	var cut pageCut
	newest := before == 0
	if newest {
		before = 1 << 62
	}
	b := &pgx.Batch{}
	if newest {
		// Pieces first: a block that closes meanwhile is then among the events.
		b.Queue(selectPieces, sessionID, v.UserID, "", 0, 0).Query(func(rows pgx.Rows) (err error) {
			p.Pieces, err = pgx.CollectRows(rows, scanPiece)
			return err
		})
	}
	b.Queue(selectRowsBack, sessionID, v.UserID, before, pageRows+1).Query(func(rows pgx.Rows) error {
		back, err := pgx.CollectRows(rows, pgx.RowToStructByPos[pageRow])
		cut = cutPage(back)
		return err
	})
	if err := s.pool.SendBatch(ctx, b).Close(); err != nil {
		return p, err
	}
	b = &pgx.Batch{}
	b.Queue(ownEvents+`and e.seq >= $3 and e.seq < $4 order by e.seq`, sessionID, v.UserID, cut.from, before).Query(func(rows pgx.Rows) (err error) {
		p.Events, err = pgx.CollectRows(rows, scanEvent)
		return err
	})
	if cut.insideTurn {
		b.Queue(`select coalesce(max(body ->> 'turn'), '') from (
			select body from events where session_id = $1 and kind = 'turn/started' and seq < $2 order by seq desc limit 1) t`,
			sessionID, cut.from).QueryRow(func(row pgx.Row) error { return row.Scan(&p.Turn) })
	}
	p.Earlier = cut.from > 1
	return p, s.pool.SendBatch(ctx, b).Close()
}

// selectRowsBack lists, newest first, the events that make a row of their own,
// and whether each begins a turn.
const selectRowsBack = `
select e.seq, e.kind in ('user/message', 'assistant/message'),
	e.kind = 'user/message' and e.source ->> 'kind' = 'user' and coalesce(e.body ->> 'lane', '') <> 'next-step'
from events e join sessions s on s.id = e.session_id
where e.session_id = $1 and s.owner_id = $2 and e.seq < $3
	and e.kind <> all ('{tool/update,turn/started,inbox/spliced,session/titled,permission/resolved,commands/available}')
order by e.seq desc limit $4`

type pageRow struct {
	Seq        int64
	Message    bool
	BeginsTurn bool
}

type pageCut struct {
	from       int64 // the page's first seq
	insideTurn bool
}

// cutPage finds where a page begins, given its rows newest first: at the start
// of the turn in which the page's share of messages is reached, at a later
// turn where that would be too many rows, and inside a turn only where that
// turn alone is too long.
func cutPage(back []pageRow) pageCut {
	messages := 0
	last := pageCut{from: 1}
	for i, row := range back {
		if i == pageRows {
			if last.from > 1 {
				return last
			}
			return pageCut{from: back[i-1].Seq, insideTurn: true}
		}
		if row.Message {
			messages++
		}
		if row.BeginsTurn {
			last.from = row.Seq
			if messages >= pageMessages {
				return last
			}
		}
	}
	return pageCut{from: 1}
}

// Cursor is a place in a session's stream: after event Seq and, where N is
// set, after piece N of a block that Turn and Block name.
type Cursor struct {
	Seq   int64
	Turn  string
	Block int
	N     int
}

// FollowLimit bounds one read of the stream; a reader that gets as many events
// reads again.
const FollowLimit = 500

// Follow reads what came after the cursor: events, then the pieces of the
// open block. A block that Events close may still be among Pieces.
func (s *Store) Follow(ctx context.Context, v Viewer, sessionID string, after Cursor) (events []session.Event, pieces []session.Piece, err error) {
	b := &pgx.Batch{}
	b.Queue(selectPieces, sessionID, v.UserID, after.Turn, after.Block, after.N).Query(func(rows pgx.Rows) (err error) {
		pieces, err = pgx.CollectRows(rows, scanPiece)
		return err
	})
	b.Queue(ownEvents+`and e.seq > $3 order by e.seq limit $4`, sessionID, v.UserID, after.Seq, FollowLimit).Query(func(rows pgx.Rows) (err error) {
		events, err = pgx.CollectRows(rows, scanEvent)
		return err
	})
	err = s.pool.SendBatch(ctx, b).Close()
	return events, pieces, err
}

const selectPieces = `
select p.turn_id::text, p.block, p.n, p.kind, p.opened_after, p.text, p.at
from pieces p join sessions s on s.id = p.session_id
where p.session_id = $1 and s.owner_id = $2 and (p.turn_id::text <> $3 or p.block <> $4 or p.n > $5)
order by p.turn_id, p.block, p.n`

func scanPiece(row pgx.CollectableRow) (session.Piece, error) {
	var p session.Piece
	var kind string
	err := row.Scan(&p.Turn, &p.Block, &p.N, &kind, &p.OpenedAfter, &p.Text, &p.At)
	p.Kind = session.Kind(kind)
	return p, err
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
