package mention

import (
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"webshell/internal/workspace"
)

// listing is the names of a workspace as they are searched: one text with all
// names, those of a folder together. It only ever grows at its end, so a copy
// of the struct stays good while the original is added to.
type listing struct {
	folders []folder
	text    []byte
	ends    []uint32 // of each name in text
	marks   []mark   // of each name
	bytes   int      // text and paths of folders
}

// folder is a folder and the range of its names in the listing.
type folder struct {
	path       string // "" or with a slash at its end
	first, end int32
	hidden     bool // it or a folder it is in
	decomposed bool
}

// mark says what is to be known of a name without looking at it.
type mark uint8

const (
	isFolder mark = 1 << iota
	isHidden
	isDecomposed // not in Unicode's form C
)

func markOf(e workspace.Entry) mark {
	var m mark
	if e.Kind == workspace.Directory {
		m |= isFolder
	}
	if strings.HasPrefix(e.Name, ".") {
		m |= isHidden
	}
	if !norm.NFC.IsNormalString(e.Name) {
		m |= isDecomposed
	}
	return m
}

// name is the i-th name. It must not be changed.
func (l *listing) name(i int32) []byte {
	var start uint32
	if i > 0 {
		start = l.ends[i-1]
	}
	return l.text[start:l.ends[i]]
}

// path is the whole path of the i-th name, in a folder f; one of a folder ends
// in a slash.
func (l *listing) path(f folder, i int32) string {
	path := f.path + string(l.name(i))
	if l.marks[i]&isFolder != 0 {
		path += "/"
	}
	return path
}

func (l *listing) add(path string, entries []workspace.Entry) {
	f := folder{
		path: path, first: int32(len(l.ends)),
		hidden:     hasHidden(path),
		decomposed: !norm.NFC.IsNormalString(path),
	}
	for _, e := range entries {
		l.text = append(l.text, e.Name...)
		l.ends = append(l.ends, uint32(len(l.text)))
		l.marks = append(l.marks, markOf(e))
		l.bytes += len(e.Name)
	}
	l.bytes += len(path)
	f.end = int32(len(l.ends))
	l.folders = append(l.folders, f)
}

// hasHidden reports whether an element of a path begins with a dot.
func hasHidden(path string) bool {
	return strings.HasPrefix(path, ".") || strings.Contains(path, "/.")
}

// shared is a listing that one goroutine adds to while others read.
type shared struct {
	mu  sync.Mutex
	now listing
}

// add adds a folder and returns the bytes that all take.
func (s *shared) add(path string, entries []workspace.Entry) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.add(path, entries)
	return s.now.bytes
}

// snapshot is the listing so far.
func (s *shared) snapshot() listing {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}
