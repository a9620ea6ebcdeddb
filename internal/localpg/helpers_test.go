//go:build linux

package localpg

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// quick leaves out syncing, as these tests kill processes and not machines, and
// what else makes a start slower.
var quick = map[string]string{
	"fsync": "off", "shared_buffers": "1MB", "autovacuum": "off",
	"wal_level": "minimal", "max_wal_senders": "0", "max_logical_replication_workers": "0",
}

const deadline = 60 * time.Second

// folder is a new one that every user may pass through. At the test's end no
// process may be left that works in it.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "lpg")
	if err != nil {
		t.Fatal(err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if pids := below(t, dir); len(pids) > 0 {
			t.Errorf("processes %v are left in %s", pids, dir)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// below lists the processes that work in dir or under it, by /proc alone.
func below(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		t.Fatal(err)
	}
	var pids []string
	for _, e := range entries {
		if cwd, err := os.Readlink(e); err == nil && (cwd == dir || strings.HasPrefix(cwd, dir+"/")) {
			pids = append(pids, strings.Split(e, "/")[2])
		}
	}
	return pids
}

// eventually checks ok every few milliseconds until it holds.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	again := time.NewTicker(2 * time.Millisecond)
	defer again.Stop()
	late := time.After(deadline)
	for !ok() {
		select {
		case <-late:
			t.Fatalf("not within %v: %s", deadline, what)
		case <-again.C:
		}
	}
}

func within(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	t.Cleanup(cancel)
	return ctx
}

func options(dir string) Options { return Options{Dir: dir, Settings: quick} }

func mustStart(t testing.TB, dir string) *Server {
	t.Helper()
	s, err := Start(within(t), options(dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mustStop(t, s) })
	return s
}

func mustStop(t testing.TB, s *Server) {
	t.Helper()
	if err := s.Stop(within(t)); err != nil {
		t.Error(err)
	}
}

// model is a data folder made once, which stopped copies: initdb takes a second.
var model struct {
	sync.Once
	dir string
	err error
}

func makeModel() {
	if model.dir, model.err = os.MkdirTemp("", "lpg"); model.err != nil {
		return
	}
	if model.err = os.Chmod(model.dir, 0o755); model.err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	s, err := Start(ctx, options(model.dir))
	if err != nil {
		model.err = err
		return
	}
	model.err = s.Stop(ctx)
}

func removeModel() {
	if model.dir != "" {
		_ = os.RemoveAll(model.dir)
	}
}

// stopped is a data folder with a cluster in it that does not run.
func stopped(t testing.TB) string {
	t.Helper()
	return copied(t, folder(t))
}

// copied fills dir, which is made, with the model.
func copied(t testing.TB, dir string) string {
	t.Helper()
	model.Do(makeModel)
	if model.err != nil {
		t.Fatal(model.err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cp", "-a", model.dir+"/.", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// mustFail starts and wants an error that says every one of words.
func mustFail(t testing.TB, o Options, words ...string) error {
	t.Helper()
	s, err := Start(within(t), o)
	if err == nil {
		mustStop(t, s)
		t.Fatal("started")
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error does not say %q: %v", w, err)
		}
	}
	return err
}

func sql(t testing.TB, url, text string) {
	t.Helper()
	if err := trySQL(url, text); err != nil {
		t.Fatal(err)
	}
}

func trySQL(url, text string) error {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, text)
	return err
}

func query[T any](t testing.TB, url, text string) T {
	t.Helper()
	v, err := tryQuery[T](url, text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func tryQuery[T any](url, text string) (v T, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return v, err
	}
	defer conn.Close(ctx)
	err = conn.QueryRow(ctx, text).Scan(&v)
	return v, err
}

// postmaster is the process id in the cluster's state file.
func postmaster(t testing.TB, dir string) int {
	t.Helper()
	pf, err := readPidFile(dir + "/postgres/data")
	if err != nil || pf == nil || pf.pid == 0 {
		t.Fatalf("no postmaster: %+v, %v", pf, err)
	}
	return pf.pid
}

func kill9(t testing.TB, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

// fingerprint is every name, mode, owner, time and byte under dir.
func fingerprint(t testing.TB, dir string) string {
	t.Helper()
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Lstat(path)
		if err != nil {
			return err
		}
		fmt.Fprintln(sum, path, info.Mode(), info.ModTime().UnixNano(), info.Sys().(*syscall.Stat_t).Uid)
		if !info.Mode().IsRegular() {
			return nil
		}
		b, err := os.ReadFile(path)
		sum.Write(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// writeOwned writes a file that belongs to the owner of the folder around it.
func writeOwned(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	owner := info.Sys().(*syscall.Stat_t)
	if err := os.Chown(path, int(owner.Uid), int(owner.Gid)); err != nil {
		t.Fatal(err)
	}
}

// runAccount is the account that runs dir's cluster.
func runAccount(t testing.TB, dir string) account {
	t.Helper()
	l, err := layoutOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	a, err := pickAccount(l, Options{}.logger())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func present(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
