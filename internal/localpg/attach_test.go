//go:build linux

package localpg

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestAttachAlone(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(folder(t), "new")
	url, release, err := Attach(within(t), options(dir))
	if err != nil {
		t.Fatal(err)
	}
	sql(t, url, "create table t (n int); insert into t values (7)")
	release()
	release() // a second time changes nothing
	if pids := below(t, dir); len(pids) > 0 {
		t.Errorf("left: %v", pids)
	}
	if n := query[int](t, mustStart(t, dir).URL(), "select n from t"); n != 7 {
		t.Errorf("n = %d", n)
	}
}

func TestAttachBesideAServer(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	server := spawn(t, dir, nil)
	sql(t, server.URL, "create table t (n int); insert into t values (7)")
	pid := postmaster(t, dir)
	url, release, err := Attach(within(t), options(dir))
	if err != nil {
		t.Fatal(err)
	}
	if n := query[int](t, url, "select n from t"); n != 7 {
		t.Errorf("n = %d", n)
	}
	release()
	if now := postmaster(t, dir); now != pid {
		t.Errorf("process %d became %d", pid, now)
	}
	if n := query[int](t, server.URL, "select n from t"); n != 7 {
		t.Errorf("after release: n = %d", n)
	}
}

// The lock is held before the cluster exists; attaching waits for it.
func TestAttachWaitsForTheFirstStart(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	server, _ := begin(t, dir, nil, roleVar+"="+roleSupervisor)
	eventually(t, "the server has the lock", func() bool {
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		if !present(dir + "/postgres") {
			return false
		}
		l, err := takeLock(root, holdAttach)
		if err == nil {
			l.release()
		}
		return errors.Is(err, ErrLocked)
	})
	url, release, err := Attach(within(t), options(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if n := query[int](t, url, "select 1"); n != 1 {
		t.Error(n)
	}
	server.stop()
}

// A server that starts while a subcommand has the folder waits for it.
func TestStartWaitsForASubcommand(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	url, release, err := Attach(within(t), options(dir))
	if err != nil {
		t.Fatal(err)
	}
	sql(t, url, "create table t (n int); insert into t values (7)")
	server, out := begin(t, dir, nil, roleVar+"="+roleSupervisor)
	beside, releaseBeside, err := Attach(within(t), options(dir))
	if err != nil {
		t.Fatal(err)
	}
	if n := query[int](t, beside, "select n from t"); n != 7 {
		t.Errorf("n = %d", n)
	}
	releaseBeside()
	release()
	r := readReport(t, out)
	if r.Error != "" {
		t.Fatal(r.Error)
	}
	if n := query[int](t, r.URL, "select n from t"); n != 7 {
		t.Errorf("n = %d", n)
	}
	server.stop()
}

func TestAttachEndsWithItsContext(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	l, err := takeLock(root, holdServer) // by someone who never starts a cluster
	if err != nil {
		t.Fatal(err)
	}
	defer l.release()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Attach(ctx, options(dir)); !errors.Is(err, context.Canceled) {
		t.Errorf("Attach: %v", err)
	}
}
