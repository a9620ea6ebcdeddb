package session

import (
	"errors"
	"time"
)

// ErrFenced says that a lease is no longer held: another process took the turn
// over or closed it. Nothing more may be written for it.
var ErrFenced = errors.New("the turn's lease is no longer held")

// TopicTurns is the topic that is woken when a turn waits to be claimed; a
// session's own topic is its id.
const TopicTurns = "turns"

// Lease is the right to write for one running turn. Every write of the turn is
// fenced by it: once another owner has taken or closed the turn, writes with
// the old lease are refused.
type Lease struct {
	TurnID    string
	SessionID string
	Owner     string // the process that runs the turn
	Attempt   int    // fencing token, raised by each claim
	// Write numbers the turn's writes 1, 2, 3 …; 0 leaves one unnumbered. A
	// write is sent again when its answer was lost with the connection. The
	// log keeps the highest number it applied with the turn, so that the same
	// write is applied once: its events are not logged a second time.
	Write int64
}

// Turn is a claimed turn: the lease and what it is to work on.
type Turn struct {
	Lease
	Agent   string
	Message Event // the user/message that the turn answers
}

// Signals is what reached a running turn from outside since it began.
type Signals struct {
	Stop     bool              // a person asked it to stop
	Answers  map[string]string // permission id → option id selected
	Steering bool              // something waits in the next-step lane
}

// Piece is a part of a block that is still being streamed. Pieces live beside
// the log until the block closes.
type Piece struct {
	Turn        string
	Block       int
	N           int   // 1, 2, 3 … within the block
	Kind        Kind  // KindAssistantMessage or KindAssistantThought
	OpenedAfter int64 // the session's last seq when the block opened
	Text        string
	At          time.Time
}

// BlockEvent is the event that closes the block a piece belongs to, with the
// block's whole text.
func BlockEvent(p Piece, text string) Event {
	e := Event{Content: text, Payload: AssistantMessage{Turn: p.Turn, Block: p.Block}}
	if p.Kind == KindAssistantThought {
		e.Payload = AssistantThought{Turn: p.Turn, Block: p.Block}
	}
	return e
}
