package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// TestLimits holds that what is beyond a limit is still there as text.
func TestLimits(t *testing.T) {
	t.Parallel()
	refs := strings.Repeat("[a] ", 3000)
	cases := []struct {
		name, src, want string
		count           int
	}{
		{"quotes nest", strings.Repeat("> ", 10_000) + "end", "<blockquote", maxNesting},
		{"quotes keep text", strings.Repeat("> ", 10_000) + "end", "&gt; end", 1},
		{"lists nest", strings.Repeat("- ", 10_000) + "end", "<ul", maxNesting},
		{"lists keep text", strings.Repeat("- ", 10_000) + "end", "- end", 1},
		{"emphasis", strings.Repeat("*a* ", 10_000), "<em>", maxDelimiters / 2},
		{"emphasis by paragraph", strings.Repeat(strings.Repeat("*a* ", 100)+"\n\n", 5), "<em>", 500},
		{"one long mark", strings.Repeat("*", 10_000) + "a" + strings.Repeat("*", 10_000), "<strong>", 0},
		{"links", strings.Repeat("[a](mailto:a@a.example) ", 1000), "<a ", maxBrackets},
		{"brackets keep text", strings.Repeat("[", 10_000), "[", 10_000},
		{"wide table", strings.Repeat("a|", 2000) + "\n" + strings.Repeat("-|", 2000) + "\n" + strings.Repeat("|\n", 2000), "<td", 0},
		{"long table", bigTable(100 << 10), "<tr>", strings.Count(bigTable(100<<10), "\n") - 1},
		{"definition used often", refs + "\n\n[a]: https://a.example/" + strings.Repeat("b", 1000), "<a ", (minReferenceUse + 13_000) / 1018},
		{"many definitions", manyDefinitions(1 << 15), "<a ", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			html := Render(c.src)
			got := strings.Count(html, c.want)
			if c.name == "definition used often" {
				if got < c.count-5 || got > c.count+5 {
					t.Errorf("%d links, want about %d", got, c.count)
				}
			} else if got != c.count {
				t.Errorf("%d times %q, want %d", got, c.want, c.count)
			}
			checkSafe(t, html)
		})
	}
}

func manyDefinitions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[x%d]: mailto:x@a.example\n", i)
	}
	return b.String() + "\n[x1]\n"
}

func TestTooLong(t *testing.T) {
	t.Parallel()
	src := "\n**a** <b>\n" + strings.Repeat("a\n\n", maxSource/3)
	html := Render(src)
	if !strings.HasPrefix(html, "<pre class=\"plain\" dir=\"auto\" tabindex=\"0\">\n\n**a** &lt;b&gt;\n") {
		t.Errorf("%.100q", html)
	}
}

func TestOrdinaryManyDefinitions(t *testing.T) {
	t.Parallel()
	html := Render("[x200]\n\n" + manyDefinitions(300))
	if !strings.Contains(html, `<a href="mailto:x@a.example"`) {
		t.Errorf("%.300s", html)
	}
}

// TestNoIDs holds that headings and everything else come without ids.
func TestNoIDs(t *testing.T) {
	t.Parallel()
	for name, src := range goldenSources(t) {
		if strings.Contains(Render(src), " id=") {
			t.Errorf("%s has an id", name)
		}
	}
}

func TestConcurrentRender(t *testing.T) {
	t.Parallel()
	docs := goldenSources(t)
	want := map[string]string{}
	for name, src := range docs {
		want[name] = Render(src)
	}
	done := make(chan error)
	for range 8 {
		go func() {
			for name, src := range docs {
				if got := Render(src); got != want[name] {
					done <- fmt.Errorf("%s: %s", name, diff(got, want[name]))
					return
				}
			}
			done <- nil
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
