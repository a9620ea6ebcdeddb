package templates

import (
	"fmt"
	"strings"
	"unicode"
)

// visible spells out the characters that hide or reorder what stands around
// them, as ⟨U+202E⟩, so that a title, a command to be allowed or a name shows
// what it is. Line breaks and tabs stay, as do ZWJ, ZWNJ and right-to-left text.
func visible(s string) string {
	if strings.IndexFunc(s, deceptive) < 0 {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		if deceptive(r) {
			fmt.Fprintf(&out, "⟨U+%04X⟩", r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// deceptive reports format and control characters, the bidi controls among
// them. Those that only join letters or have a glyph of their own are not.
func deceptive(r rune) bool {
	switch {
	case ' ' <= r && r <= '~', r == '\n', r == '\t', r == '\u200C', r == '\u200D':
		return false
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
