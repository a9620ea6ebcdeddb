//go:build linux

package localpg

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestForeignMajorIsNotTouched(t *testing.T) {
	t.Parallel()
	for major, words := range map[string][]string{
		"99":  {"PostgreSQL 99", "postgresql-99", "WEBSHELL_PG_BIN", "pg_dump or pg_upgrade", "Nothing was changed"},
		"13":  {"PostgreSQL 13", "not supported", "pg_dump or pg_upgrade"},
		"9.6": {"PostgreSQL 9.6", "not supported"},
	} {
		t.Run(major, func(t *testing.T) {
			t.Parallel()
			dir := stopped(t)
			data := dir + "/postgres/data"
			right, err := os.ReadFile(data + "/PG_VERSION")
			if err != nil {
				t.Fatal(err)
			}
			writeOwned(t, data+"/PG_VERSION", major+"\n")
			before := fingerprint(t, dir+"/postgres")
			err = mustFail(t, options(dir), append(words, data)...)
			var mismatch *MajorMismatchError
			if !errors.As(err, &mismatch) || mismatch.Major != major || len(mismatch.Found) == 0 {
				t.Errorf("%#v", err)
			}
			if fingerprint(t, dir+"/postgres") != before {
				t.Error("the cluster was touched")
			}
			writeOwned(t, data+"/PG_VERSION", string(right))
			mustStart(t, dir)
		})
	}
}

func TestDamagedClusterIsNotTouched(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(string) error{
		"no PG_VERSION":    os.Remove,
		"empty PG_VERSION": func(path string) error { return os.Truncate(path, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := stopped(t)
			if err := damage(dir + "/postgres/data/PG_VERSION"); err != nil {
				t.Fatal(err)
			}
			before := fingerprint(t, dir+"/postgres")
			if err := mustFail(t, options(dir), "PG_VERSION", "Nothing was changed"); !errors.Is(err, ErrClusterGone) {
				t.Errorf("%v is not ErrClusterGone", err)
			}
			if fingerprint(t, dir+"/postgres") != before {
				t.Error("the cluster was touched")
			}
		})
	}
}

// install writes programs that only tell a version, as an installation would.
func install(t *testing.T, dir, version string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"initdb", "postgres"} {
		script := fmt.Sprintf("#!/bin/sh\necho 'postgres (PostgreSQL) %s'\n", version)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// Not parallel: it changes where installations are looked for.
func TestFindBinaries(t *testing.T) {
	base := folder(t)
	before := places
	places = []string{base + "/postgresql/*/bin"}
	defer func() { places = before }()
	t.Setenv("PATH", "/usr/bin:/bin")
	a := runAccount(t, base)
	find := func(binDir, major string) (binaries, error) { return findBinaries(binDir, major, "/data", a, "/") }

	if _, err := find("", ""); !errors.Is(err, ErrNoBinaries) || !strings.Contains(err.Error(), "apt-get install postgresql") {
		t.Errorf("nothing installed: %v", err)
	}
	var mismatch *MajorMismatchError
	if _, err := find("", "15"); !errors.As(err, &mismatch) || !strings.Contains(err.Error(), "apt-get install postgresql-15") {
		t.Errorf("nothing installed, data of 15: %v", err)
	}
	install(t, base+"/postgresql/9.6/bin", "9.6.24")
	if _, err := find("", ""); !errors.Is(err, ErrNoBinaries) || !strings.Contains(err.Error(), "9.6.24") {
		t.Errorf("only an old one: %v", err)
	}
	install(t, base+"/postgresql/9/bin", "15.1") // the name tells less than the program
	install(t, base+"/postgresql/16/bin", "16.2 (Debian 16.2-1)")
	install(t, base+"/postgresql/18/bin", "18beta1")
	for major, want := range map[string]string{"": "18beta1", "18": "18beta1", "16": "16.2", "15": "15.1"} {
		if b, err := find("", major); err != nil || b.version != want {
			t.Errorf("major %q: %v, %v; want %s", major, b, err, want)
		}
	}
	if _, err := find("", "17"); !errors.As(err, &mismatch) || len(mismatch.Found) != 4 {
		t.Errorf("major 17: %v", err)
	}
	if b, err := find(base+"/postgresql/16/bin", ""); err != nil || b.version != "16.2" {
		t.Errorf("WEBSHELL_PG_BIN: %v, %v", b, err)
	}
	if _, err := find(base+"/nowhere", ""); !errors.Is(err, ErrNoBinaries) || !strings.Contains(err.Error(), "WEBSHELL_PG_BIN is "+base) {
		t.Errorf("WEBSHELL_PG_BIN with nothing in it: %v", err)
	}
	t.Setenv("PATH", base+"/postgresql/16/bin:"+os.Getenv("PATH"))
	places = nil
	if b, err := find("", ""); err != nil || b.version != "16.2" {
		t.Errorf("PATH: %v, %v", b, err)
	}
}

func TestBinariesRootsUserMayNotExecute(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		return
	}
	bin := folder(t) + "/closed/bin"
	install(t, bin, "15.1")
	if err := os.Chmod(filepath.Dir(bin), 0o700); err != nil {
		t.Fatal(err)
	}
	err := mustFail(t, Options{Dir: folder(t), BinDir: bin}, "may not be executed", "WEBSHELL_PG_BIN")
	asFolderError(t, err)
}

func TestMajorOf(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"15.18": "15", "18beta1": "18", "17rc1": "17", "16devel": "16", "10.23": "10", "9.6.24": "9.6", "9.6": "9.6", "8": "8", "": "", "x": "",
	} {
		if got := majorOf(version); got != want {
			t.Errorf("majorOf(%q) = %q, want %q", version, got, want)
		}
	}
}
