//go:build linux

package localpg

import (
	"context"
	"errors"
	"testing"
)

// TestCancelledStart cancels at several moments of a start: nothing may be left,
// and the next start works.
func TestCancelledStart(t *testing.T) {
	t.Parallel()
	moments := []struct {
		name string
		dir  func(testing.TB) string
		when func(dir string) bool
	}{
		{"before", stopped, func(string) bool { return true }},
		{"initdb begins", folder, func(dir string) bool { return present(dir + "/postgres/data.init") }},
		{"initdb boots", folder, func(dir string) bool { return present(dir + "/postgres/data.init/global/pg_control") }},
		{"the cluster is there", folder, func(dir string) bool { return present(dir + "/postgres/data/PG_VERSION") }},
		{"Postgres begins", stopped, func(dir string) bool { return present(dir + "/postgres/data/postmaster.pid") }},
		{"Postgres listens", stopped, func(dir string) bool { return present(dir + "/postgres/run/" + socketName) }},
	}
	for _, m := range moments {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			dir := m.dir(t)
			// The start may win the race; then it is stopped and tried again.
			for try := 0; !cancelled(t, dir, m.when); try++ {
				if try == 20 {
					t.Fatal("every start was done before it was cancelled")
				}
				if m.name != "Postgres begins" && m.name != "Postgres listens" {
					dir = m.dir(t)
				}
			}
			if pids := below(t, dir); len(pids) > 0 {
				t.Errorf("left: %v", pids)
			}
			if present(dir + "/postgres/data.init") {
				t.Error("data.init is left")
			}
			s := mustStart(t, dir)
			if n := query[int](t, s.URL(), "select 1"); n != 1 {
				t.Error(n)
			}
		})
	}
}

func cancelled(t *testing.T, dir string, when func(string) bool) bool {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	type result struct {
		s   *Server
		err error
	}
	ended := make(chan result, 1)
	go func() {
		s, err := Start(ctx, options(dir))
		ended <- result{s, err}
	}()
	eventually(t, "the moment", func() bool { return when(dir) })
	cancel()
	r := <-ended
	if r.err == nil {
		mustStop(t, r.s)
		return false
	}
	if !errors.Is(r.err, context.Canceled) {
		t.Errorf("Start: %v", r.err)
	}
	return true
}
