//go:build linux

package localpg

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// inMountNamespace runs the calling test again as root in a mount namespace of its
// own, where it may mount, and tells whether this is that run. An ordinary user
// cannot mount, so without root there is nothing to run.
func inMountNamespace(t *testing.T) bool {
	t.Helper()
	const inside = "LOCALPG_TEST_MOUNTS"
	if os.Geteuid() != 0 {
		return false
	}
	if os.Getenv(inside) == t.Name() {
		return true
	}
	cmd := exec.Command(testBinary(t, nil), "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), inside+"="+t.Name())
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// mount puts a file system in memory of this size on dir.
func mount(t *testing.T, dir, size string) {
	t.Helper()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "mode=0755,size="+size); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}

// fill takes all the space there is and returns what gives it back.
func fill(t *testing.T, path string) (free func()) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for block := bytes.Repeat([]byte{1}, 1<<20); len(block) > 0; {
		if _, err := f.Write(block); errors.Is(err, syscall.ENOSPC) {
			block = block[:len(block)/2]
		} else if err != nil {
			t.Fatal(err)
		}
	}
	return func() {
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
	}
}

func TestFullDiskAtFirst(t *testing.T) {
	t.Parallel()
	if !inMountNamespace(t) {
		return
	}
	dir := folder(t)
	mount(t, dir, "20m") // a cluster needs about 40 MB
	mustFail(t, options(dir), "No space left on device", "The disk is full")
	if present(dir+"/postgres/data.init") || present(dir+"/postgres/data") {
		t.Error("a part of a cluster is left")
	}
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT, "size=200m"); err != nil {
		t.Fatal(err)
	}
	mustStart(t, dir)
}

func TestFullDiskLater(t *testing.T) {
	t.Parallel()
	if !inMountNamespace(t) {
		return
	}
	dir := folder(t)
	mount(t, dir, "150m")
	copied(t, dir)
	s := mustStart(t, dir)
	sql(t, s.URL(), "create table t (n int, x text); insert into t values (7)")
	mustStop(t, s)

	free := fill(t, dir+"/ballast")
	mustFail(t, options(dir), "disk is full")
	free()

	s = mustStart(t, dir)
	free = fill(t, dir+"/ballast")
	eventually(t, "writing fails", func() bool {
		return trySQL(s.URL(), "insert into t select n, repeat('x', 1000) from generate_series(1, 10000) n") != nil
	})
	free()
	eventually(t, "the row is there and more can be written", func() bool {
		n, err := tryQuery[int](s.URL(), "select count(*) from t where x is null")
		return err == nil && n == 1 && trySQL(s.URL(), "insert into t values (8, 'more')") == nil
	})
}

func TestReadOnlyFileSystem(t *testing.T) {
	t.Parallel()
	if !inMountNamespace(t) {
		return
	}
	dir := folder(t)
	mount(t, dir, "1m")
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, "size=1m"); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, dir + "/new"} {
		asFolderError(t, mustFail(t, options(path), path, "read-only file system", "WEBSHELL_DATA"))
	}
}
