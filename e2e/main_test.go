// Package e2e tests the real program: its binary, its own Postgres, and a real
// Chromium.
package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// binary is the program, built once.
var binary string

func TestMain(m *testing.M) {
	code, err := buildAndRun(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func buildAndRun(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "webshell-e2e-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "webshell")
	build := exec.Command("go", "build", "-o", binary, "webshell/cmd/webshell")
	if out, err := build.CombinedOutput(); err != nil {
		return 1, fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return m.Run(), nil
}

// dataDir is a data folder. Under root the cluster runs as another user, which
// must get in; t.TempDir is closed to others.
func dataDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "webshell-data-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// After a kill -9 of the server Postgres goes down by itself.
		deadline := time.Now().Add(30 * time.Second)
		for len(processesIn(t, dir)) > 0 {
			if time.Now().After(deadline) {
				t.Errorf("processes were left in the data folder: %v", processesIn(t, dir))
				break
			}
			<-time.After(20 * time.Millisecond)
		}
		os.RemoveAll(dir)
	})
	return dir
}

// processesIn lists the processes whose working folder is in dir: Postgres' is
// its cluster.
func processesIn(t *testing.T, dir string) []int {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, link := range links {
		target, err := os.Readlink(link)
		if err != nil || !strings.HasPrefix(target, dir) {
			continue
		}
		pid, err := strconv.Atoi(strings.Split(link, "/")[2])
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// server is a running program.
type server struct {
	*testing.T
	cmd    *exec.Cmd
	data   string
	env    []string
	url    string // as the sign-in link says it
	link   string
	exited chan struct{}
	err    error
	output *lockedBuffer // all it wrote but the sign-in line
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// environ is the program's environment: nothing of the tester's own settings.
func environ(data string, extra ...string) []string {
	env := []string{"WEBSHELL_DATA=" + data, "WEBSHELL_ADDR=127.0.0.1:0", "WEBSHELL_CONFIG=" + os.DevNull}
	for _, name := range []string{"PATH", "HOME", "USER", "TMPDIR", "WEBSHELL_PG_BIN"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return append(env, extra...)
}

// serve starts the program and waits until it answers.
func serve(t *testing.T, data string, extra ...string) *server {
	t.Helper()
	s := start(t, data, extra...)
	select {
	case <-s.exited:
		t.Fatalf("the program ended: %v\n%s", s.err, s.output)
	default:
	}
	// The address is listened on before anything else, so that this request
	// waits for its answer: there is nothing to poll.
	res, err := http.Get(s.url + "/readyz")
	if err != nil {
		t.Fatalf("%v\n%s", err, s.output)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Fatalf("not ready: %d\n%s", res.StatusCode, s.output)
	}
	return s
}

// start starts the program and waits for its sign-in link, or its end.
func start(t *testing.T, data string, extra ...string) *server {
	t.Helper()
	s := &server{T: t, data: data, env: environ(data, extra...), exited: make(chan struct{}), output: new(lockedBuffer)}
	s.cmd = exec.Command(binary)
	s.cmd.Env = s.env
	s.cmd.Stderr = s.output
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a Ctrl-C of the tester's is not its
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	linked := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			if link, ok := strings.CutPrefix(lines.Text(), "Sign in: "); ok {
				linked <- link
				continue
			}
			fmt.Fprintln(s.output, lines.Text())
		}
		s.err = s.cmd.Wait()
		close(s.exited)
	}()
	t.Cleanup(func() { s.kill() })
	select {
	case s.link = <-linked:
		s.url, _, _ = strings.Cut(s.link, "/login?")
	case <-s.exited:
	case <-time.After(time.Minute):
		t.Fatalf("no sign-in link was printed\n%s", s.output)
	}
	return s
}

// interrupt is Ctrl-C; the program must end by itself, without an error.
func (s *server) interrupt() {
	s.Helper()
	leavePages(s.T)
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		s.Fatal(err)
	}
	s.wait()
	if s.err != nil {
		s.Errorf("the program ended with %v\n%s", s.err, s.output)
	}
}

// kill is kill -9.
func (s *server) kill() {
	s.Helper()
	if err := s.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		s.Error(err)
	}
	s.wait()
}

func (s *server) wait() {
	s.Helper()
	select {
	case <-s.exited:
	case <-time.After(time.Minute):
		s.Fatalf("the program does not end\n%s", s.output)
	}
}

// postmaster is the process id of the private Postgres.
func (s *server) postmaster() int {
	s.Helper()
	files, err := filepath.Glob(filepath.Join(s.data, "postgres", "*", "postmaster.pid"))
	if err != nil || len(files) != 1 {
		s.Fatalf("postmaster.pid: %v %v", files, err)
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		s.Fatal(err)
	}
	line, _, _ := strings.Cut(string(raw), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		s.Fatal(err)
	}
	return pid
}

// command runs a subcommand beside the server and returns its output.
func (s *server) command(args ...string) string {
	s.Helper()
	out, err := run(s.env, args...)
	if err != nil {
		s.Fatalf("webshell %s: %v", strings.Join(args, " "), err)
	}
	return out
}

func run(env []string, args ...string) (string, error) {
	cmd := exec.Command(binary, args...)
	cmd.Env = env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), fmt.Errorf("%w: %s", err, stderr.String())
	}
	return stdout.String(), nil
}

// client is a program with a token. Each of its requests has a connection of
// its own: a killed server must not be mistaken for a slow one.
type client struct {
	*testing.T
	url, token string
	http       *http.Client
}

func (s *server) client() *client {
	s.Helper()
	token := strings.TrimSpace(s.command("token", "create", "test-"+strconv.Itoa(int(time.Now().UnixNano()))))
	return s.clientWith(token)
}

func (s *server) clientWith(token string) *client {
	transport := &http.Transport{DisableKeepAlives: true, DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext}
	return &client{s.T, s.url, token, &http.Client{Transport: transport, Timeout: time.Minute}}
}

// do sends JSON and reads JSON; err is what no answer at all means.
func (c *client) do(ctx context.Context, method, path string, in, out any) (status int, err error) {
	var body io.Reader
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return 0, err
		}
		body = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, body)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Content-Type", "application/json")
	res, err := c.http.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err
	}
	if out != nil && res.StatusCode < 300 {
		err = json.Unmarshal(raw, out)
	}
	return res.StatusCode, err
}

// must is do where only success will do. A server whose database is coming
// back says so, and when to ask again; then it is asked again.
func (c *client) must(method, path string, in, out any) {
	c.Helper()
	ctx, cancel := context.WithTimeout(c.Context(), 2*time.Minute)
	defer cancel()
	for {
		status, err := c.do(ctx, method, path, in, out)
		if err == nil && status < 300 {
			return
		}
		if err != nil || status != http.StatusServiceUnavailable {
			c.Fatalf("%s %s: %d %v", method, path, status, err)
		}
		<-time.After(50 * time.Millisecond)
	}
}

// skip ends the running turn, and lets what waits go on.
func (c *client) skip(session string) {
	c.Helper()
	c.must("POST", "/sessions/"+session+"/stop", nil, nil)
	c.must("POST", "/sessions/"+session+"/queue/resume", nil, nil)
}

type event struct {
	Seq         int64
	Kind        string
	RPCID       string `json:"rpcId"`
	Content     string
	Annotations json.RawMessage
	Body        struct {
		Outcome string
		Turn    string
	}
}

func (c *client) events(session string) []event {
	c.Helper()
	var out struct{ Events []event }
	c.must("GET", "/sessions/"+session+"/events?limit=10000", nil, &out)
	for i, e := range out.Events {
		if e.Seq != int64(i+1) {
			c.Fatalf("event %d has seq %d", i+1, e.Seq)
		}
	}
	return out.Events
}

// until follows the session's stream until its log satisfies want. A stream
// ends when the database goes away: its reader comes back.
func (c *client) until(session, what string, want func([]event) bool) []event {
	c.Helper()
	ctx, cancel := context.WithTimeout(c.Context(), 2*time.Minute)
	defer cancel()
	for ctx.Err() == nil {
		body, err := c.stream(ctx, session)
		if err != nil {
			select {
			case <-ctx.Done():
			case <-time.After(50 * time.Millisecond):
			}
			continue
		}
		lines := bufio.NewReader(body)
		for more := true; more; more = nextEvent(lines) {
			if events := c.events(session); want(events) {
				body.Close()
				return events
			}
		}
		body.Close()
	}
	c.Fatalf("%s did not come", what)
	return nil
}

// stream opens a session's stream from its start.
func (c *client) stream(ctx context.Context, session string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", c.url+"/sessions/"+session+"/stream?after=0", nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		res.Body.Close()
		return nil, fmt.Errorf("stream: %s", res.Status)
	}
	return res.Body, nil
}

// nextEvent reads up to the next cursor, or reports that the stream has ended.
func nextEvent(lines *bufio.Reader) bool {
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return false
		}
		if strings.HasPrefix(line, "id: ") {
			return true
		}
	}
}

func count(events []event, kind string) int {
	n := 0
	for _, e := range events {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

func ended(n int) func([]event) bool {
	return func(events []event) bool { return count(events, "turn/ended") >= n }
}
