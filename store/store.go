// Package store keeps everything in Postgres. Methods of Store take the viewer
// and see only what is that person's; what the turn runner needs, which acts
// for no person, is apart in TurnLog.
package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Errors that callers tell apart.
var (
	ErrNotFound        = errors.New("not found")
	ErrRequestIDReused = errors.New("the request id was used for another message")
	ErrQueueFull       = errors.New("the queue is full")
	ErrTurnOver        = errors.New("the turn has ended")
	ErrAnswered        = errors.New("the question was answered already")
	ErrNoRetry         = errors.New("there is no turn to run again")
	ErrNameTaken       = errors.New("the name is taken")
	ErrTaken           = errors.New("a turn has taken the message")
	ErrDeleted         = errors.New("the message was deleted")
	ErrHeld            = errors.New("the message is being edited")
	ErrEditedElsewhere = errors.New("the message is edited, or was changed, elsewhere")
)

// Viewer is the person on whose behalf the store is asked.
type Viewer struct {
	UserID string
	Name   string
}

// Options configure a store.
type Options struct {
	// Wake is called after a commit with the topics it concerns: session ids,
	// and session.TopicTurns when a turn waits. It must not block. It serves this
	// process; others are told through Postgres.
	Wake     func(topic string)
	Log      *slog.Logger
	MaxConns int // 0: 16
}

// Store is safe for use by several goroutines.
type Store struct {
	pool     *pgxpool.Pool
	notifier *notifier
	log      *slog.Logger
}

// Open connects to a migrated database.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("read DATABASE_URL: %w", err)
	}
	config.MaxConns = 16
	if o.MaxConns > 0 {
		config.MaxConns = int32(o.MaxConns)
	}
	config.ConnConfig.ConnectTimeout = 5 * time.Second
	config.MaxConnIdleTime = 5 * time.Minute
	config.PingTimeout = 5 * time.Second
	// When Postgres comes back after a crash, the connections of before are
	// dead. It takes longer than this to come back, so that each of them is
	// tried before it is used; under load none is idle for so long.
	config.ShouldPing = func(_ context.Context, p pgxpool.ShouldPingParams) bool { return p.IdleDuration > 100*time.Millisecond }
	config.AfterConnect = letGoWhenIdle
	if o.Wake == nil {
		o.Wake = func(string) {}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect to the database: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("connect to the database: %w", err)
	}
	s := &Store{pool: pool, log: o.Log}
	s.notifier = newNotifier(pool, o.Wake, o.Log)
	return s, nil
}

// letGoWhenIdle ends a transaction that does nothing for a minute, unless the
// operator has set a time. A process that hangs, or whose machine is cut off,
// would else hold its turns and sessions locked for as long as its connection
// seems to live, and nobody could close them.
func letGoWhenIdle(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, `select set_config('idle_in_transaction_session_timeout', '60s', false)
		where current_setting('idle_in_transaction_session_timeout') = '0'`)
	return err
}

// Close waits for what is under way and disconnects.
func (s *Store) Close() {
	s.notifier.stop()
	s.pool.Close()
}

// Ready reports whether the database answers.
func (s *Store) Ready(ctx context.Context) error { return s.pool.Ping(ctx) }

// inTx runs fn in a transaction, and again where Postgres asks for that
// (serialization failure, deadlock).
func (s *Store) inTx(ctx context.Context, fn func(tx pgx.Tx) error) error {
	for attempt := 1; ; attempt++ {
		err := pgx.BeginFunc(ctx, s.pool, fn)
		if attempt < 5 && sqlState(err, "40001", "40P01") {
			continue
		}
		return err
	}
}

// notFound translates pgx's word for "no row" into the store's, in one place.
func notFound(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrNotFound
	}
	return err
}
