//go:build linux || darwin

package localpg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// clusterMajor is the major version that made the cluster in data, "" when there
// is none yet: no folder, or an empty one, such as a fresh mount.
func clusterMajor(data string) (string, error) {
	root, err := os.OpenRoot(data)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", folderProblem(data, err)
	}
	defer root.Close()
	text, err := readSmall(root, "PG_VERSION")
	if err == nil && strings.TrimSpace(text) != "" && !hasControl(strings.TrimSpace(text)) {
		return strings.TrimSpace(text), nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", folderProblem(data, err)
	}
	empty, err := isEmpty(root)
	if err != nil {
		return "", folderProblem(data, err)
	}
	if empty {
		return "", nil
	}
	return "", fmt.Errorf("%w: %s holds files but no readable PG_VERSION, so it is no Postgres cluster or a damaged one. "+
		"Nothing was changed. Restore it from a backup, or move it away to begin with an empty database", ErrClusterGone, data)
}

func isEmpty(root *os.Root) (bool, error) {
	dir, err := root.Open(".")
	if err != nil {
		return false, err
	}
	defer dir.Close()
	_, err = dir.ReadDir(1)
	if errors.Is(err, io.EOF) {
		return true, nil
	}
	return false, err
}

// checkOwner refuses a cluster that Postgres would refuse, in plainer words.
func checkOwner(data string, a account) error {
	info, err := os.Stat(data)
	if err != nil {
		return folderProblem(data, err)
	}
	if owner := info.Sys().(*syscall.Stat_t).Uid; owner != a.uid {
		return foreignFolder(data, owner, a)
	}
	if info.Mode().Perm()&0o027 != 0 {
		return &FolderError{Path: data, Problem: fmt.Sprintf("has mode %#o, which lets others in", info.Mode().Perm()),
			Fix: "chmod 700 " + data}
	}
	return nil
}

// locales are tried in order. Where the C library has no C.UTF-8, C sorts the same.
var locales = []string{"C.UTF-8", "C"}

// makeCluster runs initdb in data.init and renames it when it is complete, so
// that data is a whole cluster or none.
func makeCluster(ctx context.Context, l layout, b binaries, a account, o Options, log *logFile) error {
	parent, err := os.OpenRoot(l.postgres)
	if err != nil {
		return folderProblem(l.postgres, err)
	}
	defer parent.Close()
	fresh := filepath.Join(l.postgres, newName)
	if err := clearFresh(ctx, parent, fresh, a); err != nil {
		return err
	}
	for _, locale := range locales {
		err = initdb(ctx, l, b, a, o, log, locale)
		if err == nil {
			break
		}
		if clearErr := clearFresh(context.WithoutCancel(ctx), parent, fresh, a); clearErr != nil {
			return errors.Join(err, clearErr)
		}
		var failed *ProgramError
		if !errors.As(err, &failed) || !strings.Contains(failed.Output, "invalid locale name") {
			break
		}
	}
	if err != nil {
		return err
	}
	// Not os.Rename, which refuses the empty folder that may be there.
	if err := syscall.Rename(fresh, l.data); err != nil {
		return folderProblem(l.data, err)
	}
	return syncFolder(filepath.Dir(l.data))
}

// clearFresh removes what an earlier initdb left, when its processes are gone.
func clearFresh(ctx context.Context, parent *os.Root, fresh string, a account) error {
	if _, err := parent.Lstat(newName); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := awaitNone(ctx, fresh, a); err != nil {
		return err
	}
	if err := parent.RemoveAll(newName); err != nil {
		return folderProblem(fresh, err)
	}
	return nil
}

func initdb(ctx context.Context, l layout, b binaries, a account, o Options, log *logFile, locale string) error {
	args := []string{"-D", newName, "-U", role, "-E", "UTF8", "--locale=" + locale,
		"--data-checksums", "--auth-local=peer", "--auth-host=reject"}
	if o.Settings["fsync"] == "off" {
		args = append(args, "--no-sync")
	}
	cmd := exec.Command(b.program("initdb"), args...)
	cmd.Dir, cmd.Env = l.postgres, a.env()
	// Killed, not interrupted: initdb has nothing to save, clearFresh cleans up.
	cmd.SysProcAttr = childAttr(a, syscall.SIGKILL)
	var out tail
	cmd.Stdout = io.MultiWriter(&out, log)
	cmd.Stderr = cmd.Stdout
	cmd.WaitDelay = 5 * time.Second
	ended, err := startOnOwnThread(cmd)
	if err != nil {
		return fmt.Errorf("initdb could not be started: %w", err)
	}
	select {
	case err = <-ended:
	case <-ctx.Done():
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // with its children
		<-ended
		return starting(ctx)
	}
	if err != nil {
		return &ProgramError{Program: "initdb", State: stateOf(err), Output: out.String(), Log: l.logFile()}
	}
	return nil
}

// syncFolder makes a rename in the folder survive a power cut.
func syncFolder(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return folderProblem(path, err)
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil {
		return folderProblem(path, err)
	}
	return nil
}
