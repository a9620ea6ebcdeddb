package static

import (
	"math"
	"os"
	"regexp"
	"strconv"
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
		for _, ground := range []string{"page", "surface", "sunken"} {
			check("edge", ground, 3)
		}
	}
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
