package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"webshell/internal/workspace"
)

var wide = workspace.Limits{Entries: 1000, Folder: 1000, Depth: 100}

// recorder walks everything, dotted folders last.
type recorder struct{ dirs, files []string }

func (r *recorder) visit(dir string, entries []workspace.Entry) (soon, later []string) {
	r.dirs = append(r.dirs, dir)
	for _, e := range entries {
		switch {
		case e.Kind != workspace.Directory:
			r.files = append(r.files, e.Name)
		case strings.HasPrefix(e.Name, "."):
			later = append(later, e.Name)
		default:
			soon = append(soon, e.Name)
		}
	}
	return soon, later
}

func TestWalkOrder(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "x/y/z/1", "x/2", ".h/.i/3", ".h/j/4", "k/5")
	var r recorder
	whole, err := p.Walk(t.Context(), wide, r.visit)
	if err != nil || !whole {
		t.Fatal(whole, err)
	}
	for _, order := range [][]string{{".", "x", "x/y", "x/y/z", ".h", ".h/j", ".h/.i"}, {"x", "x/y/z"}, {"k", "x/y"}, {"k", ".h"}} {
		last := -1
		for _, dir := range order {
			at := slices.Index(r.dirs, dir)
			if at <= last {
				t.Errorf("%s is out of order in %q", dir, r.dirs)
			}
			last = at
		}
	}
	if slices.Sort(r.files); !slices.Equal(r.files, []string{"1", "2", "3", "4", "5"}) {
		t.Errorf("files %q", r.files)
	}
}

func TestWalkLimits(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 10 {
		names = append(names, fmt.Sprintf("dir%d/a", i), fmt.Sprintf("dir%d/b", i))
	}
	deep := strings.Repeat("d/", 12) + "end"
	p := newPlace(t, append(names, deep)...) // 11 folders above, 20 files, 11 folders and a file below
	for _, tc := range []struct {
		limits workspace.Limits
		files  int
		whole  bool
	}{
		{workspace.Limits{Entries: 43, Folder: 11, Depth: 12}, 21, true},
		{workspace.Limits{Entries: 42, Folder: 11, Depth: 12}, 20, false},
		{workspace.Limits{Entries: 43, Folder: 11, Depth: 11}, 20, false},
		{workspace.Limits{Entries: 1000, Folder: 11, Depth: 2}, 20, false},
		{workspace.Limits{Entries: 11, Folder: 11, Depth: 12}, 0, false},
		{workspace.Limits{Entries: 0, Folder: 11, Depth: 12}, 0, false},
	} {
		var r recorder
		whole, err := p.Walk(t.Context(), tc.limits, r.visit)
		if err != nil || whole != tc.whole || len(r.files) != tc.files {
			t.Errorf("%+v: %d files, whole %v, %v", tc.limits, len(r.files), whole, err)
		}
	}
	var r recorder
	if whole, err := p.Walk(t.Context(), workspace.Limits{Entries: 1000, Folder: 4, Depth: 50}, r.visit); err != nil || whole {
		t.Errorf("a folder of 11 read to its fourth name: whole %v, %v", whole, err)
	}
}

func TestWalkEndsWithItsContext(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "a/b/c/d")
	ctx, cancel := context.WithCancel(t.Context())
	seen := 0
	_, err := p.Walk(ctx, wide, func(_ string, entries []workspace.Entry) (soon, later []string) {
		seen++
		cancel()
		return []string{entries[0].Name}, nil
	})
	if !errors.Is(err, context.Canceled) || seen != 1 {
		t.Errorf("%d folders after the end, %v", seen, err)
	}
}
