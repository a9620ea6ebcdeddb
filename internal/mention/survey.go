package mention

import (
	"context"
	"path"
	"time"

	"webshell/internal/workspace"
)

// Bounds of a survey and of what it keeps in memory: a name takes its bytes and
// five more, a folder its path besides.
const (
	maxNames       = 200_000
	maxFolderNames = 50_000
	maxDepth       = 64
	maxBytes       = 24 << 20
	surveyLimit    = 30 * time.Second
)

// survey is one walk through the workspace.
type survey struct {
	folder *workspace.Folder
	found  shared
	levels map[string]*level // of folders that are still to be walked
	queued int               // bytes of the paths of those

	done  chan struct{} // closed when the rest is set
	whole bool          // nothing was left out for a limit's sake
	err   error         // the workspace itself cannot be read
	ended time.Time
	took  time.Duration
}

func newSurvey(f *workspace.Folder) *survey {
	return &survey{folder: f, levels: map[string]*level{}, done: make(chan struct{}), whole: true}
}

// run walks until the end, a limit or the end of ctx.
func (s *survey) run(ctx context.Context) {
	defer close(s.done)
	ctx, cancel := context.WithTimeout(ctx, surveyLimit)
	defer cancel()
	began := time.Now()
	limits := workspace.Limits{Entries: maxNames, Folder: maxFolderNames, Depth: maxDepth}
	whole, err := s.folder.Walk(ctx, limits, func(dir string, entries []workspace.Entry) (soon, later []string) {
		return s.visit(ctx, dir, entries)
	})
	s.whole = s.whole && whole
	if ctx.Err() == nil {
		s.err = err
	}
	s.levels = nil
	s.ended = time.Now()
	s.took = s.ended.Sub(began)
}

// visit notes what a folder holds. Hidden folders are walked last: they are
// asked for less, and often large.
func (s *survey) visit(ctx context.Context, dir string, entries []workspace.Entry) (soon, later []string) {
	rules := s.levels[dir]
	delete(s.levels, dir)
	s.queued -= len(dir)
	if holdsRules(entries) {
		rules = rulesIn(s.folder, dir, rules)
	}
	prefix := prefixOf(dir)
	entries = visible(ctx, prefix, entries, rules)
	size := s.found.add(prefix, entries)
	for _, e := range entries {
		if e.Kind != workspace.Directory || e.Link { // a link may lead around in a circle
			continue
		}
		below := path.Join(dir, e.Name)
		if s.queued += len(below); size+s.queued > maxBytes {
			s.queued -= len(below)
			s.whole = false
			continue
		}
		s.levels[below] = rules
		if hasHidden(below) {
			later = append(later, e.Name)
		} else {
			soon = append(soon, e.Name)
		}
	}
	return soon, later
}
