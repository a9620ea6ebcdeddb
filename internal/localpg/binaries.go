//go:build linux || darwin

package localpg

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// places are where systems put Postgres' programs: Debian and Ubuntu, the RPM
// packages of postgresql.org, SUSE, Alpine, Homebrew, Postgres.app. PATH is last.
var places = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/usr/lib/postgresql*/bin",
	"/usr/libexec/postgresql*",
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
	"/Applications/Postgres.app/Contents/Versions/*/bin",
}

// binaries are the programs of one installed PostgreSQL.
type binaries struct {
	dir     string
	version string // "15.18", "18beta1"
}

func (b binaries) program(name string) string { return filepath.Join(b.dir, name) }
func (b binaries) major() string              { return majorOf(b.version) }
func (b binaries) String() string             { return b.version + " in " + b.dir }

var leadingNumber = regexp.MustCompile(`^[0-9]+`)

// majorOf is "15" for "15.18", but "9.6" for "9.6.24": before 10 the first two
// numbers made the major version.
func majorOf(version string) string {
	first := leadingNumber.FindString(version)
	if n, err := strconv.Atoi(first); err != nil || n >= 10 {
		return first
	}
	parts := strings.SplitN(version, ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// findBinaries returns the programs for a cluster of this major version, or the
// newest for "" (no cluster yet). They are tried as the run account standing in
// folder, which proves that it may execute the one and enter the other.
func findBinaries(binDir, major, data string, a account, folder string) (binaries, error) {
	dirs, err := candidates(binDir, major)
	if err != nil {
		return binaries{}, err
	}
	var found []string
	var failed error
	for _, dir := range dirs {
		b, err := tryBinaries(dir, a, folder)
		if err != nil {
			failed = cmp.Or(failed, err)
			continue
		}
		if usable(b.major()) && (major == "" || b.major() == major) {
			return b, nil
		}
		found = append(found, b.String())
	}
	switch {
	case len(found) == 0 && failed != nil:
		return binaries{}, failed
	case major != "":
		return binaries{}, &MajorMismatchError{Data: data, Major: major, Found: found}
	case len(found) > 0:
		return binaries{}, noBinaries(fmt.Sprintf("version %d or newer is needed, found only %s", oldestMajor, strings.Join(found, ", ")))
	}
	return binaries{}, noBinaries("")
}

func noBinaries(detail string) error {
	if detail != "" {
		detail = " (" + detail + ")"
	}
	return fmt.Errorf("%w%s: install them (%s), or set WEBSHELL_PG_BIN to the folder that holds initdb and postgres, "+
		"or set DATABASE_URL to a running Postgres", ErrNoBinaries, detail, installHint(""))
}

// candidates lists folders with both programs, those of the wanted major version
// first, then in the order of places, the highest number first.
func candidates(binDir, major string) ([]string, error) {
	if binDir != "" {
		dir, err := filepath.Abs(binDir)
		if err != nil {
			return nil, err
		}
		if !hasPrograms(dir) {
			return nil, noBinaries("WEBSHELL_PG_BIN is " + dir + ", which does not hold both initdb and postgres")
		}
		return []string{dir}, nil
	}
	var dirs []string
	for _, pattern := range places {
		matches, _ := filepath.Glob(pattern) // the patterns are constants and well-formed
		slices.SortStableFunc(matches, func(a, b string) int { return cmp.Compare(numberIn(b), numberIn(a)) })
		dirs = append(dirs, matches...)
	}
	if path, err := exec.LookPath("postgres"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil && filepath.IsAbs(path) {
			dirs = append(dirs, filepath.Dir(path))
		}
	}
	dirs = slices.DeleteFunc(dirs, func(dir string) bool { return !hasPrograms(dir) })
	wanted, err := strconv.Atoi(major)
	if err == nil {
		slices.SortStableFunc(dirs, func(a, b string) int {
			return cmp.Compare(distance(a, wanted), distance(b, wanted))
		})
	}
	return dedupe(dirs), nil
}

func distance(dir string, wanted int) int {
	if numberIn(dir) == wanted {
		return 0
	}
	return 1
}

func dedupe(dirs []string) []string {
	var out []string
	for _, dir := range dirs {
		if !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}

var anyNumber = regexp.MustCompile(`[0-9]+`)

// numberIn is the version a folder's name tells, 0 if none; postgres -V decides.
func numberIn(dir string) int {
	name := filepath.Base(strings.TrimSuffix(dir, "/bin"))
	n, err := strconv.Atoi(anyNumber.FindString(name))
	if err != nil {
		return 0
	}
	return n
}

func hasPrograms(dir string) bool {
	for _, name := range []string{"initdb", "postgres"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
			return false
		}
	}
	return true
}

var versionLine = regexp.MustCompile(`^postgres \(PostgreSQL\) ([0-9][0-9A-Za-z.]*)`)

func tryBinaries(dir string, a account, folder string) (binaries, error) {
	program := filepath.Join(dir, "postgres")
	out, err := runAs(a, folder, program, "-V")
	if err != nil {
		return binaries{}, whyNot(program, a, folder, err)
	}
	m := versionLine.FindStringSubmatch(out)
	if m == nil {
		return binaries{}, noBinaries(fmt.Sprintf("%s does not say which version it is", program))
	}
	return binaries{dir: dir, version: m[1]}, nil
}

func runAs(a account, folder, program string, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = folder, a.env()
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: a.credential()}
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.Output()
	return string(out), err
}

// whyNot finds out what kept the run account from starting program in folder.
// It asks the kernel rather than reading modes, so access lists count too.
func whyNot(program string, a account, folder string, err error) error {
	if errors.Is(err, syscall.EPERM) && a.switched {
		return powerless()
	}
	if _, rootErr := runAs(a, "/", program, "-V"); rootErr != nil {
		if errors.Is(rootErr, fs.ErrPermission) {
			return &FolderError{Path: program, Problem: fmt.Sprintf("may not be executed by the user %q, as whom Postgres is to run", a.name),
				Fix: "make it and the folders above it accessible, or set WEBSHELL_PG_BIN to another folder", Err: err}
		}
		return noBinaries(fmt.Sprintf("%s does not run: %v", program, rootErr))
	}
	for _, dir := range ancestors(folder) {
		if _, err := runAs(a, dir, program, "-V"); errors.Is(err, fs.ErrPermission) {
			return &FolderError{Path: dir, Problem: fmt.Sprintf("may not be entered by the user %q, as whom Postgres is to run", a.name),
				Fix: fmt.Sprintf(`allow it with "chmod o+x %s", or set WEBSHELL_DATA to a folder elsewhere, such as /var/lib/webshell`, dir), Err: err}
		}
	}
	return folderProblem(folder, err)
}

// ancestors lists / and every folder down to path.
func ancestors(path string) []string {
	var dirs []string
	for dir := path; ; dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
		if dir == filepath.Dir(dir) {
			slices.Reverse(dirs)
			return dirs
		}
	}
}
