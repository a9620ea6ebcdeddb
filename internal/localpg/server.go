//go:build linux || darwin

package localpg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Server is a private Postgres that is kept running; see the package comment for
// what happens when it ends by itself.
type Server struct {
	layout   layout
	account  account
	binaries binaries
	settings map[string]string
	major    string
	socket   string // the folder of the socket
	log      *slog.Logger
	root     *os.Root // the data folder
	out      *logFile
	lock     *lock

	stopping context.Context // ends when Stop is called
	stopNow  context.CancelFunc
	once     sync.Once
	patience context.Context // Stop's; set before stopping ends
	done     chan struct{}
	stopErr  error // valid once done is closed
	err      error // likewise
}

// Start takes the data folder's lock, makes the cluster if there is none, starts
// Postgres or adopts one that runs, and returns when the database answers. ctx
// bounds the start alone: when it ends first, nothing is left running. Recovery
// after a crash can take minutes and has no other limit. A subcommand that holds
// the lock (see [Attach]) is waited for, up to 10 s, and a server 1 s: it may just
// have been killed.
//
// Errors are for people: they say what happened and what to do. They wrap
// [ErrLocked], [ErrNoBinaries], [ErrNoAccount] or [ErrClusterGone], or are a
// [*MajorMismatchError], [*FolderError] or [*ProgramError].
func Start(ctx context.Context, o Options) (*Server, error) {
	return start(ctx, o, func(dir *os.Root) (*lock, error) { return awaitLock(ctx, dir) })
}

func start(ctx context.Context, o Options, take func(*os.Root) (*lock, error)) (_ *Server, err error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	l, err := prepareDir(o.Dir)
	if err != nil {
		return nil, err
	}
	s := &Server{layout: l, settings: o.Settings, log: o.logger(), done: make(chan struct{})}
	if s.root, err = os.OpenRoot(l.dir); err != nil {
		return nil, folderProblem(l.dir, err)
	}
	defer func() {
		if err != nil {
			s.release()
		}
	}()
	if s.lock, err = take(s.root); err != nil {
		return nil, err
	}
	if err = s.prepare(ctx, o); err != nil {
		return nil, err
	}
	p, err := s.bringUp(ctx)
	if err != nil {
		return nil, err
	}
	s.stopping, s.stopNow = context.WithCancel(context.Background())
	go s.keep(p)
	return s, nil
}

// prepare finds account, binaries and cluster, making the cluster if need be.
func (s *Server) prepare(ctx context.Context, o Options) (err error) {
	if s.out, err = openLog(s.root, logLimit); err != nil {
		return err
	}
	if s.account, err = pickAccount(s.layout, s.log); err != nil {
		return err
	}
	if err := s.prepareFolder(); err != nil {
		return err
	}
	major, err := clusterMajor(s.layout.data)
	if err != nil {
		return err
	}
	s.binaries, err = findBinaries(o.BinDir, major, s.layout.data, s.account, s.layout.postgres)
	if err != nil {
		return err
	}
	s.major = s.binaries.major()
	if major == "" {
		s.log.Info("making the database", "folder", s.layout.data, "postgres", s.binaries.version, "user", s.account.name)
		if err := makeCluster(ctx, s.layout, s.binaries, s.account, o, s.out); err != nil {
			return err
		}
	}
	if err := checkOwner(s.layout.data, s.account); err != nil {
		return err
	}
	s.socket, err = makeSocketDir(s.layout, s.account)
	return err
}

// prepareFolder makes <Dir>/postgres. Where that is a link, it leads to a folder
// that someone else made, and its owner is the run account already.
func (s *Server) prepareFolder() error {
	if filepath.Dir(s.layout.postgres) == s.layout.dir {
		return ownFolder(s.root, filepath.Base(s.layout.postgres), s.account)
	}
	owner, err := ownerOf(s.layout.postgres)
	if err != nil {
		return folderProblem(s.layout.postgres, err)
	}
	if owner != s.account.uid {
		return foreignFolder(s.layout.postgres, owner, s.account)
	}
	return nil
}

// bringUp leaves Postgres running and ready, or not running.
func (s *Server) bringUp(ctx context.Context) (*proc, error) {
	for began := time.Now(); ; {
		if err := s.unchanged(); err != nil {
			return nil, err
		}
		p, err := clearLeftovers(ctx, s.layout.data, s.socket, s.account)
		if err != nil {
			return nil, err
		}
		found := p != nil
		if found {
			s.log.Info("a Postgres of this folder runs already and is used", "pid", p.pid)
		} else if p, err = s.launch(); err != nil {
			return nil, err
		}
		err = s.awaitReady(ctx, p)
		if err == nil {
			return p, nil
		}
		halt(context.WithoutCancel(ctx), p, s.layout.data, s.account)
		if ctx.Err() != nil || !found && (!heldMemory(err) || time.Since(began) > heldPatience) {
			return nil, err
		}
	}
}

// heldPatience bounds the wait for shared memory that outlives its processes.
const heldPatience = 10 * time.Second

// heldMemory tells whether Postgres found an earlier one's shared memory in use:
// by a process the kernel is still taking apart, or one we cannot see.
func heldMemory(err error) bool {
	var failed *ProgramError
	return errors.As(err, &failed) && strings.Contains(failed.Output, "pre-existing shared memory block")
}

// unchanged guards every start: an empty or foreign folder in the cluster's place
// (a disk not mounted) is never filled, and never run with the wrong binaries.
func (s *Server) unchanged() error {
	major, err := clusterMajor(s.layout.data)
	switch {
	case err != nil:
		return err
	case major == "":
		return fmt.Errorf("%w: %s has vanished. Bring it back (is its disk mounted?) and start again", ErrClusterGone, s.layout.data)
	case major != s.major:
		return &MajorMismatchError{Data: s.layout.data, Major: major, Found: []string{s.binaries.String()}}
	}
	return nil
}

func (s *Server) launch() (*proc, error) {
	if err := writeConf(s.layout.data, s.account); err != nil {
		return nil, err
	}
	cmd := exec.Command(s.binaries.program("postgres"), serverArgs(s.layout.data, s.socket, s.settings)...)
	cmd.Dir, cmd.Env = s.layout.postgres, s.account.env()
	cmd.SysProcAttr = childAttr(s.account, syscall.SIGINT)
	p, err := launch(cmd, s.out)
	if err != nil {
		return nil, fmt.Errorf("starting Postgres failed: %w", err)
	}
	return p, nil
}

// awaitReady waits as long as p lives. It reads the state file rather than
// knocking all the time: every early knock would be a line in the log.
func (s *Server) awaitReady(ctx context.Context, p *proc) error {
	again := time.NewTicker(pollEvery)
	defer again.Stop()
	slow := time.NewTimer(10 * time.Second)
	defer slow.Stop()
	last := errNotYet
	for {
		pf, err := readPidFile(s.layout.data)
		if err != nil {
			return err
		}
		if pf != nil && pf.pid == p.pid && pf.status == "ready" {
			if last = probeOrCreate(ctx, s.socket); !errors.Is(last, errNotYet) {
				return last
			}
		}
		select {
		case <-p.gone:
			return &ProgramError{Program: "postgres", State: p.state, Output: p.lastWords(), Log: s.layout.logFile()}
		case <-ctx.Done():
			return fmt.Errorf("%w (%v)", starting(ctx), last)
		case <-slow.C:
			s.log.Warn("Postgres is still starting; recovery after a crash can take minutes", "last", last, "log", s.layout.logFile())
		case <-again.C:
		}
	}
}

// release gives up what start took, in reverse order.
func (s *Server) release() {
	if s.socket != "" {
		s.removeTempSocketDir()
	}
	if s.out != nil {
		s.out.close()
	}
	if s.lock != nil {
		s.lock.release()
	}
	s.root.Close()
}
