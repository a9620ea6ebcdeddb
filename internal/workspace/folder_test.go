package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"webshell/internal/workspace"
)

// secret is what lies outside of the workspace and must never come up.
const secret = "outside-secret"

// place is a workspace beside which there is something else.
type place struct {
	*workspace.Folder
	dir, outside string
}

// newPlace makes a workspace with the given files; a name with a slash at its
// end is a folder.
func newPlace(t *testing.T, names ...string) place {
	t.Helper()
	top := t.TempDir()
	p := place{dir: filepath.Join(top, "work"), outside: filepath.Join(top, "work-"+secret)}
	for _, dir := range []string{p.dir, p.outside} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(p.outside, secret), []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		p.add(t, name)
	}
	folder, err := workspace.Open(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	p.Folder = folder
	return p
}

func (p place) add(t *testing.T, name string) {
	t.Helper()
	full := filepath.Join(p.dir, name)
	dir := full
	if !strings.HasSuffix(name, "/") {
		dir = filepath.Dir(full)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if dir == full {
		return
	}
	if err := os.WriteFile(full, []byte("text of "+name), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (p place) link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(p.dir, name)); err != nil {
		t.Fatal(err)
	}
}

// shown is a folder's list in order: a slash for folders, ? for others, @ for
// links.
func (p place) shown(t *testing.T, dir string) []string {
	t.Helper()
	entries, more, err := p.ReadDir(t.Context(), dir, 1000)
	if err != nil || more {
		t.Fatal(err, more)
	}
	var names []string
	for _, e := range entries {
		name := e.Name + map[workspace.Kind]string{workspace.Directory: "/", workspace.Other: "?"}[e.Kind]
		if e.Link {
			name += "@"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func TestReadDir(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "b.txt", "dir/inner", "空 格.md", "-rf", "a\tb", `back\slash`)
	p.link(t, "b.txt", "to-file")
	p.link(t, "dir", "to-dir")
	p.link(t, "nothing", "dangling")
	p.link(t, "loop", "loop")
	if err := syscall.Mkfifo(filepath.Join(p.dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []string{"-rf", "a\tb", "b.txt", `back\slash`, "dangling?@", "dir/", "loop?@", "pipe?", "to-dir/@", "to-file@", "空 格.md"}
	slices.Sort(want)
	if got := p.shown(t, "."); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, dir := range []string{"dir", "dir/", "to-dir", "to-dir/"} {
		if got := p.shown(t, dir); !slices.Equal(got, []string{"inner"}) {
			t.Errorf("%s holds %q", dir, got)
		}
	}
	for _, name := range []string{"b.txt", "to-file", "pipe"} {
		if _, _, err := p.ReadDir(t.Context(), name, 1); !errors.Is(err, workspace.ErrNotFolder) {
			t.Errorf("%s as a folder: %v", name, err)
		}
	}
}

func TestReadDirKeepsToItsLimit(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 700 {
		names = append(names, fmt.Sprint("f", i))
	}
	p := newPlace(t, names...)
	for _, limit := range []int{0, 1, 255, 256, 257, 699, 700, 701} {
		entries, more, err := p.ReadDir(t.Context(), ".", limit)
		if err != nil || len(entries) != min(limit, 700) || more != (limit < 700) {
			t.Errorf("limit %d: %d names, more %v, %v", limit, len(entries), more, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := p.ReadDir(ctx, ".", 10); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Names that are not UTF-8 can be on the disk; the file system may refuse them.
func TestNamesThatAreNotUTF8AreLeftOut(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "good")
	err := os.WriteFile(filepath.Join(p.dir, "latin-\xe9"), nil, 0o600)
	if err != nil && !errors.Is(err, syscall.EILSEQ) {
		t.Fatal(err)
	}
	if got := p.shown(t, "."); !slices.Equal(got, []string{"good"}) {
		t.Errorf("got %q", got)
	}
}

func TestReadFile(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "dir/a")
	p.link(t, "dir/a", "link")
	if err := syscall.Mkfifo(filepath.Join(p.dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"dir/a", "link"} {
		if got, err := p.ReadFile(name, 4); string(got) != "text" || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{".", "dir", "pipe"} {
		if got, err := p.ReadFile(name, 4); !errors.Is(err, workspace.ErrNotFile) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := p.ReadFile("missing", 4); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}

func TestClosed(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "a")
	p.Close()
	if _, _, err := p.ReadDir(t.Context(), ".", 1); err == nil {
		t.Error("a closed folder was read")
	}
	if _, err := workspace.Open(filepath.Join(p.dir, "a")); err == nil {
		t.Error("a file was opened as a workspace")
	}
}
