//go:build linux || darwin

package localpg

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// How long a Postgres that was asked to end may take, before it is told harder.
const (
	stopPatience = 30 * time.Second // after SIGINT: it writes a checkpoint
	quitPatience = 5 * time.Second  // after SIGQUIT: it only leaves
)

// proc is a running postmaster: our child, or one that was found and adopted.
type proc struct {
	pid    int
	handle *os.Process
	gone   chan struct{} // closed when the postmaster is no more
	state  string        // how it ended; valid once gone is closed
	output tail          // the end of what it printed; empty for an adopted one
	reads  sync.WaitGroup
}

// startOnOwnThread starts cmd and waits for it on one operating system thread,
// which nothing else uses: Pdeathsig is sent when the *thread* that started the
// child ends, and the runtime ends idle threads as it likes.
func startOnOwnThread(cmd *exec.Cmd) (ended <-chan error, err error) {
	started, result := make(chan error), make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			result <- cmd.Wait()
		}
	}()
	return result, <-started
}

// launch starts cmd, a postmaster, and copies what it prints to log.
func launch(cmd *exec.Cmd, log *logFile) (*proc, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = w, w
	ended, err := startOnOwnThread(cmd)
	w.Close()
	if err != nil {
		r.Close()
		return nil, err
	}
	p := &proc{pid: cmd.Process.Pid, handle: cmd.Process, gone: make(chan struct{})}
	p.reads.Go(func() { p.copyOutput(r, log) })
	go func() {
		p.state = stateOf(<-ended)
		close(p.gone)
	}()
	return p, nil
}

// copyOutput ends when the postmaster and all its children are gone.
func (p *proc) copyOutput(r *os.File, log *logFile) {
	defer r.Close()
	buf := make([]byte, 8<<10)
	for {
		n, err := r.Read(buf)
		if n > 0 {
			p.output.Write(buf[:n])
			log.Write(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

// lastWords is the end of the output once the postmaster is gone. A child of it
// that lives on keeps the pipe open, so the wait has an end.
func (p *proc) lastWords() string {
	all := make(chan struct{})
	go func() {
		p.reads.Wait()
		close(all)
	}()
	select {
	case <-all:
	case <-time.After(time.Second):
	}
	return p.output.String()
}

func stateOf(err error) string {
	if err == nil {
		return "exit status 0"
	}
	return err.Error()
}

// end stops the postmaster and returns when it is gone. It first asks for a clean
// end; when that takes 30 s, or until ctx ends, it asks for one at once, and at
// last kills. The result tells whether the end was clean.
func (p *proc) end(ctx context.Context) (clean bool) {
	p.handle.Signal(syscall.SIGINT)
	patience := time.NewTimer(stopPatience)
	defer patience.Stop()
	select {
	case <-p.gone:
		return true
	case <-ctx.Done():
	case <-patience.C:
	}
	select { // both may have been true
	case <-p.gone:
		return true
	default:
	}
	p.handle.Signal(syscall.SIGQUIT)
	patience.Reset(quitPatience)
	select {
	case <-p.gone:
		return false
	case <-patience.C:
	}
	p.handle.Signal(syscall.SIGKILL)
	<-p.gone
	return false
}
