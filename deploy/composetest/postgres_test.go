package composetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// postgres is a server set up as the image's start script does it: the
// password from the secrets' file, asked for on every connection by TCP.
type postgres struct {
	bin, data, address string
	account            account
	server             *exec.Cmd
}

// newPostgres makes the database that the service's variables ask for. The
// server listens on an address of its own in the loopback net, so that it may
// have the port that WebShell is told.
func newPostgres(t *testing.T, env map[string]string, passwordFile string, run account) *postgres {
	t.Helper()
	dir := openDir(t)
	p := &postgres{bin: postgresPrograms(t), data: filepath.Join(dir, "data"), address: freeAddress(t, 5432), account: run}
	if err := os.Mkdir(p.data, 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		if err := os.Chown(p.data, run.uid, run.gid); err != nil {
			t.Fatal(err)
		}
	}
	args := append(strings.Fields(env["POSTGRES_INITDB_ARGS"]), "--pgdata="+p.data, "--no-sync",
		"--username="+env["POSTGRES_USER"], "--pwfile="+passwordFile, "--auth-local=trust", "--auth-host=scram-sha-256")
	p.do(t, "initdb", args...)
	p.start(t)
	p.do(t, "createdb", "--host="+p.data, "--username="+env["POSTGRES_USER"], env["POSTGRES_DB"])
	return p
}

// openDir is a folder that other accounts may enter, unlike t.TempDir's.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "composetest-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// start starts the server and waits until it answers. The test's end stops it.
func (p *postgres) start(t *testing.T) {
	t.Helper()
	p.server = p.command(t, "postgres", "-D", p.data, "-k", p.data, "-c", "listen_addresses="+p.address, "-c", "fsync=off")
	p.server.Stderr = os.Stderr
	p.server.Args = append(p.server.Args, "-c", "log_min_messages=panic")
	if err := p.server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- p.server.Wait() }()
	t.Cleanup(func() {
		p.server.Process.Signal(syscall.SIGINT)
		if err := <-ended; err != nil {
			t.Errorf("postgres: %v", err)
		}
	})
	until(t, "postgres answers", func() error {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("postgres ended: %v", err)
		default:
		}
		return p.command(t, "pg_isready", "--quiet", "--host="+p.address).Run()
	})
}

func (p *postgres) do(t *testing.T, program string, args ...string) {
	t.Helper()
	if out, err := p.command(t, program, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
}

// command runs one of Postgres' programs as the account; only root can.
func (p *postgres) command(t *testing.T, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(p.bin, program), args...)
	cmd.Dir = filepath.Dir(p.data)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(p.account.uid), Gid: uint32(p.account.gid)}
	}
	return cmd
}

// postgresPrograms is the folder of the newest installed programs.
func postgresPrograms(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("WEBSHELL_PG_BIN"); dir != "" {
		return dir
	}
	dirs, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(dirs, func(a, b string) int { return major(b) - major(a) })
	if len(dirs) > 0 {
		return dirs[0]
	}
	path, err := exec.LookPath("postgres")
	if err != nil {
		t.Fatal("no PostgreSQL server is installed: on Debian or Ubuntu, apt-get install postgresql")
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(path)
}

func major(bin string) int {
	n, err := strconv.Atoi(filepath.Base(filepath.Dir(bin)))
	if err != nil {
		return 0
	}
	return n
}

// databaseAccount is who may run Postgres here: not root.
func databaseAccount(t *testing.T) account {
	t.Helper()
	if os.Getuid() != 0 {
		return account{os.Getuid(), os.Getgid()}
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.Atoi(u.Uid)
		gid, gidErr := strconv.Atoi(u.Gid)
		if err := errors.Join(uidErr, gidErr); err != nil {
			t.Fatal(err)
		}
		return account{uid, gid}
	}
	t.Fatal("this machine has neither an account postgres nor nobody")
	return account{}
}

// freeAddress is an address of this machine alone on which a port is free.
func freeAddress(t *testing.T, port int) string {
	t.Helper()
	for range 100 {
		address := fmt.Sprintf("127.%d.%d.%d", 1+rand.IntN(254), rand.IntN(256), 1+rand.IntN(254))
		l, err := net.Listen("tcp", net.JoinHostPort(address, strconv.Itoa(port)))
		if err == nil {
			l.Close()
			return address
		}
	}
	t.Fatalf("port %d is free on no address of the loopback net", port)
	return ""
}

// freePort is an address of this machine alone with a port that is free.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
