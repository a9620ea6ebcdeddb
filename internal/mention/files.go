package mention

import (
	"context"
	"strings"
	"sync"
	"time"

	"webshell/internal/workspace"
)

const (
	// firstWait is how long a search waits for the first survey: what is found
	// until then is answered.
	firstWait = 250 * time.Millisecond
	// freshFor is how old a survey may be when it is asked for before the next
	// one begins. A survey that took long is good for longer.
	freshFor = 5 * time.Second
	restFor  = 10 // times what the survey took
	// forgetAfter is how long a survey is kept in memory unasked.
	forgetAfter = 10 * time.Minute
	// keep is how many of the best are looked at once more: some may be gone.
	keep = MaxItems + 14
)

// Files is the provider of the workspace's files and folders. It reads nothing
// before the first search.
type Files struct {
	folder *workspace.Folder

	life  context.Context // of surveys
	end   context.CancelFunc
	walks sync.WaitGroup

	mu      sync.Mutex
	ready   *survey // the newest that came to its end
	running *survey
	idle    *time.Timer // forgets ready
}

// NewFiles makes the provider. Close it before the folder.
func NewFiles(folder *workspace.Folder) *Files {
	f := &Files{folder: folder}
	f.life, f.end = context.WithCancel(context.Background())
	return f
}

// Close ends what is still being read.
func (f *Files) Close() {
	f.mu.Lock()
	f.end()
	if f.idle != nil {
		f.idle.Stop()
	}
	f.mu.Unlock()
	f.walks.Wait()
}

// ID is "files".
func (*Files) ID() string { return "files" }

// Label is "Files".
func (*Files) Label() string { return "Files" }

// Search gives the files and folders that fit best. Nothing, and a path with a
// slash at its end, list a folder; anything else is looked for in names and
// paths, in the folder first that a path names.
func (f *Files) Search(ctx context.Context, typed string) ([]Item, error) {
	q := parseQuery(typed)
	if strings.IndexByte(q.text, 0) >= 0 {
		return nil, nil
	}
	var near listed
	var err error
	if q.dir != "" || q.last == "" {
		if near, err = f.list(ctx, q); err != nil {
			return nil, err
		}
	}
	if near.found && q.last == "" || len(near.hits) >= MaxItems {
		return items(near.hits, near.more)
	}
	names, whole, err := f.names(ctx)
	if err != nil {
		return nil, err
	}
	far, err := newMatcher(q.text).search(ctx, names, scope{hidden: q.hidden, paths: true}, keep)
	if err != nil {
		return nil, err
	}
	return items(append(near.hits, f.present(far)...), near.more || !whole)
}

// names are the names in the workspace, as far as they are known, and whether
// these are all.
func (f *Files) names(ctx context.Context) (l listing, whole bool, err error) {
	s, first := f.survey()
	if s == nil {
		return listing{}, false, f.life.Err()
	}
	if first {
		wait := time.NewTimer(firstWait)
		defer wait.Stop()
		select {
		case <-s.done:
		case <-wait.C:
			return s.found.snapshot(), false, nil
		case <-ctx.Done():
			return listing{}, false, ctx.Err()
		}
	}
	return s.found.snapshot(), s.whole, s.err
}

// survey gives the newest survey and begins another where there is none or it
// is old; nil after Close. first is set for one that has not ended yet.
func (f *Files) survey() (s *survey, first bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.life.Err() != nil {
		return nil, false
	}
	if f.idle == nil {
		f.idle = time.AfterFunc(forgetAfter, f.forget)
	} else {
		f.idle.Reset(forgetAfter)
	}
	if f.running == nil && (f.ready == nil || f.ready.stale()) {
		f.begin()
	}
	if f.ready != nil {
		return f.ready, false
	}
	return f.running, true
}

func (s *survey) stale() bool { return time.Since(s.ended) > max(freshFor, restFor*s.took) }

// begin starts a survey. The caller holds mu.
func (f *Files) begin() {
	s := newSurvey(f.folder)
	f.running = s
	f.walks.Go(func() {
		s.run(f.life)
		f.mu.Lock()
		defer f.mu.Unlock()
		f.running = nil
		if f.ready == nil || s.err == nil {
			f.ready = s
		}
	})
}

func (f *Files) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ready = nil
}

// present leaves out what is no longer there, or leads out of the workspace by
// now.
func (f *Files) present(hits []hit) []hit {
	kept := hits[:0]
	for _, h := range hits {
		kind, err := f.folder.Stat(h.path)
		if err == nil && (kind == workspace.Directory) == strings.HasSuffix(h.path, "/") && kind != workspace.Other {
			kept = append(kept, h)
		}
	}
	return kept
}

// items makes the rows, each path once.
func items(hits []hit, partial bool) ([]Item, error) {
	var all []Item
	seen := map[string]bool{}
	for _, h := range hits {
		if len(all) == MaxItems {
			break
		}
		if !seen[h.path] {
			seen[h.path] = true
			all = append(all, h.item())
		}
	}
	if partial {
		return all, ErrPartial
	}
	return all, nil
}
