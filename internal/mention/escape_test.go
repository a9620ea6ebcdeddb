package mention

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/escape.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct{ Path, Escaped string }
	if err := json.Unmarshal(raw, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) < 20 {
		t.Fatalf("only %d vectors", len(vectors))
	}
	for _, v := range vectors {
		if got := Escape(v.Path); got != v.Escaped {
			t.Errorf("%q is escaped as %q, want %q", v.Path, got, v.Escaped)
		}
		if got := Unescape(v.Escaped); got != v.Path {
			t.Errorf("%q is unescaped as %q, want %q", v.Escaped, got, v.Path)
		}
	}
}

// What people escape and Escape does not.
func TestUnescapeHabits(t *testing.T) {
	t.Parallel()
	for escaped, want := range map[string]string{
		`a\(b\)`: "a(b)", `it\'s`: "it's", `\文\件`: "文件", `\`: `\`, `a\`: `a\`, `a\\\`: `a\\`, `\👩‍💻`: "👩‍💻",
	} {
		if got := Unescape(escaped); got != want {
			t.Errorf("%q is unescaped as %q, want %q", escaped, got, want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"a b", `a\b`, "\\", "\u3000\u2028", "\xff \\\xfe", "👩‍💻 é"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		escaped := Escape(path)
		if got := Unescape(escaped); got != path {
			t.Fatalf("%q comes back as %q", path, got)
		}
		if utf8.ValidString(path) != utf8.ValidString(escaped) {
			t.Fatalf("%q becomes %q", path, escaped)
		}
		bare := false // whether the character before is an escaping backslash
		for _, r := range escaped {
			if unicode.IsSpace(r) && !bare {
				t.Fatalf("%q has white space that is not escaped", escaped)
			}
			bare = r == '\\' && !bare
		}
		if Unescape(Unescape(path)) == "" && strings.Trim(path, `\`) != "" {
			t.Fatalf("%q is lost", path)
		}
		parseQuery(path)
	})
}
