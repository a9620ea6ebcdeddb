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

// attachPatience is how long a starting server waits for a subcommand.
const attachPatience = 10 * time.Second

// lock is the data folder's lock. The kernel lets go of it when its holder dies,
// so it is never stale; the file stays, for deleting it would let two in.
type lock struct{ file *os.File }

func (l *lock) release() { l.file.Close() }

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

// awaitLock takes the lock for a server: a subcommand that holds it is waited for.
func awaitLock(ctx context.Context, dir *os.Root) (*lock, error) {
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for until := time.Now().Add(attachPatience); ; {
		l, err := takeLock(dir, holdServer)
		var held *lockedError
		if !errors.As(err, &held) || !held.soonFree() || time.Now().After(until) {
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

func (e *lockedError) soonFree() bool { return strings.HasSuffix(e.holder, " "+holdAttach) }

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
