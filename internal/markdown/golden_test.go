package markdown

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// goldenSources returns the documents of testdata/golden by name.
func goldenSources(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/golden/*.md")
	if err != nil || len(files) < 10 {
		t.Fatalf("golden documents: %d, %v", len(files), err)
	}
	docs := make(map[string]string)
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		docs[strings.TrimSuffix(filepath.Base(f), ".md")] = string(b)
	}
	return docs
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for name, src := range goldenSources(t) {
		t.Run(name, func(t *testing.T) {
			got := Render(src)
			file := "testdata/golden/" + name + ".html"
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("Render differs from %s:\n%s", file, got)
			}
			checkSafe(t, got)
		})
	}
}
