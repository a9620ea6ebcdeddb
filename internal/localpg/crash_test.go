//go:build linux

package localpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestPostgresKilled(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	s := mustStart(t, dir)
	sql(t, s.URL(), "create table t (n int); insert into t values (7)")
	for round := range 3 {
		kill9(t, postmaster(t, dir))
		eventually(t, "the row is read again", func() bool {
			n, err := tryQuery[int](s.URL(), "select n from t")
			return err == nil && n == 7
		})
		select {
		case <-s.Done():
			t.Fatalf("round %d: given up: %v", round, s.Err())
		default:
		}
	}
}

func TestSupervisorKilled(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	first := spawn(t, dir, nil)
	sql(t, first.URL, "create table t (n int); insert into t values (7)")
	pid := postmaster(t, dir)
	first.kill(t)
	eventually(t, "Postgres shuts down cleanly", func() bool {
		return !present(dir+"/postgres/data/"+pidName) && syscall.Kill(pid, 0) != nil
	})
	second := spawn(t, dir, nil)
	if n := query[int](t, second.URL, "select n from t"); n != 7 {
		t.Errorf("n = %d", n)
	}
}

// The next start must not be disturbed by a Postgres that is still shutting down.
func TestSupervisorKilledAndStartedAtOnce(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	for round := range 4 {
		s := spawn(t, dir, nil)
		if s.Error != "" {
			t.Fatalf("round %d: %s", round, s.Error)
		}
		sql(t, s.URL, "create table if not exists t (n int); insert into t values (7)")
		s.kill(t)
	}
	s := mustStart(t, dir)
	if n := query[int](t, s.URL(), "select count(*) from t"); n != 4 {
		t.Errorf("%d rows", n)
	}
}

func TestBothKilled(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	committed := 0
	for round := range 6 {
		s := spawn(t, dir, nil)
		if s.Error != "" {
			t.Fatalf("round %d: %s", round, s.Error)
		}
		sql(t, s.URL, "create table if not exists t (n int primary key)")
		w := write(t, s.URL, committed)
		eventually(t, "rows are committed", func() bool { return w.last.Load() >= int64(committed+20) })
		pid := postmaster(t, dir)
		if round%2 == 0 {
			kill9(t, pid)
			s.kill(t)
		} else {
			s.kill(t)
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended already
		}
		<-w.ended
		committed = int(w.last.Load())
	}
	s := mustStart(t, dir)
	if n := query[int](t, s.URL(), fmt.Sprintf("select count(*) from t where n <= %d", committed)); n != committed {
		t.Errorf("%d rows of %d committed", n, committed)
	}
}

// writer inserts after+1, after+2, … until the connection breaks.
type writer struct {
	last  atomic.Int64 // the last row whose commit was acknowledged
	ended chan struct{}
}

func write(t *testing.T, url string, after int) *writer {
	t.Helper()
	conn, err := pgx.Connect(within(t), url)
	if err != nil {
		t.Fatal(err)
	}
	w := &writer{ended: make(chan struct{})}
	w.last.Store(int64(after))
	go func() {
		defer close(w.ended)
		defer conn.Close(context.Background())
		for n := after + 1; ; n++ {
			// A row may have been committed without our hearing of it.
			_, err := conn.Exec(context.Background(), "insert into t values ($1) on conflict do nothing", n)
			if err != nil {
				return
			}
			w.last.Store(int64(n))
		}
	}()
	return w
}

// busy runs a query that never looks whether the postmaster is alive, and returns
// the process id of its backend.
func busy(t *testing.T, url string) int {
	t.Helper()
	conn, err := pgx.Connect(within(t), url)
	if err != nil {
		t.Fatal(err)
	}
	pid := int(conn.PgConn().PID())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = conn.Exec(context.Background(), "do $$ begin loop end loop; end $$")
		conn.Close(context.Background())
	}()
	t.Cleanup(func() { <-ended })
	eventually(t, "the query runs", func() bool {
		n, err := tryQuery[int](url, fmt.Sprintf("select count(*) from pg_stat_activity where pid = %d and state = 'active'", pid))
		return err == nil && n == 1
	})
	return pid
}

func TestOrphanedBackend(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	first := spawn(t, dir, nil)
	sql(t, first.URL, "create table t (n int); insert into t values (7)")
	backend := busy(t, first.URL)
	kill9(t, postmaster(t, dir))
	first.kill(t)
	if !isPostgresIn(dir+"/postgres/data", backend, runAccount(t, dir)) {
		t.Fatal("the backend is no orphan: this test tries nothing")
	}
	s := mustStart(t, dir)
	if n := query[int](t, s.URL(), "select n from t"); n != 7 {
		t.Errorf("n = %d", n)
	}
	if isPostgresIn(dir+"/postgres/data", backend, runAccount(t, dir)) {
		t.Error("the orphan lives")
	}
}

func TestOrphanedBackendUnderTheSameSupervisor(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	s := mustStart(t, dir)
	sql(t, s.URL(), "create table t (n int); insert into t values (7)")
	busy(t, s.URL())
	kill9(t, postmaster(t, dir))
	eventually(t, "the row is read again", func() bool {
		n, err := tryQuery[int](s.URL(), "select n from t")
		return err == nil && n == 7
	})
}

// A cluster that vanishes is not made anew: its disk may come back.
func TestClusterVanishes(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	s := mustStart(t, dir)
	data := dir + "/postgres/data"
	pid := postmaster(t, dir)
	if err := os.Rename(data, data+".away"); err != nil {
		t.Fatal(err)
	}
	kill9(t, pid)
	select {
	case <-s.Done():
	case <-within(t).Done():
		t.Fatal("still supervised")
	}
	if err := s.Err(); !errors.Is(err, ErrClusterGone) {
		t.Errorf("Err: %v", err)
	}
	if err := s.Stop(within(t)); err != nil {
		t.Errorf("Stop: %v", err)
	}
	if present(data) {
		t.Error("a new cluster was made")
	}
	if err := os.Rename(data+".away", data); err != nil {
		t.Fatal(err)
	}
	mustStart(t, dir)
}

func TestStopWhileStartingAgain(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	s := mustStart(t, dir)
	for range 3 {
		kill9(t, postmaster(t, dir))
		eventually(t, "it is up", func() bool { _, err := tryQuery[int](s.URL(), "select 1"); return err == nil })
	}
	kill9(t, postmaster(t, dir))
	mustStop(t, s)
	if pids := below(t, dir); len(pids) > 0 {
		t.Errorf("left: %v", pids)
	}
}

func TestClusterOfAnotherMajorAppears(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	s := mustStart(t, dir)
	writeOwned(t, dir+"/postgres/data/PG_VERSION", "99\n")
	kill9(t, postmaster(t, dir))
	select {
	case <-s.Done():
	case <-within(t).Done():
		t.Fatal("still supervised")
	}
	var mismatch *MajorMismatchError
	if err := s.Err(); !errors.As(err, &mismatch) || mismatch.Major != "99" {
		t.Errorf("Err: %v", err)
	}
}

// A start that fails for a while is tried until it succeeds.
func TestStartAgainIsTriedUntilItSucceeds(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	s := mustStart(t, dir)
	sql(t, s.URL(), "create table t (n int); insert into t values (7)")
	control := dir + "/postgres/data/global/pg_control"
	if err := os.Rename(control, control+".away"); err != nil {
		t.Fatal(err)
	}
	kill9(t, postmaster(t, dir))
	eventually(t, "a start fails", func() bool {
		log, err := os.ReadFile(dir + "/" + logName)
		return err == nil && strings.Contains(string(log), "could not find the database system")
	})
	if err := os.Rename(control+".away", control); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the row is read again", func() bool {
		n, err := tryQuery[int](s.URL(), "select n from t")
		return err == nil && n == 7
	})
}
