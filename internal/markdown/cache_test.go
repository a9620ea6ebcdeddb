package markdown

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestCacheRendersTheSame(t *testing.T) {
	c := NewCache(1 << 20)
	for range 2 {
		for _, src := range []string{"", "*a*", "# b", "```go\nfunc a() {}\n```", "*a*"} {
			if got, want := c.Render(src), Render(src); got != want {
				t.Errorf("%q: %q, want %q", src, got, want)
			}
		}
	}
	if n := c.recent.Len(); n != 4 {
		t.Errorf("%d texts are kept, want 4", n)
	}
}

func TestCacheKeepsTheRecentWithinItsLimit(t *testing.T) {
	const limit = 8 << 10
	c := NewCache(limit)
	used := strings.Repeat("used ", 20)
	c.Render(used)
	c.Render(strings.Repeat("long ", limit)) // more than an eighth: not kept
	for i := range 500 {
		c.Render(fmt.Sprintf("text %d %s", i, strings.Repeat("x", 100)))
		c.Render(used)
	}
	kept := 0
	for _, e := range c.byText {
		kept += len(e.Value.(rendered).html)
	}
	if kept != c.size || kept > limit || kept < limit/2 || len(c.byText) != c.recent.Len() {
		t.Errorf("%d bytes in %d texts are kept, counted as %d in %d", kept, len(c.byText), c.size, c.recent.Len())
	}
	if last := c.recent.Front().Value.(rendered).html; last != Render(used) {
		t.Errorf("the text in use was dropped for %q", last)
	}
}

func TestCacheIsSafeForConcurrentUse(t *testing.T) {
	c := NewCache(2 << 10)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 200 {
				src := fmt.Sprintf("*%d*", i%40)
				if got := c.Render(src); !strings.Contains(got, fmt.Sprint(i%40)) {
					t.Errorf("%q became %q", src, got)
				}
			}
		})
	}
	wg.Wait()
}
