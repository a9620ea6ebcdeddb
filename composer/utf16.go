package composer

import (
	"strings"
	"unicode/utf8"
)

// This file is the only one that converts between UTF-16 offsets and bytes, or
// calculates with either.

// maxBMP is the last code point that takes one UTF-16 unit.
const maxBMP = 0xFFFF

// UTF16Len returns the length of s in UTF-16 code units. A byte that is not
// UTF-8 counts as the one unit of the U+FFFD that stands for it.
func UTF16Len(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > maxBMP {
			n++
		}
	}
	return n
}

// longer reports whether s has more than limit UTF-16 units. A unit takes one
// to three bytes of UTF-8, so most answers need no counting.
func longer(s string, limit int) bool {
	if len(s) <= limit {
		return false
	}
	return len(s) > 3*limit || UTF16Len(s) > limit
}

// cursor walks forward through text and knows its place in both measures, so
// that any number of sorted offsets costs one pass.
type cursor struct {
	text string
	byte int
	unit int
}

// seek moves to an offset in UTF-16 units, never back. It reports false where
// the offset is behind the cursor, beyond the text or inside a surrogate pair.
func (c *cursor) seek(unit int) bool {
	for c.unit < unit && c.byte < len(c.text) {
		if c.text[c.byte] < utf8.RuneSelf {
			c.byte++
			c.unit++
			continue
		}
		r, size := utf8.DecodeRuneInString(c.text[c.byte:])
		c.byte += size
		c.unit++
		if r > maxBMP {
			c.unit++
		}
	}
	return c.unit == unit
}

// covers reports whether start to end, in UTF-16 units, is exactly want, and
// moves to start. The bytes from and to are where it stands in the text. Since
// want has whole characters only, an end inside a surrogate pair never matches.
func (c *cursor) covers(start, end int, want string) (from, to int, ok bool) {
	if start < 0 || start >= end || !c.seek(start) {
		return 0, 0, false
	}
	if !strings.HasPrefix(c.text[c.byte:], want) || UTF16Len(want) != end-start {
		return 0, 0, false
	}
	return c.byte, c.byte + len(want), true
}

// document is text being put together that knows its length in UTF-16 units.
type document struct {
	text  []byte
	units int
}

// add appends s and returns the range it has in the document, in UTF-16 units.
func (d *document) add(s string) (start, end int) {
	d.text = append(d.text, s...)
	start = d.units
	d.units += UTF16Len(s)
	return start, d.units
}

// shift moves the ranges of annotations by a number of UTF-16 units.
func shift(annotations []Annotation, units int) {
	for i := range annotations {
		annotations[i].Start += units
		annotations[i].End += units
	}
}

// common is how much two texts have in common from their start, and from their
// end: whole characters, in UTF-16 units. The two may overlap.
func common(a, b string) (head, tail int) {
	n, from, behind := min(len(a), len(b)), 0, 0
	for from < n && a[from] == b[from] {
		from++
	}
	for from > 0 && from < n && !utf8.RuneStart(a[from]) {
		from--
	}
	for behind < n && a[len(a)-1-behind] == b[len(b)-1-behind] {
		behind++
	}
	for behind > 0 && !utf8.RuneStart(a[len(a)-behind]) {
		behind--
	}
	return UTF16Len(a[:from]), UTF16Len(a[len(a)-behind:])
}
