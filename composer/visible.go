package composer

import (
	"fmt"
	"strings"
	"unicode"
)

// Visible spells out the characters that hide or reorder what stands around
// them (bidi controls, zero width, tags, control characters, line and paragraph
// separators) as ⟨U+202E⟩: angle brackets U+27E8 and U+27E9 around the code
// point in at least four hexadecimal digits. ZWJ, ZWNJ, right-to-left text and
// the characters of keep stay.
func Visible(s, keep string) string {
	spelled := func(r rune) bool { return deceptive(r) && !strings.ContainsRune(keep, r) }
	if strings.IndexFunc(s, spelled) < 0 {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		if spelled(r) {
			fmt.Fprintf(&out, "⟨U+%04X⟩", r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// hidden are the characters that take no room or change the direction of
// others, from Unicode's Bidi_Control, its format characters without a glyph
// and its tag block. ZWNJ and ZWJ (U+200C, U+200D) join letters and emoji;
// they are not among them.
var hidden = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00AD, Hi: 0x00AD, Stride: 1}, // soft hyphen
		{Lo: 0x061C, Hi: 0x061C, Stride: 1}, // Arabic letter mark
		{Lo: 0x180E, Hi: 0x180E, Stride: 1}, // Mongolian vowel separator
		{Lo: 0x200B, Hi: 0x200B, Stride: 1}, // zero width space
		{Lo: 0x200E, Hi: 0x200F, Stride: 1}, // direction marks
		{Lo: 0x202A, Hi: 0x202E, Stride: 1}, // embeddings and overrides
		{Lo: 0x2060, Hi: 0x206F, Stride: 1}, // word joiner, invisible operators, isolates
		{Lo: 0xFEFF, Hi: 0xFEFF, Stride: 1}, // zero width no-break space
		{Lo: 0xFFF9, Hi: 0xFFFB, Stride: 1}, // interlinear annotation
	},
	R32: []unicode.Range32{
		{Lo: 0x1BCA0, Hi: 0x1BCA3, Stride: 1}, // shorthand format
		{Lo: 0x1D173, Hi: 0x1D17A, Stride: 1}, // musical format
		{Lo: 0xE0000, Hi: 0xE007F, Stride: 1}, // tags
	},
	LatinOffset: 1,
}

func deceptive(r rune) bool {
	if ' ' <= r && r <= '~' {
		return false
	}
	return unicode.In(r, hidden, unicode.Cc, unicode.Zl, unicode.Zp)
}

// seen reports whether a reader sees r: as a glyph, or as its spelled-out
// form. White space, joiners, fillers and variation selectors alone show nothing.
func seen(r rune) bool {
	if unicode.IsSpace(r) {
		return false
	}
	return !unicode.In(r, joiners, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) ||
		unicode.Is(hidden, r)
}

var joiners = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x200C, Hi: 0x200D, Stride: 1}, // ZWNJ and ZWJ
	{Lo: 0x2800, Hi: 0x2800, Stride: 1}, // braille pattern without dots
}}
