package store

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"

	"webshell/internal/session"
)

// Bounds of a page of the transcript.
const (
	pageMessages = 50       // about so many messages, cut at a turn's start
	pageRows     = 200      // at most so many rows; a longer turn is cut
	pageEvents   = 5000     // at most so many events, those without a row of their own included
	pageBytes    = 16 << 20 // no more events once there is so much to read
	pageNext     = 8        // so many events after an older page
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
	// Next are the first events after an older page: what directly follows its
	// last row can concern that row.
	Next []session.Event
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
	var back []pageRow
	b := &pgx.Batch{}
	if before == 0 {
		before = math.MaxInt64
		// Pieces first: a block that closes meanwhile is then among the events.
		queuePieces(b, v, sessionID, Cursor{}, &p.Pieces)
	} else {
		b.Queue(ownEvents+`and e.seq >= $3 order by e.seq limit $4`, sessionID, v.UserID, before, pageNext).Query(func(rows pgx.Rows) (err error) {
			p.Next, err = pgx.CollectRows(rows, scanEvent)
			return err
		})
	}
	b.Queue(selectRowsBack, sessionID, v.UserID, before, pageEvents, pageRows+1).Query(func(rows pgx.Rows) (err error) {
		back, err = pgx.CollectRows(rows, pgx.RowToStructByPos[pageRow])
		return err
	})
	if err := s.pool.SendBatch(ctx, b).Close(); err != nil || len(back) == 0 {
		return p, err
	}
	cut := cutPage(back)
	rows, err := s.pool.Query(ctx, ownEvents+`and e.seq >= $3 and e.seq < $4 order by e.seq desc`, sessionID, v.UserID, cut.from, before)
	if err != nil {
		return p, err
	}
	newestFirst, whole, err := collectWithin(rows, scanEvent, pageBytes)
	if err != nil {
		return p, err
	}
	if !whole {
		cut = cutShorter(newestFirst)
		newestFirst = slices.DeleteFunc(newestFirst, func(e session.Event) bool { return e.Seq < cut.from })
	}
	slices.Reverse(newestFirst)
	p.Events, p.Earlier = newestFirst, cut.from > 1
	if cut.insideTurn {
		p.Turn, err = s.turnAt(ctx, v, sessionID, cut.from)
	}
	return p, err
}

// selectRowsBack lists, newest first, the events that make a row of their own,
// and whether each begins a turn. It looks back over so many events only, and
// lists the last of these whatever it is, so that a page can begin there.
const selectRowsBack = `
with reach as (
	select least($3, last_seq + 1) as until, greatest(1, least($3, last_seq + 1) - $4) as floor
	from sessions where id = $1 and owner_id = $2)
select e.seq, e.kind in ('user/message', 'assistant/message'),
	e.kind = 'user/message' and e.source ->> 'kind' = 'user' and coalesce(e.body ->> 'lane', '') <> 'next-step',
	e.seq = (select floor from reach)
from events e
where e.session_id = $1 and e.seq >= (select floor from reach) and e.seq < (select until from reach)
	and (e.seq = (select floor from reach)
		or e.kind <> all ('{tool/update,turn/started,inbox/spliced,inbox/changed,session/titled,permission/resolved,commands/available}'))
order by e.seq desc limit $5`

type pageRow struct {
	Seq        int64
	Message    bool
	BeginsTurn bool
	Last       bool // nothing before it was looked at
}

type pageCut struct {
	from       int64 // the page's first seq
	insideTurn bool
}

// cutPage finds where a page begins, given its rows newest first: at the start
// of the turn in which the page's share of messages is reached, at a later
// turn where that would be too many rows or events, and inside a turn only
// where that turn alone is too long.
func cutPage(back []pageRow) pageCut {
	messages := 0
	turn := int64(0) // where the earliest turn that fits begins
	for i, row := range back {
		switch {
		case i == pageRows && turn > 0:
			return pageCut{from: turn}
		case i == pageRows:
			return pageCut{from: back[i-1].Seq, insideTurn: true}
		}
		if row.Message {
			messages++
		}
		if row.BeginsTurn {
			turn = row.Seq
			if messages >= pageMessages {
				return pageCut{from: turn}
			}
		}
		switch {
		case !row.Last || row.Seq == 1:
		case turn > 0:
			return pageCut{from: turn}
		default:
			return pageCut{from: row.Seq, insideTurn: true}
		}
	}
	return pageCut{from: 1}
}

// cutShorter is where a page begins of which only so many events, newest
// first, could be read: at the earliest turn among them.
func cutShorter(newestFirst []session.Event) pageCut {
	for _, e := range slices.Backward(newestFirst) {
		if beginsTurn(e) {
			return pageCut{from: e.Seq}
		}
	}
	return pageCut{from: newestFirst[len(newestFirst)-1].Seq, insideTurn: true}
}

func beginsTurn(e session.Event) bool {
	m, ok := e.Payload.(session.UserMessage)
	return ok && m.Lane != session.LaneNextStep && session.SourceKind(e.Source) == session.SourceUser
}

// turnAt is the turn that runs at a place in the log, "" where none has begun.
func (s *Store) turnAt(ctx context.Context, v Viewer, sessionID string, seq int64) (turn string, err error) {
	const find = `select coalesce(e.body ->> 'turn', '') from events e join sessions s on s.id = e.session_id
where e.session_id = $1 and s.owner_id = $2 and e.kind = 'turn/started' and e.seq < $3 order by e.seq desc limit 1`
	err = s.pool.QueryRow(ctx, find, sessionID, v.UserID, seq).Scan(&turn)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return turn, err
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
// reads again. An event can have some megabytes.
const FollowLimit = 100

// Follow reads what came after the cursor: events, then the pieces of the
// open block. A block that Events close may still be among Pieces.
func (s *Store) Follow(ctx context.Context, v Viewer, sessionID string, after Cursor) (events []session.Event, pieces []session.Piece, err error) {
	b := &pgx.Batch{}
	queuePieces(b, v, sessionID, after, &pieces)
	b.Queue(ownEvents+`and e.seq > $3 order by e.seq limit $4`, sessionID, v.UserID, after.Seq, FollowLimit).Query(func(rows pgx.Rows) (err error) {
		events, err = pgx.CollectRows(rows, scanEvent)
		return err
	})
	err = s.pool.SendBatch(ctx, b).Close()
	return events, pieces, err
}

// selectPieces reads the pieces after a cursor. One block is open at a time:
// as long as the cursor's is, what is new are its later pieces, which the key
// finds however many came before. Else all there are are new.
const selectPieces = `
with own as (select id from sessions where id = $1 and owner_id = $2)
select turn_id::text, block, n, kind, opened_after, text, at from (
	select * from pieces where session_id = (select id from own) and turn_id = $3 and block = $4 and n > $5
	union all
	select * from pieces where session_id = (select id from own)
		and not exists (select from pieces where session_id = $1 and turn_id = $3 and block = $4)
) fresh order by turn_id, block, n`

func queuePieces(b *pgx.Batch, v Viewer, sessionID string, after Cursor, pieces *[]session.Piece) {
	b.Queue(selectPieces, sessionID, v.UserID, nonEmpty(after.Turn), after.Block, after.N).Query(func(rows pgx.Rows) (err error) {
		*pieces, err = pgx.CollectRows(rows, scanPiece)
		return err
	})
}

func scanPiece(row pgx.CollectableRow) (session.Piece, error) {
	var p session.Piece
	var kind string
	err := row.Scan(&p.Turn, &p.Block, &p.N, &kind, &p.OpenedAfter, &p.Text, &p.At)
	p.Kind = session.Kind(kind)
	return p, err
}
