package templates

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"webshell/web/locales"
)

var (
	hash  = regexp.MustCompile(`(/static/[a-z]+)\.[0-9a-f]{12}\.`)
	words = regexp.MustCompile(`(id="words">)\{.*\}(</script>)`)
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden compares every row and every page with its file in testdata, in
// each language. A line break is put between tags, for reading; the hash in a
// static file's name and the words for scripts are left out.
func TestGolden(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, lang := range locales.Langs() {
		v := viewIn(lang)
		for name, n := range nodes(t) {
			seen[checkGolden(t, "row-"+name, lang, render(t, Row(v, "s1", n)))] = true
		}
		for name, page := range pages(t, v) {
			seen[checkGolden(t, "page-"+name, lang, render(t, page))] = true
		}
	}
	files, err := filepath.Glob("testdata/*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !seen[file] {
			t.Errorf("%s belongs to no row and no page", file)
		}
	}
}

func checkGolden(t *testing.T, name string, lang locales.Lang, got string) string {
	t.Helper()
	file := filepath.Join("testdata", name+"."+string(lang)+".html")
	got = words.ReplaceAllString(hash.ReplaceAllString(got, "$1.HASH."), "${1}WORDS$2")
	got = strings.ReplaceAll(got, "><", ">\n<") + "\n"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("%v (run the test with -update)", err)
		return file
	}
	if got != string(want) {
		t.Errorf("%s differs (run the test with -update and look at the change): %s", file, firstDifference(got, string(want)))
	}
	return file
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "\n got " + a[i] + "\nwant " + b[i]
		}
	}
	return "one is longer"
}
