package composetest

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/types"
)

// patience is how long a part may take to come up or go down.
const patience = time.Minute

// until calls done, a few times a second, until it returns nil.
func until(t *testing.T, what string, done func() error) {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		err := done()
		if err == nil {
			return
		}
		select {
		case <-deadline.C:
			t.Fatalf("waited %v until %s: %v", patience, what, err)
		case <-again.C:
		}
	}
}

// checkStack brings up what compose.yaml describes, twice on the same data:
// the secrets by their script, a Postgres that wants the password, and the
// image's program with the service's variables.
func checkStack(t *testing.T, img image) {
	project := load(t)
	webshell := project.Services["webshell"]
	run := nobody65532
	if os.Getuid() != 0 {
		run = databaseAccount(t)
	}
	secrets := filepath.Join(img.root, "secrets")
	mkdir(t, secrets)
	runSecrets(t, secrets, databaseAccount(t), run)
	db := newPostgres(t, variables(t, project.Services["db"]), filepath.Join(secrets, "db/password"), databaseAccount(t))
	env := stackEnv(t, webshell, img, secrets, db.address)
	before := files(t, img.root)

	for _, start := range []string{"first", "second"} {
		t.Run(start+" start", func(t *testing.T) {
			serve(t, img, webshell, env)
		})
		// As at each start of the project.
		runSecrets(t, secrets, databaseAccount(t), run)
		passfileFor(t, secrets, db.address)
	}
	if after := files(t, img.root); strings.Join(after, "\n") != strings.Join(before, "\n") {
		t.Errorf("the image's files were\n%v\nand are now\n%v", before, after)
	}
}

// stackEnv is the service's environment, fit for a machine without containers:
// the name db leads to the database's address, WebShell listens on loopback
// alone, and without a root folder of its own the paths are longer.
func stackEnv(t *testing.T, s types.ServiceConfig, img image, secrets, dbAddress string) map[string]string {
	t.Helper()
	env := variables(t, s)
	env["WEBSHELL_ADDR"] = freePort(t)
	if os.Getuid() == 0 {
		// As an engine does it.
		if err := os.WriteFile(filepath.Join(img.root, "etc/hosts"), []byte(dbAddress+" db\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return env
	}
	passfileFor(t, secrets, dbAddress)
	env["DATABASE_URL"] = strings.NewReplacer("@db:", "@"+dbAddress+":", "/secrets/", secrets+"/").Replace(env["DATABASE_URL"])
	env["WEBSHELL_WORKSPACE"] = filepath.Join(img.root, "workspace")
	return env
}

// passfileFor has the password file name the address where only root can give
// the name db a meaning.
func passfileFor(t *testing.T, secrets, dbAddress string) {
	t.Helper()
	if os.Getuid() == 0 {
		return
	}
	file := filepath.Join(secrets, "webshell/pgpass")
	line := strings.Replace(read(t, secrets, "webshell/pgpass"), "db:", dbAddress+":", 1)
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
}

// serve runs the service from its start to its end: healthy by its own check,
// a sign-in link as an operator gets it, and stopped as an engine stops it.
func serve(t *testing.T, img image, s types.ServiceConfig, env map[string]string) {
	server := img.command(t.Context(), env, append(img.entrypoint, img.cmd...)...)
	output, err := os.Create(filepath.Join(t.TempDir(), "output"))
	if err != nil {
		t.Fatal(err)
	}
	defer output.Close()
	server.Stdout, server.Stderr = output, output
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	until(t, "webshell is healthy", func() error {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("webshell ended: %v\n%s", err, read(t, filepath.Dir(output.Name()), "output"))
		default:
		}
		out, err := img.command(t.Context(), env, s.HealthCheck.Test[1:]...).CombinedOutput()
		if err != nil && len(out) == 0 {
			t.Errorf("an unhealthy answer without a word: %v", err)
		}
		return err
	})

	out, err := img.command(t.Context(), env, "webshell", "login-link").Output()
	if err != nil {
		t.Fatal(explain(err))
	}
	checkLink(t, strings.TrimSpace(string(out)), env)

	if err := server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("webshell ended with %v\n%s", err, read(t, filepath.Dir(output.Name()), "output"))
		}
	case <-time.After(time.Duration(*s.StopGracePeriod)):
		server.Process.Kill()
		t.Fatalf("webshell was still there after %v", time.Duration(*s.StopGracePeriod))
	}
}

// checkLink opens the sign-in link under the public URL's name, and under one
// that nobody set.
func checkLink(t *testing.T, link string, env map[string]string) {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil || !strings.HasPrefix(link, env["WEBSHELL_PUBLIC_URL"]+"/login?token=") {
		t.Fatalf("the sign-in link is %q (%v), want one below %s", link, err, env["WEBSHELL_PUBLIC_URL"])
	}
	for host, want := range map[string]int{u.Host: http.StatusOK, "evil.test": http.StatusMisdirectedRequest} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+env["WEBSHELL_ADDR"]+u.RequestURI(), nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		page, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != want {
			t.Errorf("the link under the name %s: %s (%v), want %d\n%s", host, resp.Status, err, want, page)
		}
	}
}
