package mention

import (
	"cmp"
	"context"
	"io/fs"
	"slices"
	"strings"

	"webshell/internal/workspace"
)

// maxListed is how many names of one folder are looked at when it is listed.
const maxListed = 20_000

// listed is what the folder holds that a query names before its last slash.
type listed struct {
	hits  []hit
	found bool // there is such a folder
	more  bool // it holds more than was looked at
}

// list reads a query's folder as it is now and gives what in it fits: all of
// it, after the folder itself, for a query that ends there.
func (f *Files) list(ctx context.Context, q query) (listed, error) {
	dir := "."
	if q.dir != "" {
		dir = strings.TrimSuffix(q.dir, "/")
	}
	entries, more, err := f.entries(ctx, dir)
	if err != nil || entries == nil {
		return listed{}, err
	}
	if !q.hidden {
		entries = slices.DeleteFunc(entries, func(e workspace.Entry) bool { return strings.HasPrefix(e.Name, ".") })
	}
	l := listed{found: true, more: more}
	if q.last != "" {
		var one listing
		one.add(q.dir, entries)
		l.hits, err = newMatcher(q.last).search(ctx, one, scope{hidden: true}, keep)
		return l, err
	}
	if q.dir != "" && referable(q.dir) {
		l.hits = append(l.hits, hit{path: q.dir})
	}
	for _, e := range inOrder(entries) {
		l.hits = append(l.hits, hit{path: pathOf(q.dir, e)})
	}
	return l, nil
}

// entries are what of a folder can be referred to; nil where it cannot be read
// or is to be left alone. An error is that of ctx or of the workspace itself.
func (f *Files) entries(ctx context.Context, dir string) (kept []workspace.Entry, more bool, err error) {
	if kind, err := f.folder.Stat(dir); dir != "." && (!fs.ValidPath(dir) || err != nil || kind != workspace.Directory) {
		return nil, false, nil
	}
	rules, ok := rulesTo(f.folder, dir)
	if !ok {
		return nil, false, nil
	}
	all, more, err := f.folder.ReadDir(ctx, dir, maxListed)
	switch {
	case ctx.Err() != nil:
		return nil, false, ctx.Err()
	case err != nil && dir == ".":
		return nil, false, err
	case err != nil:
		return nil, false, nil
	}
	kept = visible(ctx, prefixOf(dir), all, rules)
	if kept == nil {
		kept = []workspace.Entry{}
	}
	return kept, more, ctx.Err()
}

// inOrder sorts a folder's entries: folders, then files, each by name without
// regard to case.
func inOrder(entries []workspace.Entry) []workspace.Entry {
	keys := make(map[string]string, len(entries))
	for _, e := range entries {
		keys[e.Name] = strings.ToLower(e.Name)
	}
	slices.SortFunc(entries, func(a, b workspace.Entry) int {
		return cmp.Or(cmp.Compare(b.Kind, a.Kind), strings.Compare(keys[a.Name], keys[b.Name]), strings.Compare(a.Name, b.Name))
	})
	return entries
}
