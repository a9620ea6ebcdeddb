//go:build linux || darwin

package localpg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// What the holder of the lock is: a subcommand beside a server is done soon.
const (
	holdServer = "server"
	holdAttach = "attach"
)

// How long a starting server waits for the lock. A subcommand is done soon; and a
// server that was just killed holds it until the kernel has taken it apart.
const (
	attachPatience = 10 * time.Second
	serverPatience = time.Second
)

// lock is the data folder's lock. The kernel lets go of it when its holder dies,
// so it is never stale; the file stays, for deleting it would let two in.
type lock struct{ file *os.File }

// release unlocks before it closes: a child that another goroutine has just forked
// holds a copy of the descriptor until it runs its program.
func (l *lock) release() {
	_ = unix.Flock(int(l.file.Fd()), unix.LOCK_UN)
	l.file.Close()
}

// takeLock takes the lock or returns an error that wraps ErrLocked.
func takeLock(dir *os.Root, kind string) (*lock, error) {
	f, err := openOwn(dir, lockName, os.O_RDWR)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		defer f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, &lockedError{dir: dir.Name(), holder: readHolder(f)}
		}
		return nil, folderProblem(f.Name(), err)
	}
	// Who holds it is only told to people; a full disk must not matter.
	if f.Truncate(0) == nil {
		fmt.Fprintf(f, "%d %s\n", os.Getpid(), kind)
	}
	return &lock{f}, nil
}

// awaitLock takes the lock for a server, waiting as long as is worth while.
func awaitLock(ctx context.Context, dir *os.Root) (*lock, error) {
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for began := time.Now(); ; {
		l, err := takeLock(dir, holdServer)
		var held *lockedError
		if !errors.As(err, &held) || time.Since(began) > held.patience() {
			return l, err
		}
		select {
		case <-ctx.Done():
			return nil, starting(ctx)
		case <-again.C:
		}
	}
}

type lockedError struct{ dir, holder string }

func (e *lockedError) Error() string {
	who := "another webshell"
	if pid, _, ok := strings.Cut(e.holder, " "); ok {
		who += " (process " + pid + ")"
	}
	return fmt.Sprintf("%v: %s is held by %s; stop that one, or set WEBSHELL_DATA to another folder", ErrLocked, e.dir, who)
}

func (e *lockedError) Unwrap() error { return ErrLocked }

func (e *lockedError) patience() time.Duration {
	if strings.HasSuffix(e.holder, " "+holdAttach) {
		return attachPatience
	}
	return serverPatience
}

// readHolder is "<pid> <kind>", or "" when the holder has not written it yet.
func readHolder(f *os.File) string {
	b, err := io.ReadAll(io.LimitReader(f, 64))
	if err != nil || hasControl(strings.TrimSpace(string(b))) {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// openOwn opens a regular file of the data folder, making it with mode 0600. What
// root makes in another user's folder belongs to that user, who needs it later.
func openOwn(dir *os.Root, name string, flag int) (*os.File, error) {
	f, err := dir.OpenFile(name, flag|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		if err := ownLikeFolder(dir, f); err != nil {
			f.Close()
			return nil, folderProblem(f.Name(), err)
		}
		return f, nil
	}
	if errors.Is(err, fs.ErrExist) {
		// O_NONBLOCK: a pipe of that name must not hang the start.
		f, err = dir.OpenFile(name, flag|syscall.O_NONBLOCK, 0)
	}
	if err != nil {
		return nil, folderProblem(dir.Name()+"/"+name, err)
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Sys().(*syscall.Stat_t).Nlink != 1 {
		f.Close()
		return nil, &FolderError{Path: dir.Name() + "/" + name, Problem: "is not an ordinary file", Fix: "move it away and start again", Err: err}
	}
	return f, nil
}

func ownLikeFolder(dir *os.Root, f *os.File) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := dir.Stat(".")
	if err != nil {
		return err
	}
	owner := info.Sys().(*syscall.Stat_t)
	if owner.Uid == 0 {
		return nil
	}
	return f.Chown(int(owner.Uid), int(owner.Gid))
}
