package turn

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"webshell/internal/session"
)

// Bounds of a write that fails because the database is away for a while.
const (
	attemptTimeout = 10 * time.Second // of one try: a connection may hang silently
	firstWait      = 25 * time.Millisecond
	longestWait    = time.Second
	patience       = 2 * time.Minute // then the write has failed
)

// retry runs a write until it succeeds. It gives up at once where trying again
// cannot help: the lease is lost, the database refuses the data, ctx is done
// (then the error is ctx's cause); else when the time is over. The lease may
// have run out meanwhile; only the database can tell, and then says ErrFenced.
// A try that failed may have been applied, its answer lost.
func retry(ctx context.Context, log *slog.Logger, limit time.Duration, write func(ctx context.Context) error) error {
	deadline := time.Now().Add(limit)
	for wait := firstWait; ; wait = min(2*wait, longestWait) {
		attempt, cancel := context.WithTimeout(ctx, attemptTimeout)
		err := write(attempt)
		cancel()
		switch {
		case err == nil, errors.Is(err, session.ErrFenced), refused(err):
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case time.Now().Add(wait).After(deadline):
			return err
		}
		if wait == firstWait {
			log.Warn("a write to the log failed; trying again", "err", err)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(wait):
		}
	}
}

// refused reports whether the database took the statement and said no. Codes
// are classes of SQLSTATE (Postgres manual, appendix A); those left out here
// pass with time: connection (08), rollback (40), resources (53), not in
// the right state (55), operator's intervention (57), system error (58). So
// does a transaction that was idle for too long (25P03): this process hung.
func refused(err error) bool {
	var state interface{ SQLState() string }
	if !errors.As(err, &state) || len(state.SQLState()) != 5 {
		return false
	}
	if state.SQLState() == "25P03" {
		return false
	}
	switch state.SQLState()[:2] {
	case "08", "40", "53", "55", "57", "58":
		return false
	}
	return true
}
