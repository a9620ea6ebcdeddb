//go:build linux || darwin

package localpg

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

const pidName = "postmaster.pid"

// pidFile is what a running Postgres says of itself in <data>/postmaster.pid;
// the lines are those of PostgreSQL's src/include/utils/pidfile.h.
type pidFile struct {
	pid    int
	port   string
	socket string // the folder of its socket
	status string // "starting", "ready", "stopping", "standby"; "" at first
}

// readPidFile returns nil without an error when there is none, and an empty one,
// pid 0, when the file makes no sense (a full disk can leave it empty).
func readPidFile(data string) (*pidFile, error) {
	root, err := os.OpenRoot(data)
	if err != nil {
		return nil, folderProblem(data, err)
	}
	defer root.Close()
	text, err := readSmall(root, pidName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, folderProblem(data+"/"+pidName, err)
	}
	return parsePidFile(text), nil
}

func parsePidFile(text string) *pidFile {
	lines := strings.Split(text, "\n")
	line := func(n int) string {
		if n > len(lines) {
			return ""
		}
		return strings.TrimSpace(lines[n-1])
	}
	pid, err := strconv.ParseInt(line(1), 10, 32)
	if err != nil || pid <= 0 {
		// A standalone backend writes its id with a minus sign; it is found by
		// its working folder like any other process of the cluster.
		return &pidFile{}
	}
	return &pidFile{pid: int(pid), port: line(4), socket: line(5), status: line(8)}
}

// readSmall reads a file of at most 64 KiB.
func readSmall(root *os.Root, name string) (string, error) {
	const limit = 64 << 10
	f, err := root.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return "", err
	}
	if len(b) > limit {
		return "", fmt.Errorf("%s is longer than %d bytes", name, limit)
	}
	return string(b), nil
}
