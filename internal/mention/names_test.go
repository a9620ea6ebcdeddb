package mention

import (
	"slices"
	"strings"
	"testing"

	"webshell/composer"
)

// odd are names as they are on disks.
var odd = []string{"my file.txt", `back\slash.txt`, `"quoted" 'name'.txt`, "a\ttab.txt", "-rf", "--help.txt", "@types.txt", "[x]{y}*?.txt", "$HOME.txt", "#1;&|.txt",
	" leading.txt", "trailing ", "full　width.txt", "文档 说明.md", "👩‍💻🚀 notes.md", "cafe\u0301.md", "naïve.md", "مرحبا.txt", "\u202egpj.exe", "ctrl\x01.txt", "nb\u00a0sp.txt", "ends in\\"}

// TestOddNamesComeBack finds each name by what a person types, escaped or not,
// and has the composer make a chip of it.
func TestOddNamesComeBack(t *testing.T) {
	t.Parallel()
	f := files(t, tree(t, append(odd, "two\nlines.txt", "carriage\rreturn.txt")...))
	listed := find(t, f, "")
	if len(listed) != len(odd) {
		t.Errorf("%q are listed of %q", listed, odd)
	}
	for _, name := range odd {
		if !slices.Contains(listed, name) {
			t.Errorf("%q is not listed", name)
		}
		queries := []string{Escape(name)}
		if !strings.Contains(name, `\`) {
			queries = append(queries, name)
		}
		for _, query := range queries {
			items := search(t, f, query)
			if len(items) == 0 || *items[0].Tag.Value != name {
				t.Errorf("%q does not find %q", query, name)
				continue
			}
			form := *items[0].Tag.Serialized
			if form != "@"+Escape(name) || Unescape(form[1:]) != name {
				t.Errorf("%q is written %q", name, form)
			}
			if !chips(items[0].Tag) {
				t.Errorf("no chip of %q", name)
			}
		}
	}
	for _, query := range []string{"lines", "carriage", "two\nlines.txt"} {
		if got := find(t, f, query); got != nil {
			t.Errorf("%q finds %q", query, got)
		}
	}
}

// A backslash just typed does not empty the menu.
func TestHalfAnEscape(t *testing.T) {
	t.Parallel()
	f := files(t, tree(t, "my file.txt", `a\b.txt`))
	for query, want := range map[string]string{`my\`: "my file.txt", `my\ `: "my file.txt", `my\ fi`: "my file.txt", `a\\b`: `a\b.txt`, `a\\`: `a\b.txt`, `a\`: `a\b.txt`} {
		if got := find(t, f, query); len(got) == 0 || got[0] != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
}

func TestLongNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 250)
	fits := strings.Repeat("d/", 10) + long
	f := files(t, tree(t, fits, strings.Join([]string{long, long, long, long, "deep"}, "/"), strings.Join([]string{long, long, long, long, "much deeper down"}, "/")+"/file"))
	items := search(t, f, "nnn")
	for _, item := range items {
		if !chips(item.Tag) {
			t.Errorf("no chip of %q", *item.Tag.Value)
		}
	}
	if got := find(t, f, "deep"); len(got) != 2 || !strings.HasSuffix(got[0], "/deep") || !strings.HasSuffix(got[1], "/much deeper down/") {
		t.Errorf("found %q", got) // the folder's form is 1,024 units long
	}
	if got := find(t, f, "file"); got != nil {
		t.Errorf("found %q", got)
	}
	ids := map[string]bool{}
	for _, item := range items {
		ids[item.Tag.ID] = true
		if composer.UTF16Len(item.Tag.ID) > 256 {
			t.Errorf("an id of %d units", composer.UTF16Len(item.Tag.ID))
		}
	}
	if len(ids) != len(items) || len(items) < 5 {
		t.Errorf("%d ids of %d items", len(ids), len(items))
	}
}
