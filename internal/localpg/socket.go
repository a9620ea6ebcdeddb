//go:build linux || darwin

package localpg

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

const socketName = ".s.PGSQL." + port

// socketLimit bounds the socket's path in bytes. The kernel's limit is 108 on
// Linux and 104 on macOS, the closing NUL included (unix(7), unix(4)).
const socketLimit = 100

// makeSocketDir makes the folder of the socket, or finds it in order.
func makeSocketDir(l layout, a account) (string, error) {
	if dir := filepath.Join(l.postgres, runName); fits(dir) {
		return dir, makeIn(l.postgres, runName, a)
	}
	temp, err := filepath.Abs(os.TempDir())
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(l.data))
	name := fmt.Sprintf("webshell-%d-%x", a.uid, sum[:8]) // short: macOS has long temporary paths
	dir := filepath.Join(temp, name)
	if !fits(dir) {
		return "", &FolderError{Path: l.postgres, Problem: "has a path that is too long, or has a comma, for a socket, and so has " + dir,
			Fix: "set WEBSHELL_DATA or TMPDIR to a folder with a shorter path and no comma"}
	}
	if err := checkTemp(temp); err != nil {
		return "", err
	}
	return dir, makeIn(temp, name, a)
}

// fits tells whether the socket can lie in dir: a connection string separates
// hosts with commas and cannot quote one.
func fits(dir string) bool {
	return len(filepath.Join(dir, socketName)) < socketLimit && !strings.Contains(dir, ",")
}

func makeIn(parent, name string, a account) error {
	root, err := os.OpenRoot(parent)
	if err != nil {
		return folderProblem(parent, err)
	}
	defer root.Close()
	return ownFolder(root, name, a)
}

// checkTemp refuses a temporary folder in which others could swap ours for theirs.
func checkTemp(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return folderProblem(dir, err)
	}
	owner := info.Sys().(*syscall.Stat_t).Uid
	open := info.Mode().Perm()&0o022 != 0 && info.Mode()&fs.ModeSticky == 0
	if open || owner != 0 && owner != uint32(os.Geteuid()) {
		return &FolderError{Path: dir, Problem: "is a temporary folder in which others may rename files",
			Fix: "set TMPDIR to a folder of your own, or WEBSHELL_DATA to a folder with a shorter path"}
	}
	return nil
}

// isPrivate tells whether dir is a folder that only its owner uid, and root, enter.
func isPrivate(dir string, uid uint32) bool {
	info, err := os.Lstat(dir)
	return err == nil && info.IsDir() && info.Mode().Perm()&0o077 == 0 && info.Sys().(*syscall.Stat_t).Uid == uid
}

// clearSocket removes the socket and its lock file. Both are ours alone; a lock
// that names a zombie, or a reused process id, would keep Postgres from starting.
func clearSocket(dir string, a account) error {
	root, err := openOwned(dir, a)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range []string{socketName, socketName + ".lock"} {
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return folderProblem(filepath.Join(dir, name), err)
		}
	}
	return nil
}

// urlOf is the connection string for pgx and for psql. Neither reads + as a space.
func urlOf(socket, db string) string {
	u := url.URL{Scheme: "postgres", User: url.User(role), Path: "/" + db}
	query := url.Values{"host": {socket}, "port": {port}, "sslmode": {"disable"}}.Encode()
	u.RawQuery = strings.ReplaceAll(query, "+", "%20")
	return u.String()
}
