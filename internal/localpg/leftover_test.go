//go:build linux

package localpg

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// stateFile is a postmaster.pid as an earlier Postgres would have left it.
func stateFile(dir string, pid int) string {
	return fmt.Sprintf("%d\n%s/postgres/data\n1700000000\n5432\n%s/postgres/run\n\n  123456  7\nready   \n", pid, dir, dir)
}

// as makes cmd run as the cluster's account: only its own processes would keep
// Postgres from starting.
func as(t *testing.T, dir string, cmd *exec.Cmd) *exec.Cmd {
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: runAccount(t, dir).credential()}
	return cmd
}

// living is the id of a process that has nothing to do with Postgres.
func living(t *testing.T, dir string) int {
	t.Helper()
	cmd := as(t, dir, exec.Command("cat"))
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the innocent process: %v", err)
		}
	})
	return cmd.Process.Pid
}

// zombie is the id of a process that has ended and is not waited for.
func zombie(t *testing.T, dir string) int {
	t.Helper()
	cmd := as(t, dir, exec.Command("true"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() })
	if err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

func dead(t *testing.T, dir string) int {
	t.Helper()
	cmd := as(t, dir, exec.Command("true"))
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

func TestStaleFiles(t *testing.T) {
	t.Parallel()
	for name, pidOf := range map[string]func(*testing.T, string) int{"reused": living, "zombie": zombie, "dead": dead} {
		files := []string{"both"}
		if name == "zombie" { // the hardest: it is there for kill(2), but not for /proc
			files = []string{"both", "state file", "socket lock"}
		}
		for _, file := range files {
			t.Run(name+" in "+file, func(t *testing.T) {
				t.Parallel()
				dir := stopped(t)
				pid := pidOf(t, dir)
				if file != "socket lock" {
					writeOwned(t, dir+"/postgres/data/"+pidName, stateFile(dir, pid))
				}
				if file != "state file" {
					writeOwned(t, dir+"/postgres/run/"+socketName, "")
					writeOwned(t, dir+"/postgres/run/"+socketName+".lock", stateFile(dir, pid))
				}
				s := mustStart(t, dir)
				if n := query[int](t, s.URL(), "select 1"); n != 1 {
					t.Error(n)
				}
			})
		}
	}
}

func TestSenselessStateFile(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty": "", "no number": "x\ny\n", "one line": "1", "negative": "-77\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := stopped(t)
			writeOwned(t, dir+"/postgres/data/"+pidName, text)
			mustStart(t, dir)
		})
	}
}

// A shell that stands in the cluster's folder is no leftover.
func TestBystanderInTheFolder(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	cmd := exec.Command("cat")
	cmd.Dir = dir + "/postgres/data"
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	mustStop(t, mustStart(t, dir))
	stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("the bystander: %v", err)
	}
}

// byHand starts a Postgres on dir's cluster without a supervisor.
func byHand(t *testing.T, dir, socket string) *exec.Cmd {
	t.Helper()
	a := runAccount(t, dir)
	data := dir + "/postgres/data"
	b, err := findBinaries("", "", data, a, "/")
	if err != nil {
		t.Fatal(err)
	}
	cmd := as(t, dir, exec.Command(b.program("postgres"), serverArgs(data, socket, quick)...))
	cmd.Env = a.env()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGINT)
		<-ended
	})
	eventually(t, "it is ready", func() bool {
		pf, err := readPidFile(data)
		return err == nil && pf != nil && pf.pid == cmd.Process.Pid && pf.status == "ready"
	})
	return cmd
}

func TestRunningPostgresIsAdopted(t *testing.T) {
	t.Parallel()
	start := map[string]func(*testing.T, string) *supervisor{
		"plainly": func(t *testing.T, dir string) *supervisor { return spawn(t, dir, nil) },
	}
	if os.Geteuid() == 0 {
		start["by root without CAP_SYS_PTRACE"] = func(t *testing.T, dir string) *supervisor { return spawnWithout(t, dir, "ptrace") }
	}
	for name, start := range start {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := stopped(t)
			pid := byHand(t, dir, dir+"/postgres/run").Process.Pid
			s := start(t, dir)
			if s.Error != "" {
				t.Fatal(s.Error)
			}
			sql(t, s.URL, "create table t (n int); insert into t values (7)")
			if now := postmaster(t, dir); now != pid {
				t.Errorf("process %d was started beside %d", now, pid)
			}
			kill9(t, pid)
			eventually(t, "the supervisor starts its own", func() bool {
				n, err := tryQuery[int](s.URL, "select n from t")
				return err == nil && n == 7
			})
			s.stop()
			if pids := below(t, dir); len(pids) > 0 {
				t.Errorf("left: %v", pids)
			}
		})
	}
}

func TestAdoptedPostgresIsStopped(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	pid := byHand(t, dir, dir+"/postgres/run").Process.Pid
	mustStop(t, mustStart(t, dir))
	if isPostgresIn(dir+"/postgres/data", pid, runAccount(t, dir)) {
		t.Error("it runs")
	}
}

// One on a socket elsewhere belongs to somebody: it is neither used nor stopped.
func TestForeignPostgresIsLeftAlone(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	elsewhere := folder(t)
	a := runAccount(t, dir)
	if err := os.Chown(elsewhere, int(a.uid), int(a.gid)); err != nil {
		t.Fatal(err)
	}
	pid := byHand(t, dir, elsewhere).Process.Pid
	mustFail(t, options(dir), fmt.Sprint("kill -INT ", pid))
	if !isPostgresIn(dir+"/postgres/data", pid, a) {
		t.Error("it was stopped")
	}
}

func TestInterruptedInit(t *testing.T) {
	t.Parallel()
	t.Run("remains", func(t *testing.T) {
		t.Parallel()
		dir := stopped(t)
		if err := os.Rename(dir+"/postgres/data", dir+"/postgres/data.init"); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(dir + "/postgres/data.init/PG_VERSION"); err != nil {
			t.Fatal(err)
		}
		mustStart(t, dir)
		if present(dir + "/postgres/data.init") {
			t.Error("data.init is left")
		}
	})
	t.Run("killed", func(t *testing.T) {
		t.Parallel()
		dir := folder(t)
		first, _ := begin(t, dir, nil, roleVar+"="+roleSupervisor)
		eventually(t, "initdb is at work", func() bool { return present(dir + "/postgres/data.init/global/pg_control") })
		first.kill(t)
		if present(dir + "/postgres/data") {
			t.Fatal("too late: this test tries nothing")
		}
		mustStart(t, dir)
	})
	t.Run("an empty folder in its place", func(t *testing.T) {
		t.Parallel()
		dir := stopped(t)
		data := dir + "/postgres/data"
		if err := os.RemoveAll(data); err != nil {
			t.Fatal(err)
		}
		writeOwned(t, dir+"/postgres/x", "")
		a := runAccount(t, dir)
		if err := os.Mkdir(data, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(data, int(a.uid), int(a.gid)); err != nil {
			t.Fatal(err)
		}
		mustStart(t, dir)
	})
}

func TestLogIsNamedInErrors(t *testing.T) {
	t.Parallel()
	dir := stopped(t)
	if err := os.Remove(dir + "/postgres/data/global/pg_control"); err != nil {
		t.Fatal(err)
	}
	err := mustFail(t, options(dir), "pg_control", dir+"/"+logName)
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("more than a line: %q", err)
	}
}
