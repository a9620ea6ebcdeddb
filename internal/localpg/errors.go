package localpg

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
)

// ErrLocked is wrapped when another program holds the data folder.
var ErrLocked = errors.New("the data folder is in use")

// ErrNoBinaries is wrapped when no usable Postgres binaries were found.
var ErrNoBinaries = errors.New("no PostgreSQL binaries found")

// ErrNoAccount is wrapped when there is no account Postgres could run as: it
// refuses root, and a user id that no user database knows.
var ErrNoAccount = errors.New("no account to run Postgres as")

// ErrClusterGone is wrapped when the cluster vanished, or is only partly there.
var ErrClusterGone = errors.New("the database folder is not complete")

// ErrUnsupported is returned where a private Postgres cannot be run.
var ErrUnsupported = errors.New("a private Postgres can be run on Linux and macOS only: set DATABASE_URL to a running Postgres")

// oldestMajor is the oldest major version the store's SQL is written for.
const oldestMajor = 14

// MajorMismatchError says that the cluster was made by a major version of
// PostgreSQL whose binaries were not found. The cluster was not touched.
type MajorMismatchError struct {
	Data  string   // the cluster's folder
	Major string   // its major version, as in its PG_VERSION: "15"
	Found []string // what was found instead: "18.4 in /usr/lib/postgresql/18/bin"
}

func (e *MajorMismatchError) wayOut() string {
	if !usable(e.Major) {
		return fmt.Sprintf("Versions before %d are not supported: move the data over with pg_dump or pg_upgrade", oldestMajor)
	}
	return fmt.Sprintf("Install them (%s) or set WEBSHELL_PG_BIN to their folder; "+
		"or, with both versions installed, move the data over with pg_dump or pg_upgrade", installHint(e.Major))
}

func usable(major string) bool {
	n, err := strconv.Atoi(major)
	return err == nil && n >= oldestMajor
}

func (e *MajorMismatchError) Error() string {
	found := "none were found"
	if len(e.Found) > 0 {
		found = "found only " + strings.Join(e.Found, ", ")
	}
	return fmt.Sprintf("the database in %s was made by PostgreSQL %s and needs the binaries of that version; %s. Nothing was changed. %s",
		e.Data, e.Major, found, e.wayOut())
}

// FolderError says which file or folder is in the way, and what to do.
type FolderError struct {
	Path    string
	Problem string // what is wrong with it, as the rest of a sentence
	Fix     string // what to do
	Err     error  // the cause, if there is one
}

func (e *FolderError) Error() string {
	return fmt.Sprintf("%s %s: %s", e.Path, e.Problem, e.Fix)
}

func (e *FolderError) Unwrap() error { return e.Err }

// ProgramError says that one of Postgres' programs failed.
type ProgramError struct {
	Program string // "initdb" or "postgres"
	State   string // how it ended
	Output  string // the end of what it printed, at most 4 KiB
	Log     string // the file with all of it
}

func (e *ProgramError) Error() string {
	text := fmt.Sprintf("%s failed (%s)", e.Program, e.State)
	if line := tellingLine(e.Output); line != "" {
		text += ": " + line
	}
	if advice := adviceOn(e.Output); advice != "" {
		text += ". " + advice
	}
	return text + ". All it printed is in " + e.Log
}

var hints = []struct{ sign, advice string }{
	{"No space left on device", "The disk is full: free some space and start again"},
	{"Disk quota exceeded", "The disk quota is used up: free some space and start again"},
	{"Read-only file system", "The file system is read-only: set WEBSHELL_DATA to a folder that can be written"},
	{"could not look up effective user ID", "The user id has no entry in /etc/passwd: add one, or set DATABASE_URL to a running Postgres"},
	{"Cannot allocate memory", "There is too little memory for Postgres: free some, or set DATABASE_URL to a running Postgres"},
}

func adviceOn(text string) string {
	for _, h := range hints {
		if strings.Contains(text, h.sign) {
			return h.advice
		}
	}
	return ""
}

// tellingLine is the line of a program's output that names the failure: the first
// that shows a cause we know, else the last one marked so, else the last one.
// Answers to clients that knocked too early are no failures.
func tellingLine(output string) string {
	known, marked, last := "", "", ""
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if line == "" || strings.Contains(line, "FATAL:  the database system is") {
			continue
		}
		last = line
		for _, sign := range []string{"PANIC:", "FATAL:", "ERROR:", "error:"} {
			if _, text, ok := strings.Cut(line, sign); ok {
				marked = strings.TrimSpace(text)
				last = marked
			}
		}
		if known == "" && adviceOn(line) != "" {
			known = last
		}
	}
	return cmp.Or(known, marked, last)
}

// installHint names the package to install; major may be "".
func installHint(major string) string {
	if runtime.GOOS == "darwin" {
		if major == "" {
			return `"brew install postgresql"`
		}
		return fmt.Sprintf(`"brew install postgresql@%s"`, major)
	}
	if major == "" {
		return `on Debian or Ubuntu "apt-get install postgresql"`
	}
	return fmt.Sprintf(`on Debian or Ubuntu "apt-get install postgresql-%s"`, major)
}
