package mention

import (
	"slices"

	"github.com/junegunn/fzf/src/algo"
	"github.com/junegunn/fzf/src/util"
)

// The matcher's bonuses for paths; they are its package's state.
var _ = algo.Init("path")

// tier is how well a name fits, by where. The lower the better.
type tier int8

const (
	nameEqual tier = iota
	namePrefix
	inName
	pathPrefix
	inPath
	noMatch
)

// slabSize is how many numbers a comparison may take for the best of all
// placements; for a longer one the matcher takes the first.
const slabSize = 64 << 10

// matcher looks for one needle in many names. It is not safe for concurrent use.
type matcher struct {
	needle
	slab *util.Slab
	buf  []byte
}

func newMatcher(text string) *matcher {
	return &matcher{needle: newNeedle(text), slab: util.MakeSlab(slabSize, 4<<10)}
}

// begins reports whether text, in form C, begins with the needle, and is it.
func (m *matcher) begins(text *util.Chars) (prefix, equal bool) {
	r, _ := algo.PrefixMatch(m.exact, m.plain, true, text, m.runes, false, m.slab)
	// PrefixMatch passes over white space at the beginning of text.
	prefix = r.Start == 0
	return prefix, prefix && text.Length() == len(m.runes)
}

// name holds a name in form C against the needle. A higher score is better.
func (m *matcher) name(name []byte) (tier, int32) {
	text := util.ToChars(name)
	r, _ := algo.FuzzyMatchV2(m.exact, m.plain, true, &text, m.runes, false, m.slab)
	if r.Start < 0 {
		return noMatch, 0
	}
	switch prefix, equal := m.begins(&text); {
	case equal:
		return nameEqual, int32(r.Score)
	case prefix:
		return namePrefix, int32(r.Score)
	}
	return inName, int32(r.Score)
}

// path holds a whole path against the needle.
func (m *matcher) path(path []byte) (tier, int32) {
	text := util.ToChars(path)
	r, _ := algo.FuzzyMatchV2(m.exact, m.plain, true, &text, m.runes, false, m.slab)
	if r.Start < 0 {
		return noMatch, 0
	}
	if prefix, _ := m.begins(&text); prefix {
		return pathPrefix, int32(r.Score)
	}
	return inPath, int32(r.Score)
}

// positions are the places of the needle's characters in text, in order, each
// counted in characters of form C.
func (m *matcher) positions(text []byte) []int {
	chars := util.ToChars(text)
	if prefix, _ := m.begins(&chars); prefix {
		all := make([]int, len(m.runes))
		for i := range all {
			all[i] = i
		}
		return all
	}
	_, at := algo.FuzzyMatchV2(m.exact, m.plain, true, &chars, m.runes, true, m.slab)
	if at == nil {
		return nil
	}
	slices.Sort(*at)
	return *at
}
