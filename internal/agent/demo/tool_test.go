package demo_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"webshell/internal/session"
	"webshell/internal/turn/turntest"
	"webshell/internal/workspace"
)

// open makes a folder at dir with these names, those with a slash as folders,
// and opens it.
func open(t *testing.T, dir string, files ...string) *workspace.Folder {
	t.Helper()
	for _, name := range files {
		path := filepath.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			if err := os.Mkdir(path, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(path, []byte("secret"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folder, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	return folder
}

func toolRow(t *testing.T, log []session.Event) *session.ToolNode {
	t.Helper()
	for _, n := range session.Fold("", log).Nodes {
		if tool, ok := n.(*session.ToolNode); ok {
			return tool
		}
	}
	t.Fatal("no tool call")
	return nil
}

func TestTool(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder := open(t, dir, "b.txt", "a/", "汉.md")
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	r := newRig(t, folder)
	log := r.ask(t, "/tool")
	completed(t, log)
	n := toolRow(t, log)
	if n.Call.Status != session.ToolCompleted || n.Text != "a/\nb.txt\nlink\n汉.md" {
		t.Errorf("the call shows %s %q", n.Call.Status, n.Text)
	}
	var output struct{ Names []string }
	if err := json.Unmarshal(n.Output, &output); err != nil || !slices.Equal(output.Names, []string{"a/", "b.txt", "link", "汉.md"}) {
		t.Errorf("output is %s", n.Output)
	}
	var statuses []string
	for _, u := range turntest.Of[session.ToolUpdate](log) {
		statuses = append(statuses, u.Status)
	}
	if !slices.Equal(statuses, []string{session.ToolInProgress, "", session.ToolCompleted}) {
		t.Errorf("updates are %q", statuses)
	}
	if answer := turntest.Answer(log); !strings.Contains(answer, "holds 4 names") {
		t.Errorf("answer is %q", answer)
	}
}

func TestToolIsBounded(t *testing.T) {
	t.Parallel()
	var files []string
	for i := range 150 {
		files = append(files, fmt.Sprintf("file-%03d", i))
	}
	r := newRig(t, open(t, t.TempDir(), files...))
	log := r.ask(t, "/tool")
	completed(t, log)
	if n := toolRow(t, log); strings.Count(n.Text, "\n") != 100 || !strings.HasSuffix(n.Text, "file-099\n…") {
		t.Errorf("the call shows %q", n.Text)
	}
}

func TestToolOfEmptyFolder(t *testing.T) {
	t.Parallel()
	r := newRig(t, open(t, t.TempDir()))
	log := r.ask(t, "/tool")
	completed(t, log)
	if n := toolRow(t, log); n.Call.Status != session.ToolCompleted {
		t.Errorf("the call ended as %s", n.Call.Status)
	}
}

func TestToolWithoutAFolder(t *testing.T) {
	t.Parallel()
	t.Run("none given", func(t *testing.T) {
		t.Parallel()
		log := newRig(t, nil).ask(t, "/tool")
		completed(t, log)
		if answer := turntest.Answer(log); !strings.Contains(answer, "no workspace folder") {
			t.Errorf("answer is %q", answer)
		}
	})
	t.Run("closed", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		folder := open(t, dir)
		folder.Close()
		log := newRig(t, folder).ask(t, "/tool")
		completed(t, log)
		if n := toolRow(t, log); n.Call.Status != session.ToolFailed || strings.Contains(n.Text, dir) {
			t.Errorf("the call shows %s %q", n.Call.Status, n.Text)
		}
	})
}
