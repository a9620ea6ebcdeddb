//go:build linux || darwin

package localpg

import (
	"os"
	"path/filepath"
)

const (
	lockName = "webshell.lock"
	logName  = "postgres.log"
	runName  = "run"       // the socket's folder, in <Dir>/postgres
	newName  = "data.init" // a cluster being made, in <Dir>/postgres
)

// layout holds the absolute paths of a data folder, symbolic links resolved:
// what is reached through two names is one folder.
type layout struct {
	dir      string // <Dir>
	postgres string // <Dir>/postgres
	data     string // <Dir>/postgres/data
}

func (l layout) logFile() string { return filepath.Join(l.dir, logName) }

// layoutOf resolves the paths under dir, of which only dir itself must exist.
func layoutOf(dir string) (layout, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return layout{}, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return layout{}, folderProblem(dir, err)
	}
	l := layout{dir: dir}
	if l.postgres, err = resolve(filepath.Join(dir, "postgres")); err != nil {
		return layout{}, err
	}
	if l.data, err = resolve(filepath.Join(l.postgres, "data")); err != nil {
		return layout{}, err
	}
	return l, nil
}

// resolve follows symbolic links; a name that leads nowhere stays as it is, for
// whoever needs it to find out. A link to nowhere is an error: its disk may not be
// mounted yet.
func resolve(path string) (string, error) {
	if _, err := os.Lstat(path); err != nil {
		return path, nil
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", folderProblem(path, err)
	}
	return real, nil
}
