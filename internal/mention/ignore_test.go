package mention

import (
	"encoding/json"
	"flag"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"webshell/internal/workspace"
)

var update = flag.Bool("update", false, "ask git for the answers in testdata/ignore.json anew")

// ignoreCase is a folder and what of it Git ignores.
type ignoreCase struct {
	Name  string
	Rules map[string]string // ignore files and their text
	Tree  []string          // files; folders with a slash, links with " -> "
	// Ignored are the paths that git check-ignore names, of files and folders.
	Ignored []string
}

const ignoreVectors = "testdata/ignore.json"

// TestIgnoreAsGitDoes holds the survey against what Git said about the same
// folders.
func TestIgnoreAsGitDoes(t *testing.T) {
	t.Parallel()
	if *update {
		askGit(t)
	}
	raw, err := os.ReadFile(ignoreVectors)
	if err != nil {
		t.Fatal(err)
	}
	var cases []ignoreCase
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 100 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		dir := c.make(t)
		want := paths(t, dir)
		want = slices.DeleteFunc(want, func(p string) bool { return slices.Contains(c.Ignored, strings.TrimSuffix(p, "/")) })
		if got := surveyed(t, dir); !slices.Equal(got, want) {
			t.Errorf("%s: %q\ngot  %q\nwant %q", c.Name, c.Rules, got, want)
		}
	}
}

func (c ignoreCase) make(t *testing.T) string {
	t.Helper()
	dir := tree(t, c.Tree...)
	for _, name := range slices.Sorted(maps.Keys(c.Rules)) {
		add(t, dir, name, c.Rules[name])
	}
	return dir
}

// paths are all paths below dir but Git's own; folders have a slash.
func paths(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(full string, d os.DirEntry, err error) error {
		switch {
		case err != nil || full == dir:
			return err
		case d.Name() == ".git":
			return filepath.SkipDir
		}
		p, err := filepath.Rel(dir, full)
		if info, statErr := os.Stat(full); statErr == nil && info.IsDir() {
			p += "/"
		}
		all = append(all, p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// surveyed are the paths that a survey finds.
func surveyed(t *testing.T, dir string) []string {
	t.Helper()
	folder, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	s := newSurvey(folder)
	s.run(t.Context())
	if s.err != nil || !s.whole {
		t.Fatal(s.err, s.whole)
	}
	var all []string
	l := s.found.snapshot()
	for _, f := range l.folders {
		for i := f.first; i < f.end; i++ {
			all = append(all, l.path(f, i))
		}
	}
	slices.Sort(all)
	return all
}

// askGit writes the vectors with the answers of the git that is installed.
func askGit(t *testing.T) {
	cases := append(writtenCases(), randomCases(150)...)
	for i := range cases {
		c := &cases[i]
		dir := c.make(t)
		if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
		for name, text := range c.Rules { // git init writes an info/exclude of its own
			add(t, dir, name, text)
		}
		var list strings.Builder
		for _, p := range paths(t, dir) {
			list.WriteString(strings.TrimSuffix(p, "/") + "\x00")
		}
		git := exec.Command("git", "-c", "core.excludesFile=/dev/null", "-C", dir, "check-ignore", "--no-index", "--stdin", "-z")
		git.Stdin = strings.NewReader(list.String())
		out, err := git.Output() // 1: nothing is ignored
		if err != nil && git.ProcessState.ExitCode() != 1 {
			t.Fatal(err)
		}
		c.Ignored = strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	}
	raw, err := json.MarshalIndent(cases, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(ignoreVectors, append(raw, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// randomCases are small folders under rules of the same few pieces.
func randomCases(n int) []ignoreCase {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	names := []string{"a", "b", "ab", "a.c", "b.c", "foo", "foo.c", "x"}
	pieces := []string{"a", "b", "*", "**", "a*", "*.c", "foo", "?", "[ab]", "[!a]", "f*o", "x", "***", "*b*", "[^b-x]*"}
	var cases []ignoreCase
	for range n {
		c := ignoreCase{Name: "random", Rules: map[string]string{}}
		var dirs = []string{""}
		for range 4 + r.IntN(10) {
			dir := pick(dirs...)
			name := dir + pick(names...)
			if slices.ContainsFunc(c.Tree, func(have string) bool { return strings.TrimSuffix(have, "/") == name }) || slices.Contains(dirs, name+"/") {
				continue
			}
			if r.IntN(3) == 0 && strings.Count(name, "/") < 3 {
				dirs = append(dirs, name+"/")
				c.Tree = append(c.Tree, name+"/")
				continue
			}
			c.Tree = append(c.Tree, name)
		}
		for _, dir := range dirs {
			if dir != "" && r.IntN(3) > 0 {
				continue
			}
			var lines []string
			for range 1 + r.IntN(4) {
				line := pick("", "", "!") + pick("", "", "/")
				for i := range 1 + r.IntN(3) {
					if i > 0 {
						line += "/"
					}
					line += pick(pieces...)
				}
				lines = append(lines, line+pick("", "", "/"))
			}
			c.Rules[dir+".gitignore"] = strings.Join(lines, "\n") + "\n"
		}
		cases = append(cases, c)
	}
	return cases
}

// FuzzRules: any text is read, and what it is turned into is a pattern.
func FuzzRules(f *testing.F) {
	for _, c := range writtenCases() {
		for _, text := range c.Rules {
			f.Add(text, strings.Join(c.Tree, "/"))
		}
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		rules := rulesOf(text)
		for _, r := range rules {
			for _, e := range r.elements {
				if _, err := path.Match(e.text, name); e.how == glob && err != nil {
					t.Fatalf("%q has the pattern %q: %v", text, e.text, err)
				}
			}
		}
		(*level)(nil).under(0, rules).ignores(strings.Split(name, "/"), false)
	})
}
