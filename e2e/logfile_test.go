package e2e

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A log goes from one data folder to another, beside servers and alone.
func TestALogIsExportedAndImported(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	session := c.talk("/context")
	c.until(session, "the turn's end", ended(1))
	file := filepath.Join(t.TempDir(), "log.jsonl")
	exported := s.command("export", session)
	if err := os.WriteFile(file, []byte(exported), 0o600); err != nil {
		t.Fatal(err)
	}
	copied := s.command("import", file)
	if again := s.command("import", file); again != copied || copied == session+"\n" {
		t.Errorf("%s was imported as %q, then as %q", session, copied, again)
	}
	if got := s.command("export", strings.TrimSpace(copied)); got != exported {
		t.Errorf("the copy is exported as\n%s\nwant\n%s", got, exported)
	}
	broken := filepath.Join(t.TempDir(), "broken.jsonl")
	if err := os.WriteFile(broken, []byte(exported+"{\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"import", broken}, {"import", broken + ".not"}, {"export", "x"}, {"export", "00000000-0000-4000-8000-000000000000"}} {
		if out, err := run(s.env, args...); err == nil || out != "" {
			t.Errorf("%v: %q, %v", args, out, err)
		} else if args[1] == broken && !strings.Contains(err.Error(), "line "+strconv.Itoa(strings.Count(exported, "\n")+1)) {
			t.Errorf("the broken line is not named: %v", err)
		}
	}
	s.interrupt()

	other := serve(t, dataDir(t))
	other.interrupt()
	moved := other.command("import", file)
	if got := other.command("export", strings.TrimSpace(moved)); got != exported {
		t.Errorf("moved, the log is\n%s\nwant\n%s", got, exported)
	}
}
