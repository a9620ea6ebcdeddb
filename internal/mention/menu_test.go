package mention

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"webshell/composer"
)

// answers is a provider that answers as it is told.
type answers struct {
	id     string
	search func(ctx context.Context, query string) ([]Item, error)
}

func (a answers) ID() string    { return a.id }
func (a answers) Label() string { return strings.ToUpper(a.id) }
func (a answers) Search(ctx context.Context, query string) ([]Item, error) {
	return a.search(ctx, query)
}

func item(value string) Item { return Item{Tag: fileTag(value), Title: value} }

func values(items []Item) []string {
	var all []string
	for _, i := range items {
		all = append(all, *i.Tag.Value)
	}
	return all
}

func TestAProviderCostsItsOwnGroupOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken")
		release := make(chan struct{})
		m := NewMenu(
			answers{"good", func(_ context.Context, query string) ([]Item, error) { return []Item{item(query)}, nil }},
			answers{"broken", func(context.Context, string) ([]Item, error) { return []Item{item("x")}, broken }},
			answers{"slow", func(ctx context.Context, _ string) ([]Item, error) { <-ctx.Done(); return nil, ctx.Err() }},
			answers{"deaf", func(context.Context, string) ([]Item, error) { <-release; return []Item{item("late")}, nil }},
			answers{"panics", func(context.Context, string) ([]Item, error) { panic("no") }},
			answers{"partial", func(context.Context, string) ([]Item, error) {
				return []Item{item("p")}, fmt.Errorf("more: %w", ErrPartial)
			}},
			answers{"empty", func(context.Context, string) ([]Item, error) { return nil, nil }},
		)
		began := time.Now()
		groups, err := m.Search(t.Context(), "q", "")
		if err != nil || time.Since(began) != searchLimit {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		close(release)
		if len(groups) != 7 {
			t.Fatalf("%d groups", len(groups))
		}
		for i, want := range []struct {
			id      string
			values  []string
			partial bool
			err     string
		}{
			{"good", []string{"q"}, false, ""},
			{"broken", nil, false, "broken"},
			{"slow", nil, false, ErrSlow.Error()},
			{"deaf", nil, false, ErrSlow.Error()},
			{"panics", nil, false, "panic: no"},
			{"partial", []string{"p"}, true, ""},
			{"empty", nil, false, ""},
		} {
			g := groups[i]
			said := ""
			if g.Err != nil {
				said = g.Err.Error()
			}
			if g.Provider != want.id || g.Label != strings.ToUpper(want.id) || !slices.Equal(values(g.Items), want.values) || g.Partial != want.partial || said != want.err || g.Items == nil {
				t.Errorf("%+v, want %+v", g, want)
			}
		}
	})
}

func TestOneProvider(t *testing.T) {
	t.Parallel()
	echo := func(_ context.Context, query string) ([]Item, error) { return []Item{item(query)}, nil }
	m := NewMenu(answers{"a", echo}, answers{"b", echo})
	groups, err := m.Search(t.Context(), "q", "b")
	if err != nil || len(groups) != 1 || groups[0].Provider != "b" {
		t.Errorf("%+v, %v", groups, err)
	}
	if _, err := m.Search(t.Context(), "q", "c"); !errors.Is(err, ErrNoProvider) {
		t.Errorf("%v", err)
	}
	if groups, err := NewMenu().Search(t.Context(), "q", ""); err != nil || len(groups) != 0 {
		t.Errorf("%+v, %v", groups, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Search(ctx, "q", ""); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestItemsThatBecomeNoChip are left out, and so are those over the limit.
func TestItemsThatBecomeNoChip(t *testing.T) {
	t.Parallel()
	long, breaks, nul, kind, empty := strings.Repeat("x", 1025), "a\nb", "a\x00", "No Kind", ""
	bad := []composer.Reference{
		{}, {ID: "\x00"}, {ID: strings.Repeat("i", 257)}, {ID: "a", Serialized: &long}, {ID: "a", Serialized: &breaks},
		{ID: "a", Value: &long}, {ID: "a", Label: &nul}, {ID: "a", Kind: &kind}, {ID: " "}, {ID: "a", Kind: &empty},
	}
	m := NewMenu(answers{"a", func(context.Context, string) ([]Item, error) {
		var all []Item
		for _, tag := range bad {
			all = append(all, Item{Tag: tag})
		}
		for i := range 2 * MaxItems {
			all = append(all, item(fmt.Sprint("file", i)))
		}
		return all, nil
	}})
	groups, err := m.Search(t.Context(), "", "")
	if err != nil || len(groups[0].Items) != MaxItems {
		t.Fatalf("%+v, %v", groups, err)
	}
	for i, item := range groups[0].Items {
		if *item.Tag.Value != fmt.Sprint("file", i) || item.Matches == nil {
			t.Errorf("item %d is %+v", i, item)
		}
	}
}

// TestStuckSearchesAreBounded: a provider that never ends is not asked without
// end.
func TestStuckSearchesAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var mu sync.Mutex
		asked := 0
		m := NewMenu(answers{"stuck", func(context.Context, string) ([]Item, error) {
			mu.Lock()
			asked++
			mu.Unlock()
			<-release
			return nil, nil
		}})
		var all sync.WaitGroup
		for range 3 * searchesAtOnce {
			all.Go(func() {
				if groups, err := m.Search(t.Context(), "", ""); err != nil || !errors.Is(groups[0].Err, ErrSlow) {
					t.Errorf("%+v, %v", groups, err)
				}
			})
		}
		all.Wait()
		mu.Lock()
		if asked != searchesAtOnce {
			t.Errorf("asked %d times at once", asked)
		}
		mu.Unlock()
		close(release)
	})
}
