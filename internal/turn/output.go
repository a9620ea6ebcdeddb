package turn

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"webshell/internal/session"
)

// pieceInterval is the least time between two pieces of one block, so that a
// reader gets at most about ten a second. The first piece does not wait.
const pieceInterval = 100 * time.Millisecond

// maxTurn is the most that one turn may write, in bytes; each event counts
// eventCost on top of its own size.
const (
	maxTurn   = 64 << 20
	eventCost = 256
)

// Output is where a backend's turn goes. Its methods write to the log before
// they return (pieces of text excepted, which are collected for a moment), and
// hold the backend up while the database is away. They may be called from
// several goroutines; what is called first is logged first.
//
// Once the lease is lost, or the turn has ended, everything returns
// session.ErrFenced.
type Output struct {
	log    Log
	logger *slog.Logger
	turnID string
	cancel context.CancelCauseFunc // ends the backend's context
	turn   context.Context         // the backend's context

	writing   context.Context // of writes: it outlives the backend's, so that last words are kept
	stopWrite context.CancelCauseFunc

	mu        sync.Mutex // held while writing: that is the order of the log
	lease     session.Lease
	writes    int64 // how many were applied
	err       error // set once nothing more can be written
	written   int   // bytes, towards maxTurn
	blocks    int   // opened so far
	open      *block
	flushedAt time.Time
	flusher   *time.Timer // nil unless a flush is due
	unsure    []session.Event
	steered   map[string]bool // request ids handed to the backend

	questions questions
}

// newOutput begins a turn's output. cancel ends turn, the backend's context.
func newOutput(turn context.Context, cancel context.CancelCauseFunc, log Log, lease session.Lease, logger *slog.Logger) *Output {
	writing, stop := context.WithCancelCause(context.WithoutCancel(turn))
	return &Output{
		log: log, logger: logger, turnID: lease.TurnID, lease: lease,
		turn: turn, cancel: cancel, writing: writing, stopWrite: stop,
		steered: map[string]bool{},
	}
}

// Text streams a part of the answer. Parts are joined to one block until
// something else is written.
func (o *Output) Text(s string) error { return o.stream(session.KindAssistantMessage, s) }

// Thought streams a part of the agent's reasoning, like Text.
func (o *Output) Thought(s string) error { return o.stream(session.KindAssistantThought, s) }

func (o *Output) stream(kind session.Kind, s string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for s != "" {
		if err := o.ready(kind, len(s)); err != nil {
			return err
		}
		before := len(s)
		s = o.open.add(s)
		o.written += before - len(s)
		if err := o.piece(); err != nil {
			return err
		}
		if o.open.full() {
			if err := o.write(); err != nil {
				return err
			}
		}
	}
	return o.err
}

// ready makes sure that a block of this kind is open and that the turn may
// write so many bytes more.
func (o *Output) ready(kind session.Kind, size int) error {
	if o.open != nil && o.open.kind != kind {
		if err := o.write(); err != nil {
			return err
		}
	}
	if o.open != nil {
		return o.spend(size, 0)
	}
	if err := o.spend(size, eventCost); err != nil {
		return err
	}
	o.written += eventCost
	o.blocks++
	o.open = &block{kind: kind, number: o.blocks}
	return nil
}

// spend refuses what would pass the turn's limit.
func (o *Output) spend(size, overhead int) error {
	if o.err != nil {
		return o.err
	}
	if o.written+size+overhead > maxTurn {
		return &Fault{Message: "The turn was ended because it wrote more than 64 MiB. What came before is kept."}
	}
	return nil
}

// piece stores what was streamed, now or when it is due.
func (o *Output) piece() error {
	due := pieceInterval - time.Since(o.flushedAt)
	if o.open.pieces == 0 || due <= 0 {
		return o.flush()
	}
	if o.flusher == nil {
		o.flusher = time.AfterFunc(due, o.flushDue)
	}
	return nil
}

// flushDue runs on the timer's goroutine.
func (o *Output) flushDue() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flusher = nil
	if o.open == nil || o.err != nil {
		return
	}
	// What nothing can be written after has ended the turn. A piece that the
	// database refuses has nobody to be told: its text comes again with the
	// event that closes the block, and whoever writes that is told.
	if err := o.flush(); err != nil && o.err == nil {
		o.logger.Warn("a piece of the answer was refused", "err", err)
	}
}

func (o *Output) flush() error {
	p := o.open.piece(o.turnID)
	if p.Text == "" {
		return nil
	}
	err := o.persist(func(ctx context.Context) error { return o.log.Piece(ctx, o.nextWrite(), p) })
	if err != nil {
		return err
	}
	o.open.stored(p)
	o.flushedAt = time.Now()
	return nil
}

// write logs events, the open block before them, in one write.
func (o *Output) write(events ...session.Event) error {
	if o.err != nil {
		return o.err
	}
	if o.open != nil {
		events = append([]session.Event{o.open.close(o.turnID)}, events...)
	}
	if len(events) == 0 {
		return nil
	}
	err := o.persist(func(ctx context.Context) error { return o.log.Append(ctx, o.nextWrite(), events...) })
	if err != nil {
		if o.err != nil {
			o.unsure = events
		}
		return err
	}
	o.writes++
	o.open = nil
	return nil
}

// nextWrite is the lease with the number of the write that comes next.
func (o *Output) nextWrite() session.Lease {
	lease := o.lease
	lease.Write = o.writes + 1
	return lease
}

// persist runs a write until it is stored. An error that leaves the log as it
// was (the database refuses this very event) concerns the caller alone; after
// any other nothing more can be written.
func (o *Output) persist(write func(ctx context.Context) error) error {
	err := retry(o.writing, o.logger, patience, write)
	if err == nil || refused(err) {
		return err
	}
	if !errors.Is(err, session.ErrFenced) {
		err = &Fault{Message: "The turn was ended because the database did not take it for two minutes. What was saved before is kept.", Err: err}
	}
	o.fail(err)
	return err
}

// fail ends the turn: nothing more can be written.
func (o *Output) fail(err error) {
	if o.err == nil {
		o.err = err
	}
	o.cancel(err)
}

// end closes the output, whatever the backend still does, and returns what is
// to be logged with the turn's end: the open block, or the last write where
// its answer did not come. The lease numbers that write.
func (o *Output) end() (session.Lease, []session.Event) {
	o.stopWrite(session.ErrFenced)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = session.ErrFenced
	}
	if o.flusher != nil {
		o.flusher.Stop()
	}
	last := o.unsure
	if last == nil && o.open != nil {
		last = []session.Event{o.open.close(o.turnID)}
	}
	return o.nextWrite(), last
}
