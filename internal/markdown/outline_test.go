package markdown

import (
	"regexp"
	"strings"
	"testing"
)

var headingTag = regexp.MustCompile(`<h([1-6])`)

func levels(html string) string {
	var all []string
	for _, m := range headingTag.FindAllStringSubmatch(html, -1) {
		all = append(all, m[1])
	}
	return strings.Join(all, "")
}

// Headings nest below the page's own without a gap, whole and while they are
// written.
func TestHeadingsNestWithoutGaps(t *testing.T) {
	t.Parallel()
	for marks, want := range map[string]string{
		"#":                          "2",
		"###":                        "2",
		"# ## ###":                   "234",
		"# ### ##":                   "233",
		"### # ##":                   "223",
		"## #### #### ### ##":        "23332",
		"# ## ### #### ##### ######": "234566",
		"###### # ###### ######":     "2233",
	} {
		var text strings.Builder
		for i, mark := range strings.Fields(marks) {
			text.WriteString([]string{"", "- ", "> "}[i%3*(i%2)] + mark + " a heading\n\nand what it is about\n\n")
		}
		if got := levels(Render(text.String())); got != want {
			t.Errorf("%s: levels %s, want %s", marks, got, want)
		}
		s := NewStream()
		shown := ""
		for _, line := range strings.SplitAfter(text.String(), "\n") {
			s.Write(line)
			done, tail, _ := s.Snapshot()
			if got := levels(done + tail); !strings.HasPrefix(want, got) || len(got) < len(shown) {
				t.Fatalf("%s: levels %s, after %s", marks, got, shown)
			} else {
				shown = got
			}
		}
		if shown != want {
			t.Errorf("%s: written with levels %s", marks, shown)
		}
	}
}

// The same inside a list whose finished items are not parsed again.
func TestHeadingsInALongList(t *testing.T) {
	t.Parallel()
	text := "## list\n\n" + strings.Repeat("- #### item\n  "+strings.Repeat("words ", 30)+"\n- ###### below\n", 40)
	want := levels(Render(text))
	if want != "2"+strings.Repeat("34", 40) {
		t.Fatalf("levels %s", want)
	}
	s := NewStream()
	for _, line := range strings.SplitAfter(text, "\n") {
		s.Write(line)
		done, tail, _ := s.Snapshot()
		if got := levels(done + tail); !strings.HasPrefix(want, got) {
			t.Fatalf("levels %s", got)
		}
	}
}

// A task's box is named by its task.
func TestTasksAreNamed(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"- [x] done **well**":      `<label><input type="checkbox" disabled="" checked=""> done <strong>well</strong></label>`,
		"- [ ] open\n\n  and more": `<label><input type="checkbox" disabled=""> open</label></p>`,
	} {
		if got := Render(src); !strings.Contains(got, want) {
			t.Errorf("%q: %s", src, got)
		}
	}
}
