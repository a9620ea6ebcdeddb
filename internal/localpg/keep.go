//go:build linux || darwin

package localpg

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// URL is the connection string of the database, for pgx and for psql: the socket,
// no password. It stays the same when Postgres is started again. Only root and
// the user that runs Postgres can connect with it.
func (s *Server) URL() string { return urlOf(s.socket, database) }

// Done is closed when Postgres is kept running no longer: after [Server.Stop], or
// when starting it again has become impossible, which [Server.Err] explains. A
// Postgres that merely ended is started again and does not close it.
func (s *Server) Done() <-chan struct{} { return s.done }

// Err is nil until [Server.Done] is closed, and after Stop. Otherwise it tells why
// the supervision ended: it wraps [ErrClusterGone] or is a [*MajorMismatchError].
func (s *Server) Err() error {
	select {
	case <-s.done:
		return s.err
	default:
		return nil
	}
}

// Stop ends Postgres and lets go of the data folder's lock. It asks for a clean
// end (SIGINT); after 30 s, or when ctx ends before, it has Postgres leave at once
// (SIGQUIT), returns an error that says so, and the next start recovers from the
// log; nothing committed is lost. Further calls wait for the first and return the
// same.
func (s *Server) Stop(ctx context.Context) error {
	s.once.Do(func() {
		s.patience = ctx
		s.stopNow()
	})
	<-s.done
	return s.stopErr
}

var errNotClean = errors.New("the private Postgres had to be ended at once; the next start recovers what was committed")

// steady is how long Postgres must have run for its end to count as the first.
const steady = time.Minute

// keep starts Postgres again whenever it ends, until Stop.
func (s *Server) keep(p *proc) {
	defer close(s.done)
	defer s.release()
	defer func() { sweep(s.layout.data, s.account) }()
	for wait := (backoff{}); ; {
		began := time.Now()
		select {
		case <-s.stopping.Done():
			if !p.end(s.patience) {
				s.stopErr = errNotClean
			}
			return
		case <-p.gone:
		}
		if time.Since(began) > steady {
			wait = backoff{}
		}
		s.log.Error("Postgres ended by itself and is started again", "state", p.state, "log", s.layout.logFile())
		if p = s.revive(&wait); p == nil {
			return
		}
	}
}

// revive returns a ready Postgres, or nil when Stop was called or no start can
// succeed any more; then s.err tells why.
func (s *Server) revive(wait *backoff) *proc {
	for {
		if !pause(s.stopping, wait.next()) {
			return nil
		}
		p, err := s.bringUp(s.stopping)
		if err == nil {
			s.log.Info("Postgres runs again", "pid", p.pid)
			return p
		}
		if s.stopping.Err() != nil {
			return nil
		}
		var mismatch *MajorMismatchError
		if errors.Is(err, ErrClusterGone) || errors.As(err, &mismatch) {
			s.log.Error("Postgres cannot be started any more", "error", err)
			s.err = err
			return nil
		}
		s.log.Error("Postgres could not be started and is tried again", "error", err)
	}
}

// backoff spaces restarts: none before the first, then 100 ms doubling to 10 s.
type backoff struct{ failures int }

func (b *backoff) next() time.Duration {
	const first, last = 100 * time.Millisecond, 10 * time.Second
	n := b.failures
	b.failures++
	switch {
	case n == 0:
		return 0
	case n > 7: // 100 ms << 7 is past the limit
		return last
	}
	return min(first<<(n-1), last)
}

// pause reports false when ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// removeTempSocketDir leaves nothing under the temporary folder; one in the data
// folder stays. Postgres has removed the socket, and a folder in use is not empty.
func (s *Server) removeTempSocketDir() {
	if filepath.Dir(s.socket) != s.layout.postgres {
		_ = os.Remove(s.socket)
	}
}
