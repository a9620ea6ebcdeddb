package markdown

import "math/bits"

// topHeading is the level of an answer's highest heading: the page has the one
// above it.
const topHeading = 2

// An outline is the headings that are open above a place in an answer, a bit
// for each of the source's levels. Levels are given by nesting: an answer that
// begins with "###" begins with its highest heading, and none is left out on
// the way down, so that who goes by headings finds no gap.
type outline uint8

// heading adds a heading of a level of the source, 1 to 6, and returns the
// level that it has on the page, 2 to 6.
func (o *outline) heading(level int) int {
	own := outline(1) << (level - 1)
	above := *o & (own - 1)
	*o = above | own
	return min(topHeading+bits.OnesCount8(uint8(above)), 6)
}
