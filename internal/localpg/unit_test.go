//go:build linux || darwin

package localpg

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestDefaultDir(t *testing.T) {
	if os.Geteuid() == 0 {
		if got := DefaultDir(); got != "/var/lib/webshell" {
			t.Errorf("root: %s", got)
		}
		return
	}
	t.Setenv("HOME", "/home/x")
	for xdg, want := range map[string]string{
		"": "/home/x/.local/share/webshell", "relative": "/home/x/.local/share/webshell", "/data": "/data/webshell",
	} {
		t.Setenv("XDG_DATA_HOME", xdg)
		if got := DefaultDir(); got != want {
			t.Errorf("XDG_DATA_HOME=%q: %s, want %s", xdg, got, want)
		}
	}
}

func TestParsePidFile(t *testing.T) {
	t.Parallel()
	whole := "123\n/d\n1700000000\n5432\n/d/run\n\n 1 2\nready   \n"
	for text, want := range map[string]pidFile{
		whole:                    {123, "5432", "/d/run", "ready"},
		"123\n/d\n":              {pid: 123},
		"123":                    {pid: 123},
		"":                       {},
		"-5\n":                   {},
		"0\n":                    {},
		"a\nb":                   {},
		"1e3\n":                  {},
		"\x00\xff":               {},
		"99999999999999999999\n": {},
	} {
		if got := *parsePidFile(text); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

func TestPasswdLine(t *testing.T) {
	t.Parallel()
	const line = "web:x:1001:1002:Web,,,:/home/web:/bin/sh"
	want := account{name: "web", uid: 1001, gid: 1002, home: "/home/web"}
	for _, key := range []string{"web", "1001"} {
		if got, ok := passwdLine(line, key); !ok || got != want {
			t.Errorf("%s: %+v, %v", key, got, ok)
		}
	}
	for _, key := range []string{"x", "1002", "/home/web", "we"} {
		if got, ok := passwdLine(line, key); ok {
			t.Errorf("%s: %+v", key, got)
		}
	}
	for _, bad := range []string{"", "web:x:1001", "web:x:-1:2:::", "web:x:1:99999999999:::", ":x:1001:1:::"} {
		if got, ok := passwdLine(bad, "1001"); ok {
			t.Errorf("%q: %+v", bad, got)
		}
	}
}

func TestBackoff(t *testing.T) {
	t.Parallel()
	var b backoff
	for i, ms := range []int{0, 100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000} {
		if got := b.next(); got != time.Duration(ms)*time.Millisecond {
			t.Errorf("wait %d is %v", i, got)
		}
	}
	b.failures = 1 << 30
	if got := b.next(); got != 10*time.Second {
		t.Errorf("at last %v", got)
	}
}

func TestLogIsBounded(t *testing.T) {
	t.Parallel()
	dir, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	log, err := openLog(dir, 1000)
	if err != nil {
		t.Fatal(err)
	}
	size := func(name string) int64 {
		info, err := dir.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	for range 100 {
		if n, err := log.Write([]byte(strings.Repeat("x", 99) + "\n")); n != 100 || err != nil {
			t.Fatalf("Write: %d, %v", n, err)
		}
	}
	if now, before := size(logName), size(logName+".1"); now > 1000 || now == 0 || before != 1000 {
		t.Errorf("%d and %d bytes", now, before)
	}
	if n, err := log.Write(make([]byte, 5000)); n != 5000 || err != nil {
		t.Errorf("a long write: %d, %v", n, err)
	}
	if now := size(logName); now != 1000 {
		t.Errorf("a long write left %d bytes", now)
	}
	log.close()
	again, err := openLog(dir, 1000)
	if err != nil {
		t.Fatal(err)
	}
	again.Write([]byte("y"))
	again.close()
	if now := size(logName); now != 1 {
		t.Errorf("opened again: %d bytes", now)
	}
}

func TestTail(t *testing.T) {
	t.Parallel()
	var out tail
	for _, s := range []string{strings.Repeat("a", 3000), strings.Repeat("b", 3000), "end"} {
		out.Write([]byte(s))
	}
	if got := out.String(); len(got) != tailLimit || !strings.HasSuffix(got, "bend") || !strings.HasPrefix(got, "a") {
		t.Errorf("%d bytes, %.5s…%s", len(got), got, got[len(got)-5:])
	}
	out.Write([]byte(strings.Repeat("c", 9000)))
	if got := out.String(); got != strings.Repeat("c", tailLimit) {
		t.Errorf("a long write left %d bytes", len(got))
	}
}

func TestTellingLine(t *testing.T) {
	t.Parallel()
	for output, want := range map[string]string{
		"": "",
		"LOG:  starting\n2026 [1] FATAL:  no space\nLOG:  shut down\n":     "no space",
		"FATAL:  first\nFATAL:  the database system is starting up\nbye\n": "first",
		"FATAL:  child\ninitdb: error: parent\n":                           "parent",
		"ERROR:  x: No space left on device\nPANIC:  cannot abort\n":       "x: No space left on device",
		"plain\nlast\n\n": "last",
	} {
		if got := tellingLine(output); got != want {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
}

func TestURLQuoting(t *testing.T) {
	t.Parallel()
	got := urlOf("/a b/c+d/%&?#=/数", "webshell")
	for _, bad := range []string{" ", "+", "数"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q in %s", bad, got)
		}
	}
	if want := "postgres://webshell@/webshell?host=%2Fa%20b%2Fc%2Bd"; !strings.HasPrefix(got, want) {
		t.Errorf("%s", got)
	}
}

func TestSpecialFilesInThePlaceOfOurs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := os.Mkdir(filepath.Join(dir, lockName), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := takeLock(root, holdServer); err == nil {
		t.Error("a folder was taken for the lock")
	}
	target := filepath.Join(t.TempDir(), "target")
	if err := os.Symlink(target, filepath.Join(dir, logName)); err != nil {
		t.Fatal(err)
	}
	if _, err := openLog(root, 1000); err == nil {
		t.Error("a link out of the folder was taken for the log")
	}
	if _, err := os.Stat(target); err == nil {
		t.Error("the link was followed")
	}
}
