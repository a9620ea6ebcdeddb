//go:build linux || darwin

package localpg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// prepareDir makes the data folder with what is missing above it. Root's may be
// passed through, though not listed, by the account that runs Postgres.
func prepareDir(dir string) (layout, error) {
	above, own := fs.FileMode(0o700), fs.FileMode(0o700)
	if os.Geteuid() == 0 {
		above, own = 0o755, 0o711
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return layout{}, err
	}
	if err := makeMissing(filepath.Dir(dir), above); err != nil {
		return layout{}, err
	}
	if err := makeOne(dir, own); err != nil {
		return layout{}, err
	}
	return layoutOf(dir)
}

func makeMissing(dir string, mode fs.FileMode) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return nil // there, or unreadable: makeOne tells about the folder itself
	}
	if up := filepath.Dir(dir); up != dir {
		if err := makeMissing(up, mode); err != nil {
			return err
		}
	}
	return makeOne(dir, mode)
}

// makeOne makes dir with exactly this mode, whatever the umask; one that exists
// is left as it is.
func makeOne(dir string, mode fs.FileMode) error {
	err := os.Mkdir(dir, mode)
	if err == nil {
		return os.Chmod(dir, mode)
	}
	info, statErr := os.Stat(dir)
	switch {
	case statErr != nil:
		return folderProblem(dir, err)
	case !info.IsDir():
		return &FolderError{Path: dir, Problem: "is not a folder", Fix: "move it away, or set WEBSHELL_DATA to a folder"}
	}
	return nil
}

// ownFolder makes <parent>/<name> with mode 0700 for the run account, or checks
// that it is so. parent is open, so that nobody can slip a link into the path.
func ownFolder(parent *os.Root, name string, a account) error {
	path := filepath.Join(parent.Name(), name)
	err := parent.Mkdir(name, 0o700)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return folderProblem(path, err)
	}
	info, err := parent.Lstat(name)
	if err != nil {
		return folderProblem(path, err)
	}
	if !info.IsDir() {
		return &FolderError{Path: path, Problem: "is not a folder", Fix: "move it away and start again"}
	}
	owner := info.Sys().(*syscall.Stat_t).Uid
	if owner != a.uid && owner == 0 && a.switched {
		// Made by root: just now, or by a start that was broken off here.
		if err := parent.Lchown(name, int(a.uid), int(a.gid)); errors.Is(err, syscall.EPERM) {
			return powerless()
		} else if err != nil {
			return folderProblem(path, err)
		}
		owner = a.uid
	}
	if owner != a.uid {
		return foreignFolder(path, owner, a)
	}
	if info.Mode().Perm() != 0o700 {
		return parent.Chmod(name, 0o700)
	}
	return nil
}

// openOwned opens a folder of the run account for changes. Its owner is checked
// once it is open: the account could put a link to another's folder in its place.
func openOwned(dir string, a account) (*os.Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, folderProblem(dir, err)
	}
	info, err := root.Stat(".")
	if err != nil {
		root.Close()
		return nil, folderProblem(dir, err)
	}
	if owner := info.Sys().(*syscall.Stat_t).Uid; owner != a.uid {
		root.Close()
		return nil, foreignFolder(dir, owner, a)
	}
	return root, nil
}

func foreignFolder(path string, owner uint32, a account) error {
	who := fmt.Sprintf("user id %d", owner)
	if o, err := lookUp(fmt.Sprint(owner)); err == nil {
		who = fmt.Sprintf("%q", o.name)
	}
	return &FolderError{Path: path, Problem: fmt.Sprintf("belongs to %s, but Postgres is to run as %q", who, a.name),
		Fix: "run webshell as that user or as root, or give the folder to this user with chown -R"}
}

// folderProblem turns a failed file operation into words for people.
func folderProblem(path string, err error) error {
	e := &FolderError{Path: path, Err: err}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		e.Problem, e.Fix = "cannot be written because the disk is full", "free some space and start again"
	case errors.Is(err, syscall.EROFS):
		e.Problem, e.Fix = "is on a read-only file system", "set WEBSHELL_DATA to a folder that can be written"
	case errors.Is(err, fs.ErrPermission):
		e.Problem = fmt.Sprintf("may not be used by this user (id %d)", os.Geteuid())
		e.Fix = "run webshell as the folder's owner or as root, or set WEBSHELL_DATA to a folder of your own"
	case errors.Is(err, syscall.ENOTDIR):
		e.Problem, e.Fix = "is not a folder", "move it away and start again"
	case errors.Is(err, fs.ErrNotExist):
		e.Problem, e.Fix = "does not exist", "if it is a link, mount the disk it points to; or set WEBSHELL_DATA to another folder"
	default:
		e.Problem, e.Fix = "cannot be used ("+err.Error()+")", "mend that, or set WEBSHELL_DATA to another folder"
	}
	return e
}
