package session

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTitleFrom(t *testing.T) {
	t.Parallel()
	word := strings.Repeat("x", 80)
	for _, c := range []struct{ name, content, want string }{
		{"short", "Fix the test", "Fix the test"},
		{"first line with anything on it", "\n \t\r\n  Second\tline  here \nThird", "Second line here"},
		{"blank", " \n\t", ""},
		{"empty", "", ""},
		{"CR LF", "One\r\nTwo", "One"},
		{"exactly as long as allowed", strings.Repeat("a", 60), strings.Repeat("a", 60)},
		{"cut at a word", strings.Repeat("abcd ", 20), strings.TrimSpace(strings.Repeat("abcd ", 12)) + "…"},
		{"one long word", word, word[:60] + "…"},
		{"Chinese", strings.Repeat("汉", 70), strings.Repeat("汉", 60) + "…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := TitleFrom(c.content)
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if utf8.RuneCountInString(got) > 61 {
				t.Errorf("%d characters", utf8.RuneCountInString(got))
			}
		})
	}
}
