package templates

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

var (
	literal = regexp.MustCompile(`templruntime\.WriteString\(templ_\w+, \d+, ("(?:[^"\\]|\\.)*")\)`)
	letters = regexp.MustCompile(`\p{L}{2,}`)
)

// TestNoWordsInTemplates: what people read comes from the locales. A command
// to type is the same in every language.
func TestNoWordsInTemplates(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*_templ.go")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d generated files: %v", len(files), err)
	}
	for _, file := range files {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var markup strings.Builder
		for _, m := range literal.FindAllStringSubmatch(string(code), -1) {
			text, err := strconv.Unquote(m[1])
			if err != nil {
				t.Fatal(err)
			}
			markup.WriteString(text)
		}
		z := html.NewTokenizer(strings.NewReader(markup.String()))
		for z.Next() != html.ErrorToken {
			token := z.Token()
			if token.Type == html.TextToken && token.Data != "webshell login-link" && letters.MatchString(token.Data) {
				t.Errorf("%s says %q", file, token.Data)
			}
			for _, a := range token.Attr {
				if wordy[a.Key] && letters.MatchString(a.Val) {
					t.Errorf("%s: %s says %q", file, a.Key, a.Val)
				}
			}
		}
		if z.Err() != io.EOF {
			t.Fatal(z.Err())
		}
	}
}

var wordy = map[string]bool{"aria-label": true, "title": true, "alt": true, "placeholder": true}
