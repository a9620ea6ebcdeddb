package localpg

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// childAttr: a group of its own keeps a terminal's ^C from Postgres, which is
// stopped by us, in order; onDeath is what the kernel sends it when we die.
func childAttr(a account, onDeath syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: onDeath, Credential: a.credential()}
}

// postgresIn lists the Postgres processes whose working folder is dir. Every
// process of a cluster stays in the cluster's folder; zombies are not listed.
func postgresIn(dir string, a account) ([]int, error) {
	var pids []int
	err := seeingAs(a, func() error {
		where, err := os.Stat(dir)
		if err != nil {
			return err
		}
		entries, err := os.ReadDir("/proc")
		if err != nil {
			return fmt.Errorf("reading /proc, which tells what is left of an earlier Postgres: %w", err)
		}
		for _, e := range entries {
			if pid, err := strconv.Atoi(e.Name()); err == nil && postgresAt(pid, where) {
				pids = append(pids, pid)
			}
		}
		return nil
	})
	return pids, err
}

// isPostgresIn tells whether pid is a live Postgres process working in dir.
func isPostgresIn(dir string, pid int, a account) bool {
	found := false
	err := seeingAs(a, func() error {
		where, err := os.Stat(dir)
		found = err == nil && postgresAt(pid, where)
		return err
	})
	return err == nil && found
}

func postgresAt(pid int, where os.FileInfo) bool {
	base := "/proc/" + strconv.Itoa(pid)
	cwd, err := os.Stat(base + "/cwd")
	if err != nil || !os.SameFile(cwd, where) {
		return false
	}
	// A shell may stand in the folder too; a replaced binary reads "… (deleted)".
	// A process on its way out loses its program before its shared memory, and
	// its folder last, so an unreadable program counts.
	exe, err := os.Readlink(base + "/exe")
	return err != nil || strings.Contains(filepath.Base(exe), "postgres")
}

// seeingAs runs f on a thread that the file system takes for the run account.
// Root in a container often lacks CAP_SYS_PTRACE, without which /proc/<pid>/cwd
// of another user's process cannot be read; the same user always may.
func seeingAs(a account, f func() error) error {
	if !a.switched {
		return f()
	}
	result := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		gid, _ := unix.SetfsgidRetGid(int(a.gid))
		uid, _ := unix.SetfsuidRetUid(int(a.uid))
		result <- f()
		unix.Setfsuid(uid)
		unix.Setfsgid(gid)
		// These calls do not report failure; -1 only asks. A thread that stayed
		// changed is not given back: it ends with its locked goroutine.
		if now, _ := unix.SetfsuidRetUid(-1); now == uid {
			runtime.UnlockOSThread()
		}
	}()
	return <-result
}
