package turn

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"webshell/composer"
	"webshell/internal/session"
)

// finishLimit bounds how long a turn's end is tried after the server was told
// to stop. What is not closed by then is closed as interrupted by whoever
// looks after its lease.
const finishLimit = 3 * time.Second

// maxFault bounds what a person is shown of a failure, in bytes.
const maxFault = 4 << 10

// errStopped is why a backend's context ends when a person presses Stop.
var errStopped = errors.New("the turn was stopped")

// running is one turn while it runs.
type running struct {
	*Runner
	turn   session.Turn
	log    *slog.Logger
	ctx    context.Context // the backend's; its cause says why it ended
	cancel context.CancelCauseFunc
	out    *Output
}

// result is how a backend returned.
type result struct {
	outcome session.Outcome
	err     error
}

// run works on a claimed turn until it is closed.
func (r *Runner) run(ctx context.Context, t session.Turn) {
	started := time.Now()
	w := r.begin(ctx, t)
	defer r.forget(t.TurnID)
	defer w.cancel(context.Canceled)

	// The lease is kept until the turn is closed, past the end of ctx.
	keep, release := context.WithCancel(context.WithoutCancel(ctx))
	var keeping sync.WaitGroup
	keeping.Go(func() { w.keepLease(keep) })
	w.readSignals(keep) // a stop may have come before the turn began
	keeping.Go(func() { w.watch(keep) })

	outcome, message := w.await(w.start())
	lease, last := w.out.end()
	if outcome != "" {
		outcome = w.finish(ctx, lease, outcome, message, last)
	} else {
		w.log.Warn("the turn's lease was lost; another process has closed it")
		outcome = session.Interrupted
	}
	release()
	keeping.Wait()
	if r.config.Observe.TurnEnded != nil {
		r.config.Observe.TurnEnded(t.Agent, outcome, time.Since(started))
	}
}

func (r *Runner) begin(ctx context.Context, t session.Turn) *running {
	w := &running{Runner: r, turn: t, log: r.config.Logger.With("session", t.SessionID, "turn", t.TurnID, "agent", t.Agent)}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.out = newOutput(w.ctx, w.cancel, r.config.Log, t.Lease, w.log)
	r.mu.Lock()
	r.running[t.TurnID] = w
	r.mu.Unlock()
	if r.config.Observe.TurnStarted != nil {
		r.config.Observe.TurnStarted(t.Agent)
	}
	return w
}

func (r *Runner) forget(turnID string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.running, turnID)
}

// start lets the backend work, on a goroutine of its own: it may not return
// when it should.
func (w *running) start() <-chan result {
	done := make(chan result, 1)
	if w.ctx.Err() != nil {
		done <- result{}
		return done
	}
	backend, ok := w.config.Backends[w.turn.Agent]
	if !ok {
		done <- result{err: &Fault{Message: fmt.Sprintf("There is no agent named %q on this server. Begin a session with another agent, or ask whoever runs the server to configure it.", w.turn.Agent)}}
		return done
	}
	go func() {
		res := result{err: errors.New("the agent's goroutine ended without returning")}
		defer func() {
			if p := recover(); p != nil {
				res.err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
			done <- res
		}()
		res.outcome, res.err = backend.Run(w.ctx, w.input(), w.out)
	}()
	return done
}

func (w *running) input() Input {
	m := w.turn.Message
	return Input{
		SessionID: w.turn.SessionID,
		TurnID:    w.turn.TurnID,
		Message:   composer.Message{Content: m.Content, Annotations: m.Annotations},
		History: func(ctx context.Context) ([]session.Event, error) {
			return w.config.Log.History(ctx, w.turn.Lease, m.Seq)
		},
	}
}

// await waits for the backend and says how the turn ended, with a message for
// the person where it failed. The outcome is empty where the lease is lost.
func (w *running) await(done <-chan result) (session.Outcome, string) {
	var res result
	select {
	case res = <-done:
	case <-w.ctx.Done():
		select {
		case res = <-done:
		case <-time.After(w.config.Grace):
			w.log.Warn("the agent did not return when its turn was ended; going on without it", "grace", w.config.Grace)
		}
	}
	switch cause := context.Cause(w.ctx); {
	case cause == nil:
		return w.verdict(res)
	case errors.Is(cause, session.ErrFenced):
		return "", ""
	case errors.Is(cause, errStopped):
		return session.Cancelled, ""
	case errors.As(cause, new(*Fault)): // the output could not be stored
		return w.verdict(result{err: cause})
	default: // the server stops
		return session.Interrupted, ""
	}
}

// verdict reads how a backend returned that was left to itself.
func (w *running) verdict(res result) (session.Outcome, string) {
	if res.err == nil {
		switch res.outcome {
		case session.Completed, session.Cancelled, session.Refused, session.MaxTokens:
			return res.outcome, ""
		}
		res.err = fmt.Errorf("the backend returned the outcome %q without an error", res.outcome)
	}
	id := rand.Text()[:8]
	w.log.Error("the agent failed", "id", id, "err", res.err)
	if fault := (*Fault)(nil); errors.As(res.err, &fault) && fault != nil {
		return session.Failed, cleanText(fault.Message[:runeEnd(fault.Message, maxFault)])
	}
	return session.Failed, fmt.Sprintf("The agent failed. The server's log has the details (id %s).", id)
}

// finish closes the turn in the log.
func (w *running) finish(ctx context.Context, lease session.Lease, outcome session.Outcome, message string, last []session.Event) session.Outcome {
	// Past the end of ctx there is finishLimit left.
	closing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		select {
		case <-time.After(finishLimit):
			cancel()
		case <-closing.Done():
		}
	})()
	tries := 0
	err := retry(closing, w.log, patience, func(ctx context.Context) error {
		tries++
		return w.config.Log.Finish(ctx, lease, outcome, message, last...)
	})
	switch {
	case err == nil:
	case errors.Is(err, session.ErrFenced) && tries > 1:
		// An earlier try was applied, or the lease was lost meanwhile; either
		// way the turn is closed.
	case errors.Is(err, session.ErrFenced):
		w.log.Warn("the turn's lease was lost at its end; another process has closed it")
		return session.Interrupted
	default:
		w.log.Error("the turn's end was not stored; it will be closed as interrupted", "outcome", outcome, "err", err)
		return session.Interrupted
	}
	return outcome
}
