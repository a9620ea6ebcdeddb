package mention

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"webshell/composer"
)

var (
	// ErrSlow means that a provider did not answer in time.
	ErrSlow = errors.New("no answer in time")
	// ErrNoProvider means that there is no provider of the name asked for.
	ErrNoProvider = errors.New("no such provider")
)

const (
	// searchLimit is how long one provider may take.
	searchLimit = time.Second
	// searchesAtOnce bounds the searches of one provider that are under way,
	// those included that were given up and do not end.
	searchesAtOnce = 16
)

// Group is what one provider has to say: Items, or Err. Partial is set where
// more may be found later.
type Group struct {
	Provider string
	Label    string
	Items    []Item
	Partial  bool
	Err      error
}

// Menu asks providers. It is safe for concurrent use.
type Menu struct{ sources []source }

type source struct {
	Provider
	slots chan struct{}
}

// NewMenu makes a menu whose groups come in the order of the providers.
func NewMenu(providers ...Provider) *Menu {
	m := &Menu{}
	for _, p := range providers {
		m.sources = append(m.sources, source{p, make(chan struct{}, searchesAtOnce)})
	}
	return m
}

// Search asks all providers at once, or only the one that is named, and never
// takes longer than a provider may. A provider that fails costs its own group.
// The error is ErrNoProvider or that of ctx.
func (m *Menu) Search(ctx context.Context, query, only string) ([]Group, error) {
	asked := m.sources
	if only != "" {
		asked = nil
		for _, s := range m.sources {
			if s.ID() == only {
				asked = []source{s}
			}
		}
		if asked == nil {
			return nil, ErrNoProvider
		}
	}
	groups := make([]Group, len(asked))
	limited, cancel := context.WithTimeout(ctx, searchLimit)
	defer cancel()
	var all sync.WaitGroup
	for i, s := range asked {
		all.Go(func() { groups[i] = s.group(limited, query) })
	}
	all.Wait()
	return groups, ctx.Err()
}

func (s source) group(ctx context.Context, query string) Group {
	g := Group{Provider: s.ID(), Label: s.Label(), Items: []Item{}}
	items, err := s.search(ctx, query)
	switch {
	case err == nil || errors.Is(err, ErrPartial):
		g.Items, g.Partial = fit(items), err != nil
	case errors.Is(err, context.DeadlineExceeded):
		g.Err = ErrSlow
	default:
		g.Err = err
	}
	return g
}

// search waits for the provider no longer than ctx allows, even where the
// provider does not look at ctx.
func (s source) search(ctx context.Context, query string) ([]Item, error) {
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	type answer struct {
		items []Item
		err   error
	}
	answers := make(chan answer, 1)
	go func() {
		defer func() { <-s.slots }()
		defer func() {
			if cause := recover(); cause != nil {
				answers <- answer{err: fmt.Errorf("panic: %v", cause)}
			}
		}()
		items, err := s.Search(ctx, query)
		answers <- answer{items, err}
	}()
	select {
	case a := <-answers:
		return a.items, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// fit leaves out what could not become a chip, and what is too much.
func fit(items []Item) []Item {
	kept := []Item{}
	for _, item := range items {
		if len(kept) == MaxItems {
			break
		}
		if !chips(item.Tag) {
			continue
		}
		if item.Matches == nil {
			item.Matches = [][2]int{}
		}
		kept = append(kept, item)
	}
	return kept
}

// chips reports whether the composer makes an annotation of a tag that has all
// its fields.
func chips(tag composer.Reference) bool {
	raw, err := json.Marshal([]composer.Reference{tag})
	if err != nil {
		return false
	}
	message, report, err := composer.Build("", raw)
	return err == nil && len(message.Annotations) == 1 && report.Fields == 0
}
