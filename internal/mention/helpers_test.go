package mention

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"webshell/composer"
	"webshell/internal/workspace"
)

// tree makes a folder with files; a name with a slash at its end is a folder,
// and " -> " makes a link.
func tree(t testing.TB, names ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "work")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		add(t, dir, name, "text\n")
	}
	return dir
}

func add(t testing.TB, dir, name, text string) {
	t.Helper()
	if name, target, link := strings.Cut(name, " -> "); link {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		return
	}
	full := filepath.Join(dir, name)
	parent := filepath.Dir(full)
	if strings.HasSuffix(name, "/") {
		parent = full
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		t.Fatal(err)
	}
	if parent == full {
		return
	}
	if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func files(t testing.TB, dir string) *Files {
	t.Helper()
	folder, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	f := NewFiles(folder)
	t.Cleanup(func() {
		f.Close()
		folder.Close()
	})
	return f
}

// find searches and waits for the first survey: its paths, the best first.
func find(t testing.TB, f *Files, query string) []string {
	t.Helper()
	var all []string
	for _, item := range search(t, f, query) {
		all = append(all, *item.Tag.Value)
	}
	return all
}

func search(t testing.TB, f *Files, query string) []Item {
	t.Helper()
	for {
		items, err := f.Search(t.Context(), query)
		if err == nil {
			return items
		}
		s, first := f.survey()
		if !errors.Is(err, ErrPartial) || !first {
			t.Fatal(err)
		}
		<-s.done
	}
}

func reference(id, label, value, form string) composer.Reference {
	kind := "file"
	return composer.Reference{ID: id, Kind: &kind, Label: &label, Value: &value, Serialized: &form}
}

func describe(item Item) string {
	raw, err := json.Marshal(item)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}
