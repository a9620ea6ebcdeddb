//go:build linux

package localpg

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/user"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The test binary runs itself again as another program; this variable says which.
const roleVar = "LOCALPG_TEST_ROLE"

const (
	roleSupervisor = "supervisor" // starts LOCALPG_TEST_DIR, reports, stops when stdin ends
	roleConfined   = "confined"   // becomes a supervisor without the capabilities in LOCALPG_TEST_DROP
)

func TestMain(m *testing.M) {
	switch os.Getenv(roleVar) {
	case roleSupervisor:
		os.Exit(supervise())
	case roleConfined:
		os.Exit(confined())
	}
	code := m.Run()
	removeModel()
	os.Exit(code)
}

// report is what a supervisor process says once it has started, or failed.
type report struct{ URL, Error string }

func supervise() int {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	s, err := Start(context.Background(), Options{Dir: os.Getenv("LOCALPG_TEST_DIR"), Log: log, Settings: quick})
	r := report{}
	if err != nil {
		r.Error = err.Error()
	} else {
		r.URL = s.URL()
	}
	_ = json.NewEncoder(os.Stdout).Encode(r)
	if err != nil {
		return 1
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := s.Stop(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// confined runs a supervisor like root in a container: the capabilities are taken
// from this thread's bounding set, and so from the child it starts.
func confined() int {
	runtime.LockOSThread()
	for name := range strings.FieldsSeq(os.Getenv("LOCALPG_TEST_DROP")) {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, capabilities[name], 0, 0, 0); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVar+"="+roleSupervisor)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

var capabilities = map[string]uintptr{
	"chown": unix.CAP_CHOWN, "setuid": unix.CAP_SETUID, "setgid": unix.CAP_SETGID, "ptrace": unix.CAP_SYS_PTRACE,
}

// supervisor is another process that runs a cluster.
type supervisor struct {
	report
	cmd   *exec.Cmd
	stdin io.WriteCloser
}

// spawn runs the test binary as a supervisor of dir, as another user if cred is
// set, and returns when it has reported.
func spawn(t *testing.T, dir string, cred *syscall.Credential) *supervisor {
	t.Helper()
	s, out := begin(t, dir, cred, roleVar+"="+roleSupervisor)
	s.report = readReport(t, out)
	return s
}

// spawnWithout is spawn for a root without these capabilities.
func spawnWithout(t *testing.T, dir, drop string) *supervisor {
	t.Helper()
	s, out := begin(t, dir, nil, roleVar+"="+roleConfined, "LOCALPG_TEST_DROP="+drop)
	s.report = readReport(t, out)
	return s
}

func readReport(t *testing.T, out io.Reader) (r report) {
	t.Helper()
	if err := json.NewDecoder(out).Decode(&r); err != nil {
		t.Fatalf("the supervisor process said nothing: %v", err)
	}
	return r
}

// begin starts it without waiting for the report.
func begin(t *testing.T, dir string, cred *syscall.Credential, env ...string) (*supervisor, io.Reader) {
	t.Helper()
	cmd := exec.Command(testBinary(t, cred))
	cmd.Env = append(append(os.Environ(), "LOCALPG_TEST_DIR="+dir), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: cred, Pdeathsig: syscall.SIGKILL}
	cmd.Dir = "/"
	cmd.Stderr = os.Stderr
	s := &supervisor{cmd: cmd}
	var err error
	if s.stdin, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.stop() })
	return s, out
}

func (s *supervisor) stop() {
	s.stdin.Close()
	_ = s.cmd.Wait()
}

func (s *supervisor) kill(t *testing.T) {
	t.Helper()
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = s.cmd.Wait()
}

// testBinary is a copy that another user may execute, or the binary itself.
func testBinary(t *testing.T, cred *syscall.Credential) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if cred == nil {
		return self
	}
	path := folder(t) + "/localpg.test"
	b, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// ordinary is a user who is not root: the first with an id for people, else nobody.
func ordinary(t *testing.T) account {
	t.Helper()
	passwd, err := os.ReadFile("/etc/passwd")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(passwd)) {
		name, _, _ := strings.Cut(line, ":")
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		if id, err := strconv.Atoi(u.Uid); err == nil && id >= 1000 && id < 60000 {
			return mustLookUp(t, name)
		}
	}
	return mustLookUp(t, "nobody")
}

func mustLookUp(t *testing.T, name string) account {
	t.Helper()
	a, err := lookUp(name)
	if err != nil {
		t.Fatal(err)
	}
	a.switched = true
	return a
}

// asUser are the tests that who runs them matters to.
const asUser = "FirstStart|RestartKeepsRows|SecondStart|PostgresKilled|SupervisorKilled|BothKilled|OrphanedBackend$|" +
	"StaleFiles|Adopted|CancelledStart|AttachAlone|AttachBeside|WaitsForASubcommand|FolderThatMayNot|TemporarySocket|DefaultDir"

// TestAsOrdinaryUser runs those again without root's rights.
func TestAsOrdinaryUser(t *testing.T) {
	if os.Geteuid() != 0 {
		return // they run so already
	}
	t.Parallel()
	a := ordinary(t)
	home := folder(t)
	if err := os.Chown(home, int(a.uid), int(a.gid)); err != nil {
		t.Fatal(err)
	}
	limit := 20 * time.Minute
	if end, ok := t.Deadline(); ok {
		limit = time.Until(end) - 10*time.Second // to report which test hung
	}
	cmd := exec.Command(testBinary(t, a.credential()), "-test.v", "-test.timeout="+limit.String(), "-test.run="+asUser)
	cmd.Dir = home
	cmd.Env = append(a.env(), "TMPDIR="+home)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: a.credential(), Pdeathsig: syscall.SIGKILL}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestRestartKeepsRows") {
		t.Errorf("as %s: %v\n%s", a.name, err, out)
	}
}
