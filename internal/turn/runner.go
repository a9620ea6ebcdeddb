package turn

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"webshell/internal/session"
)

// pollInterval is how often the runner looks without being woken: a wake that
// was lost costs latency only.
const pollInterval = time.Second

// Config is what a Runner needs. Log, Owner and Subscribe are required.
type Config struct {
	Log      Log
	Backends map[string]Backend // by the agent's name
	Owner    string             // unique among the processes that share the log
	Lease    time.Duration      // 0: 10 s; a dead process' turns are closed after it
	Parallel int                // turns at a time, 0: 128; one that waits for a person counts
	// Grace is how long a stopped backend may take to return before its turn
	// is closed without it. 0: 3 s.
	Grace time.Duration
	// Subscribe gives a channel that receives when a topic is woken
	// (session.TopicTurns, and session ids), and the function that ends it.
	Subscribe func(topic string) (woken <-chan struct{}, cancel func())
	Logger    *slog.Logger
	Observe   Observe
}

// Observe is told what happens, for metrics. Each function may be nil.
type Observe struct {
	TurnStarted func(agent string)
	// TurnEnded is called once for each TurnStarted. Where the lease was lost
	// the outcome is interrupted: another process has closed the turn so.
	TurnEnded func(agent string, outcome session.Outcome, took time.Duration)
	// TurnsReaped is told how many turns of dead processes were closed.
	TurnsReaped func(n int)
}

// Runner claims turns and runs them.
type Runner struct {
	config Config

	mu      sync.Mutex
	running map[string]*running // by turn id
}

// New makes a runner; Run starts it.
func New(c Config) *Runner {
	if c.Lease <= 0 {
		c.Lease = 10 * time.Second
	}
	if c.Parallel <= 0 {
		c.Parallel = 128
	}
	if c.Grace <= 0 {
		c.Grace = 3 * time.Second
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return &Runner{config: c, running: map[string]*running{}}
}

// Run claims and runs turns until ctx ends, and returns when its turns are
// closed, within a few seconds.
//
// Turns that run when ctx ends are closed as interrupted with what they have
// said, rather than left for their lease to run out: their sessions would be
// blocked for that long. They are not handed to another process, since what
// their tools did cannot be done twice; the person is offered a retry.
func (r *Runner) Run(ctx context.Context) {
	woken, unsubscribe := r.config.Subscribe(session.TopicTurns)
	defer unsubscribe()
	var turns sync.WaitGroup
	defer turns.Wait()
	turns.Go(func() { r.reap(ctx) })

	slots := make(chan struct{}, r.config.Parallel)
	claims := outage{log: r.config.Logger, what: "claim a turn"}
	for {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		t, claimed, err := r.claim(ctx)
		if claimed {
			turns.Go(func() {
				defer func() { <-slots }()
				r.run(ctx, t)
			})
			continue
		}
		<-slots
		claims.note(ctx, err)
		select {
		case <-woken:
		case <-time.After(pollInterval):
		case <-ctx.Done():
			return
		}
	}
}

func (r *Runner) claim(ctx context.Context) (session.Turn, bool, error) {
	ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	return r.config.Log.Claim(ctx, r.config.Owner, r.config.Lease)
}

// outage logs the begin and the end of a failure, not each of its tries.
type outage struct {
	log     *slog.Logger
	what    string
	failing bool
}

func (o *outage) note(ctx context.Context, err error) {
	switch {
	case err != nil && !o.failing && ctx.Err() == nil:
		o.failing = true
		o.log.Warn("cannot "+o.what+"; trying again", "err", err)
	case err == nil && o.failing:
		o.failing = false
		o.log.Info("can " + o.what + " again")
	}
}
