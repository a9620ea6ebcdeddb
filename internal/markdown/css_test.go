package markdown

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
)

func TestCSSFresh(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("chroma.css")
	if err != nil {
		t.Fatal(err)
	}
	if string(file) != CSS() {
		t.Error("chroma.css is not what CSS returns: run go generate ./internal/markdown")
	}
}

func TestPaletteContrast(t *testing.T) {
	t.Parallel()
	check := func(name, colour, background string) {
		if c := contrast(t, colour, background); c < 4.5 {
			t.Errorf("%s: %s on %s has a contrast of %.2f:1, want 4.5:1", name, colour, background, c)
		}
	}
	check("light text", lightText, lightBackground)
	check("dark text", darkText, darkBackground)
	for _, s := range palette {
		check(s.name+" light", s.light, lightBackground)
		check(s.name+" dark", s.dark, darkBackground)
	}
	if c := contrast(t, "#767676", "#ffffff"); math.Abs(c-4.54) > 0.01 {
		t.Errorf("contrast of #767676 on white is %.3f, want 4.54", c)
	}
}

// contrast is the contrast ratio of WCAG 2.2.
func contrast(t *testing.T, a, b string) float64 {
	la, lb := luminance(t, a), luminance(t, b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 32)
	if err != nil || len(colour) != 7 {
		t.Fatalf("colour %q", colour)
	}
	linear := func(shift uint) float64 {
		c := float64(n>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0)
}

// TestCSSComplete holds that every class has a rule whose property is set, once
// and for both schemes.
func TestCSSComplete(t *testing.T) {
	t.Parallel()
	css := CSS()
	for _, class := range tokenClasses() {
		rule := regexp.MustCompile(fmt.Sprintf(`\.chroma \.%s[^{}]*\{\s*color: var\((--chroma-[a-z]+)\)`, class)).FindStringSubmatch(css)
		if rule == nil {
			t.Errorf("no rule for .%s", class)
			continue
		}
		if n := strings.Count(css, rule[1]+": light-dark("); n != 1 {
			t.Errorf("%s is set %d times", rule[1], n)
		}
	}
}

func TestTokenClass(t *testing.T) {
	t.Parallel()
	for typ, want := range map[chroma.TokenType]string{
		chroma.KeywordDeclaration:  "k",
		chroma.KeywordType:         "kt",
		chroma.LiteralStringDouble: "s",
		chroma.LiteralNumberHex:    "m",
		chroma.CommentMultiline:    "c",
		chroma.CommentPreprocFile:  "cp",
		chroma.NameOther:           "",
		chroma.Punctuation:         "",
		chroma.Error:               "",
		chroma.Text:                "",
	} {
		if got := tokenClass(typ); got != want {
			t.Errorf("tokenClass(%v) = %q, want %q", typ, got, want)
		}
	}
}
