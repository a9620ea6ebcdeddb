package workspace

import (
	"context"
	"path"
	"strings"
)

// Limits bound a walk.
type Limits struct {
	Entries int // in all
	Folder  int // of one folder
	Depth   int // folders below the first
}

// Visit takes a folder and what it holds, and gives the names in it that are
// to be walked as well: later ones after all others.
type Visit func(dir string, entries []Entry) (soon, later []string)

// Walk reads folders breadth first, from the workspace itself, and reports
// whether it came to the end before a limit did. An error is that of the first
// folder, or of the context; a folder further down that cannot be read is
// passed over.
func (f *Folder) Walk(ctx context.Context, limits Limits, visit Visit) (whole bool, err error) {
	soon, later := []string{"."}, []string(nil)
	whole = true
	for left := limits.Entries; len(soon)+len(later) > 0; {
		if len(soon) == 0 {
			soon, later = later, nil
		}
		dir := soon[0]
		soon = soon[1:]
		entries, more, err := f.ReadDir(ctx, dir, min(left, limits.Folder))
		if err != nil {
			if dir == "." || ctx.Err() != nil {
				return false, err
			}
			continue
		}
		whole = whole && !more
		left -= len(entries)
		next, last := visit(dir, entries)
		if strings.Count(dir, "/")+1 >= limits.Depth && dir != "." || left <= 0 {
			whole = whole && len(next)+len(last)+len(soon)+len(later) == 0
			if left <= 0 {
				return whole, nil
			}
			continue
		}
		soon = appendBelow(soon, dir, next)
		later = appendBelow(later, dir, last)
	}
	return whole, nil
}

func appendBelow(queue []string, dir string, names []string) []string {
	for _, name := range names {
		queue = append(queue, path.Join(dir, name))
	}
	return queue
}
