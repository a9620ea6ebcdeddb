package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"webshell/internal/workspace"
)

// traps makes links that lead out of the workspace, each in its own way, and
// returns names that go through them.
func (p place) traps(t *testing.T) []string {
	t.Helper()
	p.add(t, "deep/er/file")
	for name, target := range map[string]string{
		"up":             "..",
		"up-and-over":    "../" + filepath.Base(p.outside),
		"absolute":       p.outside,
		"absolute-file":  filepath.Join(p.outside, secret),
		"back-in":        filepath.Join(p.outside, "..", filepath.Base(p.dir)),
		"root":           "/",
		"passwd":         "/etc/passwd",
		"proc":           "/proc/self/root",
		"deep/er/far":    "../../../" + filepath.Base(p.outside),
		"deep/sideways":  "er/../../../" + filepath.Base(p.outside),
		"through-a-link": "absolute/" + secret,
		"chain-2":        "absolute",
		"chain-1":        "chain-2",
	} {
		p.link(t, target, name)
	}
	return []string{"up", "up-and-over", "absolute", "absolute-file", "back-in", "root", "passwd", "proc", "deep/er/far",
		"deep/sideways", "through-a-link", "chain-1", "chain-2", "chain-1/" + secret, "absolute/" + secret,
		"up/work-" + secret + "/" + secret, "root/etc/passwd", "proc/etc/passwd", "deep/er/far/" + secret, "back-in/deep/er/file"}
}

// hostile are names that are none.
var hostile = []string{"", "/", "//", "/etc", "/etc/passwd", "..", "../", "../work-" + secret, "deep/..", "deep/../..", "deep/../../work-" + secret,
	"./deep", "deep/.", "deep//er", "deep/er//", "deep/\x00", "deep\x00/er", "\x00", "deep/er/file\x00.md", "..\x00", "deep/\xff", "\xc0\xae\xc0\xae/", "\xed\xa0\x80"}

// strange are names that mean nothing special here, and are not there.
var strange = []string{"%2e%2e/", "%2e%2e%2fetc%2fpasswd", `..\..\etc`, "．．/etc", "deep/…", "~", "~root/.ssh", "$HOME", "file:///etc/passwd", "C:/", "-rf", "*", strings.Repeat("a", 5000), strings.Repeat("a/", 5000) + "a"}

func TestNothingOutsideIsFound(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for _, name := range p.traps(t) {
		p.refused(t, name, nil)
		p.refused(t, name+"/", nil)
	}
	for _, name := range hostile {
		p.refused(t, name, workspace.ErrName)
	}
	for _, name := range strange {
		p.refused(t, name, nil)
	}
	for _, name := range p.shown(t, ".") {
		if strings.HasSuffix(name, "@") && !strings.HasSuffix(name, "?@") {
			t.Errorf("%s is taken for something inside", name)
		}
	}
}

func (p place) refused(t *testing.T, name string, want error) {
	t.Helper()
	kind, statErr := p.Stat(name)
	entries, _, dirErr := p.ReadDir(t.Context(), name, 10)
	text, fileErr := p.ReadFile(name, 100)
	for _, err := range []error{statErr, dirErr, fileErr} {
		if err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%q is not refused as %v: %v", name, want, err)
		}
	}
	if kind != workspace.Other || entries != nil || text != nil {
		t.Errorf("%q gives %v %v %q", name, kind, entries, text)
	}
}

func TestWalkStaysInside(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.traps(t)
	var dirs []string
	everything := func(dir string, entries []workspace.Entry) (soon, later []string) {
		dirs = append(dirs, dir)
		for _, e := range entries {
			if strings.Contains(e.Name, secret) {
				t.Errorf("%s in %s", e.Name, dir)
			}
			soon = append(soon, e.Name) // links and files too
		}
		return soon, nil
	}
	if _, err := p.Walk(t.Context(), workspace.Limits{Entries: 1000, Folder: 100, Depth: 10}, everything); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(dirs, " "); got != ". deep deep/er" {
		t.Errorf("walked %s", got)
	}
}

// A folder that is swapped for a link between two looks is not followed.
func TestSwappedForALink(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "dir/a")
	if got := p.shown(t, "dir"); len(got) != 1 {
		t.Fatal(got)
	}
	if err := os.Rename(filepath.Join(p.dir, "dir"), filepath.Join(p.dir, "old")); err != nil {
		t.Fatal(err)
	}
	p.link(t, p.outside, "dir")
	p.refused(t, "dir", nil)
	p.refused(t, "dir/"+secret, nil)
}
