package workspace

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"unicode/utf8"
)

// Entry is a name in a folder.
type Entry struct {
	Name string
	Kind Kind
	// Link is set for a symbolic link; Kind is what it leads to.
	Link bool
}

// batch is how many names are read between two looks at the context.
const batch = 256

// ReadDir reads at most limit names of a folder, in no order, and reports
// whether there are more. Names that are not UTF-8 are left out: no text can
// name them. The error is ErrName, ErrNotFolder, the context's or the file
// system's.
func (f *Folder) ReadDir(ctx context.Context, name string, limit int) (entries []Entry, more bool, err error) {
	dir, err := f.open(name, Directory, ErrNotFolder)
	if err != nil {
		return nil, false, err
	}
	defer dir.Close()
	for {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		read, err := dir.ReadDir(batch)
		for _, e := range read {
			if !utf8.ValidString(e.Name()) {
				continue
			}
			if len(entries) == limit {
				return entries, true, nil
			}
			entries = append(entries, f.entry(name, e))
		}
		if errors.Is(err, io.EOF) {
			return entries, false, nil
		}
		if err != nil {
			return nil, false, err
		}
	}
}

func (f *Folder) entry(dir string, e fs.DirEntry) Entry {
	if e.Type()&fs.ModeSymlink == 0 {
		return Entry{Name: e.Name(), Kind: kindOf(e.Type())}
	}
	kind, err := f.Stat(path.Join(dir, e.Name()))
	if err != nil {
		kind = Other
	}
	return Entry{Name: e.Name(), Kind: kind, Link: true}
}

// ReadFile reads at most limit bytes of a file. It is ErrNotFile for anything
// but a regular file.
func (f *Folder) ReadFile(name string, limit int64) ([]byte, error) {
	file, err := f.open(name, File, ErrNotFile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, limit))
}
