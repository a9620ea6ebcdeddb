package mention

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"webshell/internal/workspace"
)

func TestNothingIsReadBeforeTheFirstSearch(t *testing.T) {
	t.Parallel()
	f := files(t, tree(t, "a"))
	if f.ready != nil || f.running != nil {
		t.Error("a survey without a search")
	}
	if got := find(t, f, ""); !slices.Equal(got, []string{"a"}) || f.ready != nil || f.running != nil {
		t.Errorf("%q, listing a folder needs no survey", got)
	}
}

// age makes the survey old enough for the next one.
func age(f *Files) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ready.ended = f.ready.ended.Add(-time.Hour)
}

// await waits for the survey that runs.
func await(t *testing.T, f *Files) {
	t.Helper()
	f.mu.Lock()
	s := f.running
	f.mu.Unlock()
	if s == nil {
		t.Fatal("no survey runs")
	}
	<-s.done
	f.walks.Wait()
}

func TestASurveyIsRenewed(t *testing.T) {
	t.Parallel()
	dir := tree(t, "old.txt")
	f := files(t, dir)
	find(t, f, "txt")
	f.walks.Wait()
	add(t, dir, "new.txt", "")
	if err := os.Remove(filepath.Join(dir, "old.txt")); err != nil {
		t.Fatal(err)
	}
	age(f)
	if got := find(t, f, "txt"); got != nil {
		t.Errorf("%q, of the survey before: what is gone is left out, what is new is not known", got)
	}
	await(t, f)
	if got := find(t, f, "txt"); !slices.Equal(got, []string{"new.txt"}) {
		t.Errorf("%q after the next survey", got)
	}
	if f.running != nil {
		t.Error("a survey of a survey that is fresh")
	}
}

func TestStale(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		age, took time.Duration
		want      bool
	}{
		{freshFor - time.Second, 0, false},
		{freshFor + time.Second, 0, true},
		{freshFor + time.Second, 10 * time.Second, false}, // most of the time nothing runs
		{101 * time.Second, 10 * time.Second, true},
	} {
		s := &survey{ended: time.Now().Add(-tc.age), took: tc.took}
		if s.stale() != tc.want {
			t.Errorf("%v old, took %v: stale %v", tc.age, tc.took, s.stale())
		}
	}
}

func TestASurveyIsForgotten(t *testing.T) {
	t.Parallel()
	dir := tree(t, "a.txt")
	synctest.Test(t, func(t *testing.T) {
		folder, err := workspace.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer folder.Close()
		f := NewFiles(folder)
		defer f.Close()
		if got := find(t, f, "txt"); len(got) != 1 {
			t.Fatal(got)
		}
		f.walks.Wait()
		forgotten := time.NewTimer(forgetAfter + time.Second)
		<-forgotten.C
		f.mu.Lock()
		ready := f.ready
		f.mu.Unlock()
		if ready != nil {
			t.Error("still in memory")
		}
		if got := find(t, f, "txt"); len(got) != 1 {
			t.Errorf("%q after a rest", got)
		}
	})
}

// TestTheFirstSearchDoesNotWait: what has been walked is answered, as a part.
func TestTheFirstSearchDoesNotWait(t *testing.T) {
	t.Parallel()
	dir := tree(t, "a.txt", "dir/b.txt")
	synctest.Test(t, func(t *testing.T) {
		folder, err := workspace.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer folder.Close()
		f := NewFiles(folder)
		defer f.Close()
		f.running = newSurvey(folder) // one that gets no further than this
		f.running.visit(t.Context(), ".", []workspace.Entry{{Name: "a.txt", Kind: workspace.File}, {Name: "dir", Kind: workspace.Directory}})
		began := time.Now()
		items, err := f.Search(t.Context(), "txt")
		if !errors.Is(err, ErrPartial) || len(items) != 1 || *items[0].Tag.Value != "a.txt" {
			t.Errorf("%+v, %v", items, err)
		}
		if waited := time.Since(began); waited != firstWait {
			t.Errorf("waited %v", waited)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := f.Search(ctx, "txt"); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	})
}

func TestTheWorkspaceCannotBeRead(t *testing.T) {
	t.Parallel()
	f := files(t, tree(t, "a"))
	f.folder.Close()
	for _, query := range []string{"", "a"} {
		if items, err := f.Search(t.Context(), query); err == nil || errors.Is(err, ErrPartial) {
			t.Errorf("%q gives %v, %v", query, items, err)
		}
	}
	f.Close()
	if _, err := f.Search(t.Context(), "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("closed: %v", err)
	}
}

// TestSurveyKeepsToItsMemory: folders are no longer walked once names and
// paths take what they may.
func TestSurveyKeepsToItsMemory(t *testing.T) {
	t.Parallel()
	folder, err := workspace.Open(tree(t))
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	s := newSurvey(folder)
	var entries []workspace.Entry
	for i := range maxFolderNames {
		entries = append(entries, workspace.Entry{Name: fmt.Sprint(i, strings.Repeat("n", 200)), Kind: workspace.Directory})
	}
	soon, later := s.visit(t.Context(), ".", entries)
	next, more := s.visit(t.Context(), "x", slices.Clone(entries))
	if s.whole || len(later)+len(more) > 0 || len(next) > 0 || len(soon) != maxFolderNames {
		t.Errorf("whole %v, %d and %d folders to walk", s.whole, len(soon), len(next))
	}
	if total := s.found.snapshot().bytes + s.queued; total > maxBytes+maxFolderNames*256 {
		t.Errorf("%d bytes", total)
	}
}

func TestRulesAreBounded(t *testing.T) {
	t.Parallel()
	rules := rulesOf(strings.Repeat("a\n", maxRules))
	l := (*level)(nil).under(0, rules[:10]).under(1, rules).under(2, rules)
	if l.total != maxRules || l.depth != 1 {
		t.Errorf("%d rules at depth %d", l.total, l.depth)
	}
	dir := tree(t, "a", "b")
	add(t, dir, ".gitignore", strings.Repeat("x\n", maxIgnoreFile)+"a\n")
	if got := surveyed(t, dir); !slices.Equal(got, []string{".gitignore", "a", "b"}) {
		t.Errorf("%q: a file is read to its limit", got)
	}
}

// countdown is a context that ends when it has been looked at a few times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestSearchEndsWithItsContext(t *testing.T) {
	t.Parallel()
	var l listing
	var entries []workspace.Entry
	for i := range 5000 {
		entries = append(entries, workspace.Entry{Name: fmt.Sprint("name", i), Kind: workspace.File})
	}
	l.add("", entries)
	ctx := &countdown{t.Context(), 3}
	hits, err := newMatcher("name").search(ctx, l, scope{paths: true}, keep)
	if !errors.Is(err, context.Canceled) || hits != nil || ctx.left != -2 {
		t.Errorf("%d hits, %v, looked %d times after the end", len(hits), err, -ctx.left)
	}
	f := files(t, tree(t, "a"))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, query := range []string{"", "a"} {
		if _, err := f.Search(gone, query); !errors.Is(err, context.Canceled) {
			t.Errorf("%q: %v", query, err)
		}
	}
}

// TestSearchesAtOnce searches while surveys run and the folder changes.
func TestSearchesAtOnce(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 300 {
		names = append(names, fmt.Sprintf("dir%d/sub%d/file%d.txt", i%7, i%13, i))
	}
	dir := tree(t, names...)
	f := files(t, dir)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for j := range 10 {
				for _, query := range []string{"", "dir3/", "file1", "dir2/file", "f", "d5s"} {
					items, err := f.Search(t.Context(), query)
					if err != nil && !errors.Is(err, ErrPartial) || len(items) > MaxItems {
						t.Errorf("%q: %d items, %v", query, len(items), err)
					}
				}
				if i == 0 {
					add(t, dir, fmt.Sprintf("new%d/file.txt", j), "")
					f.mu.Lock()
					if f.ready != nil {
						f.ready = &survey{folder: f.ready.folder, found: shared{now: f.ready.found.snapshot()}, done: f.ready.done, whole: true}
					}
					f.mu.Unlock()
				}
			}
		})
	}
	all.Wait()
}
