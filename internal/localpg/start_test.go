//go:build linux

package localpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestFirstStart(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(folder(t), "new", "webshell")
	s, err := Start(within(t), Options{Dir: dir, Settings: map[string]string{"fsync": "off"}})
	if err != nil {
		t.Fatal(err)
	}
	defer mustStop(t, s)
	for setting, want := range map[string]string{
		"listen_addresses": "", "max_connections": "50", "shared_buffers": "64MB", "TimeZone": "UTC",
		"synchronous_commit": "on", "full_page_writes": "on", "data_checksums": "on",
		"server_encoding": "UTF8", "unix_socket_permissions": "0700", "fsync": "off", // fsync by the test
	} {
		if got := query[string](t, s.URL(), "show "+setting); got != want {
			t.Errorf("%s is %q, want %q", setting, got, want)
		}
	}
	if got := query[string](t, s.URL(), "select current_user || '@' || current_database()"); got != "webshell@webshell" {
		t.Errorf("connected as %s", got)
	}
	if got := query[string](t, s.URL(), "select datcollate from pg_database where datname='webshell'"); got != "C.UTF-8" {
		t.Errorf("the locale is %q", got)
	}
	for _, sub := range []string{"postgres", "postgres/data", "postgres/run"} {
		info, err := os.Stat(filepath.Join(dir, sub))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o700 {
			t.Errorf("%s has mode %v", sub, info.Mode())
		}
		if uid := info.Sys().(*syscall.Stat_t).Uid; uid == 0 {
			t.Errorf("%s belongs to root", sub)
		}
	}
	if b, err := os.ReadFile(filepath.Join(dir, logName)); err != nil || !strings.Contains(string(b), "ready to accept connections") {
		t.Errorf("postgres.log: %v\n%s", err, b)
	}
}

func TestDurableByDefault(t *testing.T) {
	t.Parallel()
	s, err := Start(within(t), Options{Dir: stopped(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer mustStop(t, s)
	if got := query[string](t, s.URL(), "show fsync"); got != "on" {
		t.Errorf("fsync is %s", got)
	}
}

func TestRestartKeepsRows(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	s := mustStart(t, dir)
	sql(t, s.URL(), "create table t (n int); insert into t values (7)")
	mustStop(t, s)
	mustStop(t, s) // a second time changes nothing
	select {
	case <-s.Done():
	default:
		t.Error("Done is open after Stop")
	}
	if err := s.Err(); err != nil {
		t.Errorf("Err after Stop: %v", err)
	}
	again := mustStart(t, dir)
	if again.URL() != s.URL() {
		t.Errorf("the URL changed from %s to %s", s.URL(), again.URL())
	}
	if n := query[int](t, again.URL(), "select n from t"); n != 7 {
		t.Errorf("n = %d", n)
	}
}

func TestSecondStartIsRefused(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	mustStart(t, dir)
	link := filepath.Join(folder(t), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{dir, link} {
		if err := mustFail(t, options(name), dir, "WEBSHELL_DATA"); !errors.Is(err, ErrLocked) {
			t.Errorf("%v is not ErrLocked", err)
		}
	}
	other := spawn(t, dir, nil)
	if !strings.Contains(other.Error, ErrLocked.Error()) {
		t.Errorf("another process: %+v", other.report)
	}
}

func TestOddFolderNames(t *testing.T) {
	t.Parallel()
	for name, sub := range map[string]string{
		"quotes and commas": `a, "b" 'c'`,
		"unicode":           "данные 数据",
		"percent and query": "100%?x=1&y#z",
		"too long":          strings.Repeat("long/", 20),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := copied(t, filepath.Join(folder(t), sub))
			s := mustStart(t, dir)
			if n := query[int](t, s.URL(), "select 1"); n != 1 {
				t.Error(n)
			}
			url, release, err := Attach(within(t), options(dir))
			if err != nil {
				t.Fatal(err)
			}
			release()
			if url != s.URL() {
				t.Errorf("attached to %s, not to %s", url, s.URL())
			}
			socket := s.socket
			mustStop(t, s)
			if strings.HasPrefix(socket, os.TempDir()+"/webshell-") && present(socket) {
				t.Errorf("%s is left", socket)
			}
		})
	}
}

func TestBadOptions(t *testing.T) {
	t.Parallel()
	mustFail(t, Options{}, "WEBSHELL_DATA", "DATABASE_URL")
	mustFail(t, Options{Dir: "/tmp/a\nb"}, "control character")
	mustFail(t, Options{Dir: folder(t), Settings: map[string]string{"fsync=off -c x": ""}}, "not a Postgres setting")
}

func TestBadSettingIsToldFromPostgres(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	err := mustFail(t, Options{Dir: dir, Settings: map[string]string{"work_mem": "lots"}}, `invalid value for parameter "work_mem"`, logName)
	var failed *ProgramError
	if !errors.As(err, &failed) || failed.Program != "postgres" {
		t.Errorf("%T", err)
	}
	mustStart(t, dir) // the lock was released
}

func TestPrivateSettingsCannotBeChanged(t *testing.T) {
	t.Parallel()
	s, err := Start(within(t), Options{Dir: stopped(t), Settings: map[string]string{"listen_addresses": "*", "fsync": "off"}})
	if err != nil {
		t.Fatal(err)
	}
	defer mustStop(t, s)
	if got := query[string](t, s.URL(), "show listen_addresses"); got != "" {
		t.Errorf("listens on %q", got)
	}
}

// Not parallel: it changes a package variable. C.UTF-8 is built into the C library
// of many systems and cannot be taken away there, so another name stands for it.
func TestMissingLocale(t *testing.T) {
	before := locales
	locales = []string{"zz_ZZ.UTF-8", "C"}
	defer func() { locales = before }()
	s := mustStart(t, folder(t))
	got := query[string](t, s.URL(), "select pg_encoding_to_char(encoding) || ' ' || datcollate from pg_database where datname='webshell'")
	if got != "UTF8 C" {
		t.Errorf("made with %q", got)
	}
}

func TestEnvironmentIsKeptFromPostgres(t *testing.T) {
	t.Setenv("WEBSHELL_SECRET", "s3cret")
	t.Setenv("PGPORT", "1")
	dir := stopped(t)
	s := mustStart(t, dir)
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", postmaster(t, dir)))
	if err != nil || !strings.Contains(string(env), "LC_ALL=C") || strings.Contains(string(env), "s3cret") {
		t.Errorf("%v %q", err, env)
	}
	if n := query[int](t, s.URL(), "select 1"); n != 1 {
		t.Error(n)
	}
}

func TestStopWithImpatientContext(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	s, err := Start(within(t), options(dir))
	if err != nil {
		t.Fatal(err)
	}
	sql(t, s.URL(), "create table t (n int); insert into t values (7)")
	over, cancel := context.WithCancel(context.Background())
	cancel()
	first := s.Stop(over)
	if first != nil && !errors.Is(first, errNotClean) {
		t.Errorf("Stop: %v", first)
	}
	if second := s.Stop(within(t)); second != first {
		t.Errorf("the second Stop returned %v, the first %v", second, first)
	}
	if pids := below(t, dir); len(pids) > 0 {
		t.Errorf("left: %v", pids)
	}
	s = mustStart(t, dir)
	if n := query[int](t, s.URL(), "select n from t"); n != 7 {
		t.Errorf("n = %d", n)
	}
}
