package mention

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

func TestRanking(t *testing.T) {
	t.Parallel()
	f := files(t, tree(t, "Makefile", "docs/Makefile.old", "src/make/fast.go", "cmake/x", "src/mask/tool.txt", "src/main.go", "src/domain.go",
		"src/markdown/index.ts", "lib/main.go.tmpl", "README.md", "web/readme.txt", "web/client/src/menu/listbox.ts", "web/client/menu.ts"))
	for query, want := range map[string][]string{
		// the name, then its beginning, shorter ones first, then inside, then the path
		"makefile": {"Makefile", "docs/Makefile.old"},
		"mak":      {"Makefile", "src/make/", "docs/Makefile.old"},
		"main":     {"src/main.go", "lib/main.go.tmpl", "src/domain.go"},
		"main.go":  {"src/main.go", "lib/main.go.tmpl"},
		"menu":     {"web/client/src/menu/", "web/client/menu.ts", "web/client/src/menu/listbox.ts"},
		"listbox":  {"web/client/src/menu/listbox.ts"},
		// scattered, over names and over paths
		"wclb":        {"web/client/src/menu/listbox.ts"},
		"srcindex":    {"src/markdown/index.ts"},
		"src/index":   {"src/markdown/index.ts"},
		"client/menu": {"web/client/menu.ts"},
		// smart case
		"readme": {"README.md", "web/readme.txt"},
		"README": {"README.md"},
		"Main":   nil,
		"nosuch": nil,
	} {
		got := find(t, f, query)
		if len(want) > 0 && len(got) > len(want) {
			got = got[:len(want)]
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q first", query, got, want)
		}
	}
}

func TestFoldersAreListed(t *testing.T) {
	t.Parallel()
	f := files(t, tree(t, "Zeta.txt", "alpha.txt", "src/b.go", "src/A.go", "src/sub/x", "src/.hidden", ".qwen/settings.json", ".qwen/.env", ".qwen/deep/x",
		".gitignore", ".git/config", "web/src/other.go", "to-src -> src"))
	for query, want := range map[string][]string{
		"":             {"src/", "to-src/", "web/", "alpha.txt", "Zeta.txt"},
		"./":           {"src/", "to-src/", "web/", "alpha.txt", "Zeta.txt"},
		"src/":         {"src/", "src/sub/", "src/A.go", "src/b.go"},
		"./src/":       {"src/", "src/sub/", "src/A.go", "src/b.go"},
		"src/.":        {"src/.hidden", "src/A.go", "src/b.go", "web/src/other.go"},
		"to-src/":      {"to-src/", "to-src/sub/", "to-src/A.go", "to-src/b.go"},
		"src/sub/":     {"src/sub/", "src/sub/x"},
		".gitignore":   {".gitignore"},
		".qwen/":       {".qwen/", ".qwen/deep/", ".qwen/.env", ".qwen/settings.json"},
		".qwen/deep/":  {".qwen/deep/", ".qwen/deep/x"},
		".git/":        nil,
		".git/con":     nil,
		".GIT/":        nil,
		"nothing/":     nil,
		"alpha.txt/":   nil,
		"/sub/":        {"src/sub/", "src/sub/x"}, // a part of a path, not an absolute one
		"src/../src/":  nil,
		"src/b.":       {"src/b.go"},
		"to-src/b.":    {"to-src/b.go"},
		".qwen/set":    {".qwen/settings.json"},
		".qwe":         {".qwen/", ".qwen/.env", ".qwen/deep/", ".qwen/deep/x", ".qwen/settings.json"},
		"src/sub/x/":   nil,
		"settings":     nil,
		".gitig":       {".gitignore"},
		"other":        {"web/src/other.go"},
		"web/src/othe": {"web/src/other.go"},
	} {
		got := find(t, f, query)
		if !slices.Equal(got, want) {
			t.Errorf("%q lists %q, want %q", query, got, want)
		}
	}
}

func TestHiddenNames(t *testing.T) {
	t.Parallel()
	f := files(t, tree(t, ".env", ".github/workflows/check.yml", "src/.eslintrc", "src/check.ts", ".config/.secret/check", ".git/check"))
	for query, want := range map[string][]string{
		"check":                  {"src/check.ts"},
		"env":                    nil,
		"github":                 nil,
		".env":                   {".env"},
		".github/":               {".github/", ".github/workflows/"},
		".github/check":          {".github/workflows/check.yml"},
		"src/.esl":               {"src/.eslintrc"},
		".github/workflows/ch":   {".github/workflows/check.yml"},
		".secret":                {".config/.secret/", ".config/.secret/check"},
		".git/check":             {".github/workflows/check.yml"},
		"src/":                   {"src/", "src/check.ts"},
		".github/workflows/nope": nil,
	} {
		if got := find(t, f, query); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
}

func TestIgnoredNamesAreNotFound(t *testing.T) {
	t.Parallel()
	dir := tree(t, "dist/bundle.js", "src/dist.go", "src/gen/bundle.js", "src/keep/bundle.js", "bundle.log", "private.js")
	add(t, dir, ".gitignore", "/dist/\n*.log\n")
	add(t, dir, "src/.gitignore", "gen\n")
	add(t, dir, ".git/info/exclude", "private*\n")
	f := files(t, dir)
	for query, want := range map[string][]string{
		"bundle":       {"src/keep/bundle.js"},
		"dist":         {"src/dist.go"},
		"dist/":        nil,
		"dist/bundle":  nil,
		"src/gen/":     nil,
		"src/gen/bun":  nil,
		"src/":         {"src/", "src/keep/", "src/dist.go"},
		"src/keep/":    {"src/keep/", "src/keep/bundle.js"},
		"private":      nil,
		"":             {"src/"},
		"src/keep/bun": {"src/keep/bundle.js"},
	} {
		if got := find(t, f, query); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
}

// TestMatches says what of the shown text was matched, in UTF-16 units.
func TestMatches(t *testing.T) {
	t.Parallel()
	f := files(t, tree(t, "Makefile", "src/client/menu.ts", "文档/用户手册.md", "👩‍💻🚀 launch.md", "cafe\u0301 re\u0301sume\u0301.md", "e\u0301t/a\u0300.md",
		"naïve.txt", "한글.txt", "\u202egpj.exe", "docs/folder/", "👨‍👩‍👧.txt"))
	type want struct{ title, detail, hits, detailHits string }
	for query, w := range map[string]want{
		"mak":        {"Makefile", "", "Mak", ""},
		"mfile":      {"Makefile", "", "M|file", ""},
		"menu":       {"menu.ts", "src/client", "menu", ""},
		"src/menu":   {"menu.ts", "src/client", "menu", "src/"},
		"sclimenu":   {"menu.ts", "src/client", "menu", "s|cli"},
		"手册":         {"用户手册.md", "文档", "手册", ""},
		"文档/手":       {"用户手册.md", "文档", "手", ""}, // in the folder that was named
		"launch":     {"👩‍💻🚀 launch.md", "", "launch", ""},
		"🚀":          {"👩‍💻🚀 launch.md", "", "🚀", ""},
		"👩‍💻":        {"👩‍💻🚀 launch.md", "", "👩‍💻", ""},
		"👨":          {"👨‍👩‍👧.txt", "", "👨‍👩‍👧", ""}, // never half of what is seen as one
		"café":       {"cafe\u0301 re\u0301sume\u0301.md", "", "cafe\u0301", ""},
		"cafe\u0301": {"cafe\u0301 re\u0301sume\u0301.md", "", "cafe\u0301", ""},
		"resume":     {"cafe\u0301 re\u0301sume\u0301.md", "", "re\u0301sume\u0301", ""},
		"étà":        {"a\u0300.md", "e\u0301t", "a\u0300", "e\u0301t"},
		"naive":      {"naïve.txt", "", "naïve", ""},
		"ïve":        {"naïve.txt", "", "ïve", ""},
		"한글":         {"한글.txt", "", "한글", ""},
		"gpj":        {"⟨U+202E⟩gpj.exe", "", "gpj", ""},
		"folder":     {"folder/", "docs", "folder", ""},
		"docs/":      {"docs/", "", "", ""},
	} {
		items := search(t, f, query)
		if len(items) == 0 {
			t.Errorf("%q finds nothing", query)
			continue
		}
		got := want{items[0].Title, items[0].Detail, parts(items[0].Title, items[0].Matches), parts(items[0].Detail, items[0].DetailMatches)}
		if got != w {
			t.Errorf("%q shows %q, want %q", query, got, w)
		}
	}
}

// parts are ranges of text, as a browser cuts them.
func parts(text string, ranges [][2]int) string {
	units := utf16.Encode([]rune(text))
	var all []string
	for _, r := range ranges {
		all = append(all, string(utf16.Decode(units[r[0]:r[1]])))
	}
	return strings.Join(all, "|")
}

func TestItems(t *testing.T) {
	t.Parallel()
	f := files(t, tree(t, "src/my dir/a.go"))
	for query, want := range map[string]Item{
		"a.go":     {Tag: reference("file:src/my dir/a.go", "a.go", "src/my dir/a.go", `@src/my\ dir/a.go`), Title: "a.go", Detail: "src/my dir", Matches: [][2]int{{0, 4}}},
		"src/my d": {Tag: reference("file:src/my dir/", "my dir/", "src/my dir/", `@src/my\ dir/`), Title: "my dir/", Detail: "src", Directory: true, Matches: [][2]int{{0, 4}}},
	} {
		items := search(t, f, query)
		if len(items) == 0 || describe(items[0]) != describe(want) {
			t.Errorf("%q gives %+v, want %s", query, items, describe(want))
		}
	}
}
