package composetest

import (
	"context"
	"crypto/x509"
	"debug/elf"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
)

const testVersion = "v0.0.0-composetest"

// nobody65532 is the account of the image and of compose.yaml.
var nobody65532 = account{65532, 65532}

func TestImage(t *testing.T) {
	img := buildImage(t, "../Dockerfile", "../..", testVersion)
	t.Run("its declarations", func(t *testing.T) { checkDeclarations(t, img) })
	t.Run("its files", func(t *testing.T) { checkFiles(t, img) })
	t.Run("its account", func(t *testing.T) { checkAccount(t, img) })
	t.Run("its certificates", func(t *testing.T) { checkCertificates(t, img) })
	t.Run("its program is static", func(t *testing.T) { checkStatic(t, img) })
	t.Run("its program runs", func(t *testing.T) { checkVersion(t, img) })
	t.Run("with a database", func(t *testing.T) { checkStack(t, img) })
}

func checkDeclarations(t *testing.T, img image) {
	if got, want := img.bases, []string{"golang:1.26-trixie", "scratch"}; !slices.Equal(got, want) {
		t.Errorf("built from %v, want %v", got, want)
	}
	if !slices.Equal(img.entrypoint, []string{"webshell"}) || !slices.Equal(img.cmd, []string{"serve"}) {
		t.Errorf("starts %v %v", img.entrypoint, img.cmd)
	}
	if want := `CMD ["webshell", "healthcheck"]`; !strings.HasSuffix(img.healthcheck, want) {
		t.Errorf("health check %q, want %q", img.healthcheck, want)
	}
	if img.user != nobody65532.String() {
		t.Errorf("runs as %s, want %s", img.user, nobody65532)
	}
	if img.env["PATH"] != "/usr/local/bin" {
		t.Errorf("PATH is %s", img.env["PATH"])
	}
}

// checkFiles looks for anything that does not belong into the image, or that
// its account could change.
func checkFiles(t *testing.T, img image) {
	places := []string{"etc/group", "etc/passwd", "etc/ssl/certs/ca-certificates.crt", "usr/local/bin/webshell"}
	licences := 0
	err := fs.WalkDir(os.DirFS(img.root), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o022 != 0 || info.Mode()&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSymlink) != 0 {
			t.Errorf("%s is %v", path, info.Mode())
		}
		switch {
		case d.IsDir():
		case strings.HasPrefix(path, "usr/share/licenses/"):
			licences++
		case !slices.Contains(places, path):
			t.Errorf("%s does not belong into the image", path)
		case (info.Mode().Perm()&0o111 != 0) != (path == "usr/local/bin/webshell"):
			t.Errorf("%s is %v", path, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(places, "workspace", "usr/share/licenses/webshell/LICENSE", "usr/share/licenses/std/LICENSE") {
		if _, err := os.Stat(filepath.Join(img.root, path)); err != nil {
			t.Error(err)
		}
	}
	if licences < 10 {
		t.Errorf("%d licence files, want those of every module", licences)
	}
}

// checkAccount wants an entry for the account, since some programs refuse to
// run under a number that has none.
func checkAccount(t *testing.T, img image) {
	if got, want := read(t, img.root, "etc/passwd"), "webshell:x:65532:65532:WebShell:/:/sbin/nologin\n"; got != want {
		t.Errorf("passwd: %q, want %q", got, want)
	}
	if got, want := read(t, img.root, "etc/group"), "webshell:x:65532:\n"; got != want {
		t.Errorf("group: %q, want %q", got, want)
	}
}

func checkCertificates(t *testing.T, img image) {
	if !x509.NewCertPool().AppendCertsFromPEM([]byte(read(t, img.root, "etc/ssl/certs/ca-certificates.crt"))) {
		t.Error("no certificate among them")
	}
}

func checkStatic(t *testing.T, img image) {
	program, err := elf.Open(filepath.Join(img.root, "usr/local/bin/webshell"))
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	for _, p := range program.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("it has a segment %v: it is not static", p.Type)
		}
	}
	if needed, err := program.ImportedLibraries(); err != nil || len(needed) > 0 {
		t.Errorf("it needs %v (%v)", needed, err)
	}
}

func checkVersion(t *testing.T, img image) {
	out, err := img.command(t.Context(), nil, "webshell", "version").Output()
	if err != nil {
		t.Fatal(explain(err))
	}
	if got := string(out); !strings.Contains(got, testVersion) || strings.Count(got, "\n") != 1 {
		t.Errorf("version prints %q, want one line with %s", got, testVersion)
	}
}

// command is a command of the image, with the image's variables and these.
// Root runs it as the image's account with the image as its root folder;
// nobody else may, and runs it where it is.
func (img image) command(ctx context.Context, env map[string]string, words ...string) *exec.Cmd {
	path := filepath.Join(img.env["PATH"], words[0])
	cmd := exec.CommandContext(ctx, filepath.Join(img.root, path), words[1:]...)
	cmd.Dir = img.root
	if os.Getuid() == 0 {
		cmd.Path, cmd.Dir = path, "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Chroot:     img.root,
			Credential: &syscall.Credential{Uid: uint32(nobody65532.uid), Gid: uint32(nobody65532.gid)},
		}
	}
	all := map[string]string{}
	for _, variables := range []map[string]string{img.env, env} {
		for key, value := range variables {
			all[key] = value
		}
	}
	cmd.Env = []string{}
	for _, key := range keys(all) {
		cmd.Env = append(cmd.Env, key+"="+all[key])
	}
	return cmd
}

// explain puts what a command printed on standard error into its error.
func explain(err error) string {
	if exit, ok := err.(*exec.ExitError); ok {
		return err.Error() + ": " + string(exit.Stderr)
	}
	return err.Error()
}

func TestParseDockerfile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "Dockerfile")
	text := "# one\nFROM a:1 AS b\n\nRUN x \\\n  # in between\n  && y\ncopy . .\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	want := []instruction{{"FROM", "a:1 AS b"}, {"RUN", "x && y"}, {"COPY", ". ."}}
	if got := parseDockerfile(t, file); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
