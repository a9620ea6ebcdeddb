package templates

import (
	"strings"

	"golang.org/x/text/width"
)

// Measures of a bubble's text, from the style sheet: a message is 400 px high
// at most before it folds, a line is about 23 px. A wide screen's line holds
// about 84 narrow characters, that of a 320 px screen about 34.
const (
	foldLines   = 17
	wideLine    = 84
	narrowLine  = 34
	foldsAlways = "wide"   // folds on any screen
	foldsNarrow = "narrow" // folds on a narrow screen only
)

// foldOf says on which screens a message is surely too long to be shown whole:
// "wide", "narrow" or "" for none.
func foldOf(content string) string {
	wide, narrow := 0, 0
	for line := range strings.Lines(content) {
		columns := columnsOf(line, wideLine*foldLines)
		wide += columns/wideLine + 1
		narrow += columns/narrowLine + 1
		if wide > foldLines {
			return foldsAlways
		}
	}
	if narrow > foldLines {
		return foldsNarrow
	}
	return ""
}

// columnsOf counts a line's columns up to limit; an East Asian wide character
// takes two.
func columnsOf(line string, limit int) int {
	columns := 0
	for _, r := range line {
		columns++
		if r > 0x1100 {
			if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
				columns++
			}
		}
		if columns > limit {
			break
		}
	}
	return columns
}
