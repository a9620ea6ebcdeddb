package turn_test

import (
	"context"
	"errors"
	"sync"
	"time"

	"webshell/internal/session"
	"webshell/internal/turn"
)

// errCut is how a connection that died looks to the runner.
var errCut = errors.New("read: connection reset by peer")

// faulty stands between the runner and the real log, and spoils chosen calls.
// A function that is nil spoils nothing; one that returns an error keeps the
// call from the log (before) or its answer from the runner (after).
type faulty struct {
	turn.Log
	beforeHeartbeat func() error
	beforePiece     func(p session.Piece) error
	beforeAppend    func() error
	afterAppend     func(events []session.Event) error
	afterTake       func() error
	beforeFinish    func() error
	afterFinish     func() error
	beforeReap      func() error
}

func (f *faulty) Heartbeat(ctx context.Context, l session.Lease, d time.Duration) error {
	if f.beforeHeartbeat != nil {
		if err := f.beforeHeartbeat(); err != nil {
			return err
		}
	}
	return f.Log.Heartbeat(ctx, l, d)
}

func (f *faulty) Piece(ctx context.Context, l session.Lease, p session.Piece) error {
	if f.beforePiece != nil {
		if err := f.beforePiece(p); err != nil {
			return err
		}
	}
	return f.Log.Piece(ctx, l, p)
}

func (f *faulty) Append(ctx context.Context, l session.Lease, events ...session.Event) error {
	if f.beforeAppend != nil {
		if err := f.beforeAppend(); err != nil {
			return err
		}
	}
	err := f.Log.Append(ctx, l, events...)
	if err == nil && f.afterAppend != nil {
		err = f.afterAppend(events)
	}
	return err
}

func (f *faulty) TakeSteering(ctx context.Context, l session.Lease) ([]session.Event, error) {
	events, err := f.Log.TakeSteering(ctx, l)
	if err == nil && f.afterTake != nil {
		err = f.afterTake()
	}
	if err != nil {
		return nil, err
	}
	return events, nil
}

func (f *faulty) Finish(ctx context.Context, l session.Lease, o session.Outcome, message string, last ...session.Event) error {
	if f.beforeFinish != nil {
		if err := f.beforeFinish(); err != nil {
			return err
		}
	}
	err := f.Log.Finish(ctx, l, o, message, last...)
	if err == nil && f.afterFinish != nil {
		err = f.afterFinish()
	}
	return err
}

func (f *faulty) Reap(ctx context.Context) (int, error) {
	if f.beforeReap != nil {
		if err := f.beforeReap(); err != nil {
			return 0, err
		}
	}
	return f.Log.Reap(ctx)
}

// failing fails the first so many calls.
func failing(times int) func() error {
	var mu sync.Mutex
	return func() error {
		mu.Lock()
		defer mu.Unlock()
		if times--; times >= 0 {
			return errCut
		}
		return nil
	}
}
