package static

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var token = regexp.MustCompile(`--ws-([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)`)

// colours are the tokens' colours in one of the two schemes.
func colours(t *testing.T, scheme int) map[string]string {
	t.Helper()
	css, err := os.ReadFile("css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, m := range token.FindAllStringSubmatch(string(css), -1) {
		found[m[1]] = m[2+scheme]
	}
	return found
}

// TestContrast holds 4.5:1 for text and 3:1 for the edges of controls (WCAG
// 2.2, 1.4.3 and 1.4.11), in both schemes, on every ground they stand on.
func TestContrast(t *testing.T) {
	t.Parallel()
	grounds := []string{"page", "surface", "sunken"}
	for scheme, name := range []string{"light", "dark"} {
		c := colours(t, scheme)
		check := func(front, back string, least float64) {
			t.Helper()
			if c[front] == "" || c[back] == "" {
				t.Fatalf("no colour %s or %s", front, back)
			}
			if got := contrast(t, c[front], c[back]); got < least {
				t.Errorf("%s: %s on %s is %.2f:1, want %.1f:1", name, front, back, got, least)
			}
		}
		for _, ground := range grounds {
			for _, text := range []string{"text", "muted", "accent", "danger", "warn", "add"} {
				check(text, ground, 4.5)
			}
		}
		for _, text := range []string{"text", "muted", "accent", "danger"} {
			check(text, "bubble", 4.5)
		}
		check("on-accent", "accent", 4.5)
		for _, ground := range grounds {
			check("edge", ground, 3)
		}
		for _, mixed := range mixes(t) {
			c["mix"] = mix(t, c[mixed.front], c[mixed.ground], mixed.share)
			for _, text := range mixed.texts {
				check(text, "mix", 4.5)
			}
		}
	}
}

// mixed is a colour that the style sheets mix for a ground, and the texts that
// stand on it.
type mixed struct {
	front, ground string
	share         float64 // of front
	texts         []string
}

// mixes are all such grounds in the style sheets.
func mixes(t *testing.T) []mixed {
	t.Helper()
	on := map[string][]string{
		"accent/surface":      {"text", "muted", "accent"}, // what is selected: an option, a chip
		"accent/text":         {"on-accent"},               // a main button under the pointer
		"surface/transparent": nil,                         // a lighter sunken, under the pointer
		"accent/transparent":  nil,                         // selected text, which browsers draw under its own colour
	}
	var found []mixed
	pattern := regexp.MustCompile(`color-mix\(in srgb, var\(--ws-([a-z-]+)\) (\d+)%, (?:var\(--ws-)?([a-z-]+)\)?\)`)
	files, err := filepath.Glob("css/*.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		css, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		matches := pattern.FindAllStringSubmatch(string(css), -1)
		if len(matches) != strings.Count(string(css), "color-mix(") {
			t.Errorf("%s mixes colours in another way", file)
		}
		for _, m := range matches {
			texts, known := on[m[1]+"/"+m[3]]
			if !known {
				t.Errorf("%s mixes %s into %s: which texts stand on that?", file, m[1], m[3])
			}
			share, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, mixed{m[1], m[3], share / 100, texts})
		}
	}
	return found
}

// mix mixes two colours as color-mix does in srgb.
func mix(t *testing.T, front, ground string, share float64) string {
	t.Helper()
	if ground == "" {
		return front // transparent: no text is checked on it
	}
	out := "#"
	for i := 1; i < 7; i += 2 {
		a, errA := strconv.ParseUint(front[i:i+2], 16, 8)
		b, errB := strconv.ParseUint(ground[i:i+2], 16, 8)
		if errA != nil || errB != nil {
			t.Fatalf("%s, %s: %v, %v", front, ground, errA, errB)
		}
		out += fmt.Sprintf("%02x", int(math.Round(share*float64(a)+(1-share)*float64(b))))
	}
	return out
}

// contrast is the ratio of two colours' relative luminances.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	weights := []float64{0.2126, 0.7152, 0.0722}
	sum := 0.0
	for i, weight := range weights {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		channel := float64(n) / 255
		if channel <= 0.04045 {
			channel /= 12.92
		} else {
			channel = math.Pow((channel+0.055)/1.055, 2.4)
		}
		sum += weight * channel
	}
	return sum
}

// TestPalette holds the colours that the product is known by.
func TestPalette(t *testing.T) {
	t.Parallel()
	names := []string{"page", "surface", "sunken", "line", "text", "muted", "accent", "bubble"}
	for scheme, want := range [][]string{
		{"#fbfaf8", "#ffffff", "#f3f1ec", "#e4e0d8", "#1f1d1a", "#6b665d", "#0f6b5c", "#eef3f1"},
		{"#161614", "#1e1e1b", "#121210", "#33322d", "#ecebe6", "#9d998f", "#5cc4ae", "#22302c"},
	} {
		c := colours(t, scheme)
		for i, name := range names {
			if c[name] != want[i] {
				t.Errorf("%s is %s, want %s", name, c[name], want[i])
			}
		}
	}
}
