package mention

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"webshell/internal/workspace"
)

// TestReachMissesNothing: what the matcher finds, the quick look before it
// finds too, for every character that can be seen.
func TestReachMissesNothing(t *testing.T) {
	t.Parallel()
	for r := rune(1); r <= unicode.MaxRune; r++ {
		if !unicode.IsGraphic(r) {
			continue
		}
		for _, needle := range []rune{r, unicode.ToLower(r), 'a', '.'} {
			if needle == 'a' && !unicode.Is(unicode.Latin, r) {
				continue
			}
			checkReach(t, string(needle), string(r))
		}
	}
}

func checkReach(t *testing.T, needle, text string) {
	t.Helper()
	m := newMatcherIn(needle)
	if len(m.runes) == 0 {
		return
	}
	got, _ := m.inPath(composed([]byte(text), true), noMatch)
	if reached := m.reach(composed([]byte(text), true), 0); got != noMatch && reached < len(m.runes) {
		t.Errorf("%q is found in %q, and not reached", needle, text)
	}
}

// newMatcherIn is a matcher without a slab, which takes its room as it needs.
func newMatcherIn(text string) *matcher { return &matcher{needle: newNeedle(text)} }

func FuzzReach(f *testing.F) {
	for _, seed := range [][2]string{{"mak", "src/Makefile"}, {"é", "cafe\u0301"}, {"が", "か\u3099"}, {"文档", "文 档"}, {"Ab", "ab"}, {"👩‍💻", "👩‍💻"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, needle, text string) {
		needle, text = strings.ToValidUTF8(needle, "?"), strings.ToValidUTF8(text, "?")
		checkReach(t, needle, text)
		m := newMatcherIn(needle)
		if t1, _ := m.inPath(composed([]byte(text), true), noMatch); t1 == noMatch || len(m.runes) == 0 {
			return
		}
		all := marked{text: text, hit: hits(text, m.positions(composed([]byte(text), true)))}
		shown, ranges := all.shown()
		for i, r := range ranges {
			if r[0] >= r[1] || i > 0 && ranges[i-1][1] >= r[0] {
				t.Fatalf("%q in %q: %v", needle, text, ranges)
			}
		}
		if parts(shown, ranges) == "" {
			t.Fatalf("%q in %q: no highlight", needle, text)
		}
	})
}

// TestTheBestOfMany: the shortcuts for many names keep what ranking all of them
// would.
func TestTheBestOfMany(t *testing.T) {
	t.Parallel()
	var l listing
	for d := range 60 {
		var entries []workspace.Entry
		for i := range 50 {
			entries = append(entries, workspace.Entry{Name: fmt.Sprintf("%s%d-%d.go", []string{"main", "domain", "m", "文main", "Main", "x"}[(d+i)%6], i, d), Kind: workspace.File})
		}
		l.add(fmt.Sprintf("%s/dir%d/", []string{"main", "src", "a/b/c", "文档"}[d%4], d), entries)
	}
	for _, query := range []string{"m", "ma", "main", "main1", "dm", "文", "src/main", "nothing", "Main"} {
		m := newMatcher(query)
		all, err := m.search(t.Context(), l, scope{paths: true}, 100_000)
		if err != nil {
			t.Fatal(err)
		}
		best, err := newMatcher(query).search(t.Context(), l, scope{paths: true}, 20)
		if err != nil {
			t.Fatal(err)
		}
		path := func(hits []hit) (paths []string) {
			for _, h := range hits {
				paths = append(paths, h.path)
			}
			return paths
		}
		if want := path(all[:min(20, len(all))]); !slices.Equal(path(best), want) {
			t.Errorf("%q: %q, want %q", query, path(best), want)
		}
		if query != "nothing" && len(best) == 0 {
			t.Errorf("%q finds nothing", query)
		}
	}
}
