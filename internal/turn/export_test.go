package turn

import (
	"context"
	"log/slog"

	"webshell/internal/session"
)

// Written is how much of the turn's limit is used.
func (o *Output) Written() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.written
}

// What a turn may write, and what an event costs.
const (
	MaxTurn   = maxTurn
	EventCost = eventCost
)

// NearlyFull is an output with so many bytes left, and no log to write to.
func NearlyFull(left int) *Output {
	ctx, cancel := context.WithCancelCause(context.Background())
	o := newOutput(ctx, cancel, nil, session.Lease{}, slog.New(slog.DiscardHandler))
	o.written = maxTurn - left
	return o
}
