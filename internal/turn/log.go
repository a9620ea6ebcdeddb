package turn

import (
	"context"
	"time"

	"webshell/internal/session"
)

// Log is where turns come from and where their events go. The store implements
// it; every write is fenced by the lease and fails with session.ErrFenced without it.
type Log interface {
	// Claim takes the oldest turn that waits and logs turn/started, or reports
	// that there is none.
	Claim(ctx context.Context, owner string, lease time.Duration) (session.Turn, bool, error)
	// Heartbeat prolongs the lease, also one that ran out as long as nobody
	// has taken the turn.
	Heartbeat(ctx context.Context, l session.Lease, lease time.Duration) error
	// Signals reads what reached the turn from outside.
	Signals(ctx context.Context, l session.Lease) (session.Signals, error)
	// Append logs events in order, each with the next seq. With an event that
	// closes a streamed block, the block's pieces are removed. Where l.Write
	// was applied before, nothing is logged and there is no error. What resolves
	// a question that is resolved already is left out.
	Append(ctx context.Context, l session.Lease, events ...session.Event) error
	// Piece stores a part of the open block. N counts from 1 within the block;
	// the same N again changes nothing. OpenedAfter and At are the log's to set.
	// l.Write is the write that will close the block: once it was applied,
	// nothing is stored and there is no error.
	Piece(ctx context.Context, l session.Lease, p session.Piece) error
	// TakeSteering claims what waits in the next-step lane, first in, first
	// out, up to a message that is being edited, and logs it; the messages are
	// then part of the running turn.
	TakeSteering(ctx context.Context, l session.Lease) ([]session.Event, error)
	// Finish logs the last events and turn/ended, frees the session, and makes
	// the message that goes next the next turn, if one may go, in one transaction. Where l.Write
	// was applied before, the last events are in the log and are left out.
	Finish(ctx context.Context, l session.Lease, outcome session.Outcome, message string, last ...session.Event) error
	// Reap closes turns whose lease ran out as interrupted, their open block
	// kept, and reports how many. They are never run again by themselves. It also
	// lets go of waiting messages whose edit was abandoned.
	Reap(ctx context.Context) (int, error)
	// History reads a session's log from its start up to seq.
	History(ctx context.Context, l session.Lease, upTo int64) ([]session.Event, error)
}
