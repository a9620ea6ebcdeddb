//go:build linux

package localpg

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func asFolderError(t *testing.T, err error) *FolderError {
	t.Helper()
	var f *FolderError
	if !errors.As(err, &f) {
		t.Fatalf("%T is no *FolderError: %v", err, err)
	}
	return f
}

func TestFileInThePlaceOfAFolder(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"webshell", "webshell/postgres"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := folder(t)
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			err := mustFail(t, options(filepath.Join(dir, "webshell")), "is not a folder")
			if got := asFolderError(t, err).Path; got != path {
				t.Errorf("blames %s, not %s", got, path)
			}
		})
	}
}

// Root meets the same on a read-only file system, see disk_test.go.
func TestFolderThatMayNotBeWritten(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		return // root may write everywhere
	}
	dir := folder(t)
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	asFolderError(t, mustFail(t, options(filepath.Join(dir, "x")), dir, "may not be used by this user", "WEBSHELL_DATA"))
	asFolderError(t, mustFail(t, options(dir), dir, "may not be used by this user"))
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestClosedParent(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		return // only root runs Postgres as somebody else
	}
	for name, make := range map[string]func(string) error{
		"parent":         func(closed string) error { return os.Mkdir(closed, 0o700) },
		"the folder":     func(closed string) error { return os.MkdirAll(closed+"/ws", 0o755) },
		"access for one": func(closed string) error { return os.Mkdir(closed, 0o750) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			closed := folder(t) + "/closed"
			if err := make(closed); err != nil {
				t.Fatal(err)
			}
			blamed := closed
			if name == "the folder" {
				blamed = closed + "/ws"
				if err := os.Chmod(blamed, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			err := mustFail(t, options(closed+"/ws"), "may not be entered", "chmod o+x "+blamed, "/var/lib/webshell")
			if got := asFolderError(t, err).Path; got != blamed {
				t.Errorf("blames %s, not %s", got, blamed)
			}
			if err := os.Chmod(blamed, 0o711); err != nil { // as told
				t.Fatal(err)
			}
			if name == "parent" {
				mustStart(t, closed+"/ws")
			}
		})
	}
}

func TestModeOfTheCluster(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	data := dir + "/postgres/data"
	if err := os.Chmod(data, 0o755); err != nil {
		t.Fatal(err)
	}
	asFolderError(t, mustFail(t, options(dir), "chmod 700 "+data))
	if err := os.Chmod(data, 0o700); err != nil {
		t.Fatal(err)
	}
	mustStart(t, dir)
}

func TestRootRunsPostgresAsTheOwner(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		return
	}
	owner := ordinary(t)
	dir := folder(t)
	if err := os.Chown(dir, int(owner.uid), int(owner.gid)); err != nil {
		t.Fatal(err)
	}
	s := mustStart(t, dir)
	sql(t, s.URL(), "create table t (n int); insert into t values (7)")
	var st syscall.Stat_t
	for _, path := range []string{dir + "/postgres/data", dir + "/" + lockName, dir + "/" + logName} {
		if err := syscall.Stat(path, &st); err != nil || st.Uid != owner.uid {
			t.Errorf("%s belongs to %d: %v", path, st.Uid, err)
		}
	}
	mustStop(t, s)
	own := spawn(t, dir, owner.credential()) // without root's help
	if own.Error != "" {
		t.Fatal(own.Error)
	}
	if n := query[int](t, own.URL, "select n from t"); n != 7 {
		t.Errorf("n = %d", n)
	}
}

func TestSomebodyElsesCluster(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		return
	}
	dir := stopped(t) // root's own folder, its cluster another user's
	got := spawn(t, dir, ordinary(t).credential())
	if !strings.Contains(got.Error, "may not be used by this user") {
		t.Errorf("the error: %s", got.Error)
	}
	if err := os.Chown(dir+"/postgres/data", 0, 0); err != nil {
		t.Fatal(err)
	}
	asFolderError(t, mustFail(t, options(dir), "belongs to root", "chown -R"))
}

func TestUserWithoutAnEntry(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		return
	}
	const nobodyKnows = 64001
	dir := folder(t)
	if err := os.Chown(dir, nobodyKnows, nobodyKnows); err != nil {
		t.Fatal(err)
	}
	if err := mustFail(t, options(dir), "64001", "/etc/passwd"); !errors.Is(err, ErrNoAccount) {
		t.Errorf("%v is not ErrNoAccount", err)
	}
	got := spawn(t, dir, &syscall.Credential{Uid: nobodyKnows, Gid: nobodyKnows})
	for _, word := range []string{"64001", "/etc/passwd", "DATABASE_URL"} {
		if !strings.Contains(got.Error, word) {
			t.Errorf("the error does not say %s: %s", word, got.Error)
		}
	}
}

func TestRootWithoutRootsRights(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		return
	}
	for name, dir := range map[string]string{"chown": folder(t), "setuid setgid": stopped(t), "setgid": stopped(t)} {
		if got := spawnWithout(t, dir, name).Error; !strings.Contains(got, "CAP_SETUID") || !strings.Contains(got, "ordinary user") {
			t.Errorf("without %s: %q", name, got)
		}
	}
}

func TestTemporarySocketFolderOfAnother(t *testing.T) {
	t.Parallel()
	elsewhere := folder(t)
	for name, plant := range map[string]func(string) error{
		"a link": func(path string) error { return os.Symlink(elsewhere, path) },
		"a file": func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"a folder of another user": func(path string) error {
			if os.Geteuid() != 0 {
				return os.Symlink(elsewhere, path) // cannot be made without root
			}
			if err := os.Mkdir(path, 0o777); err != nil {
				return err
			}
			return os.Chown(path, 65534, 65534)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := copied(t, filepath.Join(folder(t), strings.Repeat("long/", 20)))
			s := mustStart(t, dir)
			path := s.socket
			mustStop(t, s)
			if err := plant(path); err != nil {
				t.Fatal(err)
			}
			err := mustFail(t, options(dir), path)
			if got := asFolderError(t, err).Path; got != path {
				t.Errorf("blames %s", got)
			}
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			mustStart(t, dir)
		})
	}
}

// What the run account plants in the cluster must not lead root's writes away.
func TestPlantedLink(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	victim := folder(t) + "/victim"
	if err := os.WriteFile(victim, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pg_ident.conf", "pg_hba.conf", "webshell.pg_hba.conf.new"} {
		path := dir + "/postgres/data/" + name
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(victim, path); err != nil {
			t.Fatal(err)
		}
	}
	mustStart(t, dir)
	if b, err := os.ReadFile(victim); err != nil || string(b) != "kept" {
		t.Errorf("the victim reads %q, %v", b, err)
	}
}

// The cluster may lie on another disk, behind a link.
func TestLinkedFolders(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"postgres", "postgres/data"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, disk := stopped(t), folder(t)
			if err := os.Rename(filepath.Join(dir, name), disk+"/moved"); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(disk+"/moved", filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			s := mustStart(t, dir)
			sql(t, s.URL(), "create table t (n int); insert into t values (7)")
			mustStop(t, s)
			if err := os.Rename(disk+"/moved", disk+"/away"); err != nil { // not mounted
				t.Fatal(err)
			}
			asFolderError(t, mustFail(t, options(dir), "does not exist", "mount"))
			if err := os.Rename(disk+"/away", disk+"/moved"); err != nil {
				t.Fatal(err)
			}
			if n := query[int](t, mustStart(t, dir).URL(), "select n from t"); n != 7 {
				t.Errorf("n = %d", n)
			}
		})
	}
}
