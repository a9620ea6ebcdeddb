package turn

import (
	"context"
	"errors"
	"time"

	"webshell/internal/session"
)

// Bounds of looking after a turn.
const (
	beatAgain    = 250 * time.Millisecond // after a heartbeat failed
	signalsApart = 50 * time.Millisecond  // a turn's own writes wake it as well
)

// keepLease prolongs the lease until ctx ends, three times within its length.
func (w *running) keepLease(ctx context.Context) {
	beats := outage{log: w.log, what: "prolong the turn's lease"}
	wait := w.config.Lease / 3
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		err := w.beat(ctx)
		if errors.Is(err, session.ErrFenced) {
			return
		}
		beats.note(ctx, err)
		wait = w.config.Lease / 3
		if err != nil {
			wait = min(wait, beatAgain)
		}
	}
}

// beat prolongs the lease once. Without the lease the turn is over here.
func (w *running) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, max(w.config.Lease/3, time.Second))
	defer cancel()
	err := w.config.Log.Heartbeat(ctx, w.turn.Lease, w.config.Lease)
	if errors.Is(err, session.ErrFenced) {
		w.cancel(session.ErrFenced)
	}
	return err
}

// watch reads what reaches the turn from outside, until ctx ends.
func (w *running) watch(ctx context.Context) {
	woken, unsubscribe := w.config.Subscribe(w.turn.SessionID)
	defer unsubscribe()
	reads := outage{log: w.log, what: "read the turn's signals"}
	for {
		reads.note(ctx, w.readSignals(ctx))
		select {
		case <-ctx.Done():
			return
		case <-time.After(signalsApart):
		}
		select {
		case <-ctx.Done():
			return
		case <-woken:
		case <-time.After(pollInterval):
		}
	}
}

// readSignals acts on what reached the turn: a stop ends the backend's
// context, answers go to the questions that wait for them.
func (w *running) readSignals(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	signals, err := w.config.Log.Signals(ctx, w.turn.Lease)
	switch {
	case errors.Is(err, session.ErrFenced):
		w.cancel(session.ErrFenced)
		return nil
	case err != nil:
		return err
	}
	w.out.questions.answered(signals.Answers)
	if signals.Stop {
		w.cancel(errStopped)
	}
	return nil
}

// reap closes the turns of processes that died, until ctx ends.
//
// A lease that ran out may still be one that is in use: the database was away,
// or the machine slept. So this process prolongs its own leases before it
// looks, and after the database was away it gives the others as long as a
// lease to do the same.
func (r *Runner) reap(ctx context.Context) {
	tries := outage{log: r.config.Logger, what: "close turns whose lease ran out"}
	wait := r.config.Lease / 2
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		err := r.reapOnce(ctx)
		tries.note(ctx, err)
		wait = r.config.Lease / 2
		if err != nil {
			wait = r.config.Lease
		}
	}
}

func (r *Runner) reapOnce(ctx context.Context) error {
	r.mu.Lock()
	own := make([]*running, 0, len(r.running))
	for _, w := range r.running {
		own = append(own, w)
	}
	r.mu.Unlock()
	for _, w := range own {
		if err := w.beat(ctx); err != nil && !errors.Is(err, session.ErrFenced) {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	n, err := r.config.Log.Reap(ctx)
	if n > 0 {
		r.config.Logger.Warn("closed turns whose process is gone as interrupted", "turns", n)
		if r.config.Observe.TurnsReaped != nil {
			r.config.Observe.TurnsReaped(n)
		}
	}
	return err
}
