//go:build linux || darwin

package localpg

import (
	"os"
	"sync"
)

// logLimit bounds postgres.log and the one older file kept beside it, in bytes.
const logLimit = 8 << 20

// logFile receives what Postgres prints. Writing never fails: a full disk must
// not stop the reader of Postgres' pipe, or Postgres would stop with it.
type logFile struct {
	mu    sync.Mutex
	dir   *os.Root
	limit int64
	file  *os.File // nil after a failed rotation
	size  int64
}

func openLog(dir *os.Root, limit int64) (*logFile, error) {
	l := &logFile{dir: dir, limit: limit}
	if err := l.open(); err != nil {
		return nil, err
	}
	return l, nil
}

func (l *logFile) open() error {
	f, err := openOwn(l.dir, logName, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return folderProblem(f.Name(), err)
	}
	l.file, l.size = f, info.Size()
	return nil
}

func (l *logFile) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil && l.size > 0 && l.size+int64(len(p)) > l.limit {
		l.rotate()
	}
	if l.file == nil && l.open() != nil {
		return len(p), nil
	}
	n, _ := l.file.Write(p[:min(int64(len(p)), l.limit)])
	l.size += int64(n)
	return len(p), nil
}

func (l *logFile) rotate() {
	if l.dir.Rename(logName, logName+".1") != nil {
		if l.file.Truncate(0) == nil {
			l.size = 0
		}
		return
	}
	l.file.Close()
	l.file = nil
}

func (l *logFile) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		l.file.Close()
	}
}

// tail keeps the last bytes written to it, for error messages.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

const tailLimit = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p[max(0, len(p)-tailLimit):]...)
	t.kept = t.kept[max(0, len(t.kept)-tailLimit):]
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}
