package composetest

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// account is a uid:gid.
type account struct{ uid, gid int }

func (a account) String() string { return fmt.Sprintf("%d:%d", a.uid, a.gid) }

// owners are who gets the secrets in a test: two unlike accounts for root, and
// for everybody else, who cannot give files away, themselves.
func owners() (db, webshell account) {
	if os.Getuid() != 0 {
		self := account{os.Getuid(), os.Getgid()}
		return self, self
	}
	return account{70, 70}, account{65532, 65532}
}

// runSecrets runs the service's own command with its own variables, but for
// the folder and the owners. Root is left the service's capability alone.
func runSecrets(t *testing.T, folder string, db, webshell account) {
	t.Helper()
	s := load(t).Services["secrets"]
	env := variables(t, s)
	env["SECRETS"], env["DB_OWNER"], env["WEBSHELL_OWNER"] = folder, db.String(), webshell.String()
	args := s.Entrypoint
	if os.Getuid() == 0 {
		args = append([]string{"setpriv", "--no-new-privs", "--bounding-set=-all,+chown"}, args...)
	}
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	for key, value := range env {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("secrets: %v, printed %q", err, out)
	}
}

var passwordForm = regexp.MustCompile(`^[0-9a-f]{64}\n$`)

func TestSecrets(t *testing.T) {
	t.Parallel()
	db, webshell := owners()
	folder := t.TempDir()
	runSecrets(t, folder, db, webshell)
	password := read(t, folder, "password")
	if !passwordForm.MatchString(password) {
		t.Errorf("the password is %q, want 256 bits in hexadecimal", password)
	}
	check := func(when string) {
		t.Helper()
		want := map[string]string{
			"password":        password,
			"db/password":     password,
			"webshell/pgpass": "db:5432:webshell:webshell:" + password,
		}
		if got := files(t, folder); !slices.Equal(got, keys(want)) {
			t.Errorf("%s: files %v, want %v", when, got, keys(want))
		}
		for name, text := range want {
			if got := read(t, folder, name); got != text {
				t.Errorf("%s: %s holds %q, want %q", when, name, got, text)
			}
		}
	}
	check("first start")
	mode(t, folder, "password", account{os.Getuid(), os.Getgid()}, 0o600)
	mode(t, folder, "db/password", db, 0o400)
	mode(t, folder, "webshell/pgpass", webshell, 0o400)

	runSecrets(t, folder, db, webshell)
	check("second start")

	// A start that was cut short, and accounts that have changed.
	if err := os.WriteFile(filepath.Join(folder, "db/password.new"), []byte("half"), 0o400); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(folder, "webshell/pgpass")); err != nil {
		t.Fatal(err)
	}
	runSecrets(t, folder, webshell, db)
	check("after a start that was cut short")
	mode(t, folder, "db/password", webshell, 0o400)

	other := t.TempDir()
	runSecrets(t, other, db, webshell)
	if read(t, other, "password") == password {
		t.Error("two installations share a password")
	}
}

// TestAccounts checks that the owners in compose.yaml are the accounts that
// the two services run as.
func TestAccounts(t *testing.T) {
	t.Parallel()
	project := load(t)
	env := variables(t, project.Services["secrets"])
	// 70 is the account "postgres" of the Alpine images, by Alpine's own list
	// of fixed ids; Debian's images have 999.
	if env["DB_OWNER"] != "70:70" || !strings.Contains(project.Services["db"].Image, "-alpine") {
		t.Errorf("%s with the password for %s", project.Services["db"].Image, env["DB_OWNER"])
	}
	if got := project.Services["webshell"].User; got != env["WEBSHELL_OWNER"] {
		t.Errorf("webshell runs as %s, its secret is for %s", got, env["WEBSHELL_OWNER"])
	}
	if env["SECRETS"] != mount(t, project.Services["secrets"], "/secrets", "secrets", false).Target {
		t.Errorf("the secrets go to %s", env["SECRETS"])
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// files lists the files below a folder, sorted.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

func mode(t *testing.T, dir, name string, owner account, perm fs.FileMode) {
	t.Helper()
	info, err := os.Stat(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	stat := info.Sys().(*syscall.Stat_t)
	if got := (account{int(stat.Uid), int(stat.Gid)}); got != owner || info.Mode().Perm() != perm {
		t.Errorf("%s: %v of %v, want %v of %v", name, info.Mode().Perm(), got, perm, owner)
	}
}
