//go:build linux || darwin

package localpg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// pollEvery is how often readiness and other processes are looked at.
const pollEvery = 10 * time.Millisecond

const (
	// settle is how long a postmaster that was found must keep running before it
	// is adopted: one whose supervisor was just killed has a SIGINT on its way.
	settle = 250 * time.Millisecond
	// orphanPatience is how long a backend without its postmaster may take to
	// notice. One that computes never does, so then it is told to leave, which
	// costs nothing: its client is gone or is cut off anyway.
	orphanPatience = 3 * time.Second
)

// clearLeftovers makes way for a new postmaster, or returns a running one of this
// cluster. The order matters: a lock file may go only when no process is left
// whose shared memory it guards.
func clearLeftovers(ctx context.Context, data, socket string, a account) (*proc, error) {
	for {
		pf, err := readPidFile(data)
		if err != nil {
			return nil, err
		}
		if pf == nil || pf.pid == 0 || !isPostgresIn(data, pf.pid, a) {
			break
		}
		p, err := adopt(ctx, pf, data, socket, a)
		if p != nil || err != nil {
			return p, err
		}
	}
	if err := awaitNone(ctx, data, a); err != nil {
		return nil, err
	}
	if err := clearPidFile(data, a); err != nil {
		return nil, err
	}
	return nil, clearSocket(socket, a)
}

// adopt returns the postmaster that pf names once it has settled, or nil when it
// turned out to be ending and is gone.
func adopt(ctx context.Context, pf *pidFile, data, socket string, a account) (*proc, error) {
	p, err := adopted(pf.pid, data, a)
	if err != nil {
		return nil, nil // gone meanwhile
	}
	settled := time.NewTimer(settle)
	defer settled.Stop()
	again := time.NewTicker(pollEvery)
	defer again.Stop()
	for {
		select {
		case <-p.gone:
			return nil, nil
		case <-ctx.Done():
			halt(context.WithoutCancel(ctx), p, data, a)
			return nil, starting(ctx)
		case <-settled.C:
			if pf.socket == "" { // it has not come so far
				settled.Reset(settle)
				continue
			}
			if filepath.Clean(pf.socket) != socket || pf.port != port {
				return nil, fmt.Errorf("a Postgres (process %d) that webshell did not start uses %s: stop it with \"kill -INT %d\" and start again",
					pf.pid, data, pf.pid)
			}
			return p, nil
		case <-again.C:
		}
		now, err := readPidFile(data)
		if err != nil {
			return nil, err
		}
		if now == nil || now.pid != pf.pid || now.status == "stopping" {
			p.end(ctx)
			if ctx.Err() != nil {
				return nil, starting(ctx)
			}
			return nil, nil
		}
		pf = now
	}
}

// adopted watches a postmaster that is not our child.
func adopted(pid int, data string, a account) (*proc, error) {
	handle, err := os.FindProcess(pid)
	if err != nil {
		return nil, err
	}
	// Asked again now that the handle pins the process, not just its number.
	if !isPostgresIn(data, pid, a) {
		handle.Release()
		return nil, os.ErrProcessDone
	}
	p := &proc{pid: pid, handle: handle, gone: make(chan struct{}), state: "it was not our child, how it ended is unknown"}
	go func() {
		again := time.NewTicker(5 * pollEvery)
		defer again.Stop()
		for range again.C {
			if !isPostgresIn(data, pid, a) {
				close(p.gone)
				return
			}
		}
	}()
	return p, nil
}

// awaitNone returns when no Postgres process works in dir any more.
func awaitNone(ctx context.Context, dir string, a account) error {
	again := time.NewTicker(pollEvery)
	defer again.Stop()
	began := time.Now()
	for {
		pids, err := postgresIn(dir, a)
		if err != nil || len(pids) == 0 {
			return err
		}
		if sig := firmness(time.Since(began)); sig != 0 {
			for _, pid := range pids {
				_ = syscall.Kill(pid, sig)
			}
		}
		select {
		case <-ctx.Done():
			return starting(ctx)
		case <-again.C:
		}
	}
}

// halt ends p and what a killed postmaster may have left running.
func halt(ctx context.Context, p *proc, data string, a account) (clean bool) {
	clean = p.end(ctx)
	sweep(data, a)
	return clean
}

// sweep is awaitNone with a limit; what outlives it is met by the next start.
func sweep(data string, a account) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*orphanPatience)
	defer cancel()
	_ = awaitNone(ctx, data, a)
}

// firmness is the signal for orphans that have been there for this long.
func firmness(waited time.Duration) syscall.Signal {
	switch {
	case waited < orphanPatience:
		return 0
	case waited < 2*orphanPatience:
		return syscall.SIGQUIT
	}
	return syscall.SIGKILL
}

// clearPidFile removes a postmaster.pid that would make Postgres refuse to start:
// one whose process lives but is none of ours (the id was reused, or is a
// zombie's), and one that makes no sense. A dead id is left to Postgres, which
// checks the shared memory that the file names.
func clearPidFile(data string, a account) error {
	pf, err := readPidFile(data)
	if err != nil || pf == nil {
		return err
	}
	if pf.pid != 0 && !exists(pf.pid) {
		return nil
	}
	root, err := openOwned(data, a)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.Remove(pidName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return folderProblem(filepath.Join(data, pidName), err)
	}
	return nil
}

// exists counts zombies, and processes we may not signal.
func exists(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
