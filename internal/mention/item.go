package mention

import "strings"

// hit is a path to be shown; one of a folder ends in a slash.
type hit struct {
	path  string
	by    *matcher // nil: listed, not searched for
	whole bool     // by matched the path, not the name alone
}

// item makes the row of a file or folder: its name, and the folder it is in.
func (h hit) item() Item {
	bare := strings.TrimSuffix(h.path, "/")
	split := strings.LastIndexByte(bare, '/') + 1
	all := marked{text: h.path}
	switch {
	case h.by == nil:
	case h.whole:
		all.hit = hits(h.path, h.by.positions(composed([]byte(h.path), true)))
	default:
		all.hit = make([]bool, len(h.path))
		copy(all.hit[split:], hits(bare[split:], h.by.positions(composed([]byte(bare[split:]), true))))
	}
	item := Item{Tag: fileTag(h.path), Directory: bare != h.path}
	item.Title, item.Matches = all.cut(split, len(h.path)).shown()
	item.Detail, item.DetailMatches = all.cut(0, max(split-1, 0)).shown()
	return item
}
