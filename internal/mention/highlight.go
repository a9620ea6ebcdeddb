package mention

import (
	"slices"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"

	"webshell/composer"
)

// marked is text with the bytes that a query matched.
type marked struct {
	text string
	hit  []bool // of each byte of text; nil: none
}

// hits are the bytes of text at positions, which are in order and count its
// characters in form C.
func hits(text string, positions []int) []bool {
	hit := make([]bool, len(text))
	var it norm.Iter
	it.InitString(norm.NFC, text)
	for at := 0; !it.Done() && len(positions) > 0; {
		from := it.Pos()
		for range string(it.Next()) {
			if len(positions) > 0 && positions[0] == at {
				positions = positions[1:]
				for i := from; i < it.Pos(); i++ {
					hit[i] = true
				}
			}
			at++
		}
	}
	return hit
}

// cut takes a part of the text.
func (m marked) cut(from, to int) marked {
	part := marked{text: m.text[from:to]}
	if m.hit != nil {
		part.hit = m.hit[from:to]
	}
	return part
}

// shown is the text with its hidden characters spelled out, and the ranges in
// it that were matched, in UTF-16 units and whole as a reader sees characters.
func (m marked) shown() (text string, ranges [][2]int) {
	var out strings.Builder
	units, rest, state := 0, m.text, -1
	for at := 0; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		spelled := composer.Visible(cluster, "")
		from := units
		units += composer.UTF16Len(spelled)
		out.WriteString(spelled)
		if m.hit != nil && slices.Contains(m.hit[at:at+len(cluster)], true) {
			if n := len(ranges); n > 0 && ranges[n-1][1] == from {
				ranges[n-1][1] = units
			} else {
				ranges = append(ranges, [2]int{from, units})
			}
		}
		at += len(cluster)
	}
	return out.String(), ranges
}
