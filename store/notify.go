package store

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// channel is the one Postgres channel; the payload is a topic, never content.
const channel = "webshell"

// notifier tells this process at once and other processes through NOTIFY,
// outside of any transaction: inside, NOTIFY takes a lock that serialises
// every commit. Topics that come up while one NOTIFY is under way go out
// together with the next. A lost one costs latency only: readers poll as well.
type notifier struct {
	pool *pgxpool.Pool
	wake func(topic string)
	log  *slog.Logger

	mu      sync.Mutex
	pending map[string]bool
	kick    chan struct{}
	quit    context.CancelFunc
	done    chan struct{}
}

func newNotifier(pool *pgxpool.Pool, wake func(string), log *slog.Logger) *notifier {
	ctx, quit := context.WithCancel(context.Background())
	n := &notifier{
		pool: pool, wake: wake, log: log,
		pending: map[string]bool{},
		kick:    make(chan struct{}, 1),
		quit:    quit,
		done:    make(chan struct{}),
	}
	go n.run(ctx)
	return n
}

// committed is called after each commit with the topics it concerns.
func (n *notifier) committed(topics ...string) {
	n.mu.Lock()
	for _, t := range topics {
		n.pending[t] = true
	}
	n.mu.Unlock()
	for _, t := range topics {
		n.wake(t)
	}
	select {
	case n.kick <- struct{}{}:
	default:
	}
}

func (n *notifier) run(ctx context.Context) {
	defer close(n.done)
	for {
		select {
		case <-ctx.Done():
			n.send(context.WithoutCancel(ctx)) // the last commits are still told
			return
		case <-n.kick:
			n.send(ctx)
		}
		// The first is told at once, those of the next moments together: each
		// NOTIFY is a transaction of its own.
		select {
		case <-ctx.Done():
		case <-time.After(notifyGap):
		}
	}
}

// notifyGap is the least time between two NOTIFYs of a process. Its own readers
// do not wait for them.
const notifyGap = 5 * time.Millisecond

func (n *notifier) send(ctx context.Context) {
	n.mu.Lock()
	topics := make([]string, 0, len(n.pending))
	for t := range n.pending {
		topics = append(topics, t)
	}
	clear(n.pending)
	n.mu.Unlock()
	if len(topics) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if _, err := n.pool.Exec(ctx, `select pg_notify($1, t) from unnest($2::text[]) t`, channel, topics); err != nil {
		n.log.Warn("tell other processes", "err", err)
	}
}

func (n *notifier) stop() {
	n.quit()
	<-n.done
}

// Listen calls wake for each topic that any process of this database commits,
// until ctx ends. It keeps one connection of its own and comes back after an
// outage; then wakeAll is called, since anything may have been missed.
func Listen(ctx context.Context, url string, log *slog.Logger, wake func(topic string), wakeAll func()) {
	for backoff := 100 * time.Millisecond; ctx.Err() == nil; {
		err := listenOnce(ctx, url, wake, func() {
			backoff = 100 * time.Millisecond
			wakeAll()
		})
		if ctx.Err() != nil {
			return
		}
		log.Warn("the database connection for notifications was lost; trying again", "err", err, "in", backoff)
		select {
		case <-ctx.Done():
		case <-time.After(backoff):
		}
		backoff = min(2*backoff, 5*time.Second)
	}
}

func listenOnce(ctx context.Context, url string, wake func(string), listening func()) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "listen "+channel); err != nil {
		return err
	}
	listening() // LISTEN first, then let readers select
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		wake(n.Payload)
	}
}
