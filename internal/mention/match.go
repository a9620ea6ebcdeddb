package mention

import (
	"slices"
	"unicode/utf8"

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
	path []byte // room for a path
	wide []rune // room for a text that is not ASCII
}

func newMatcher(text string) *matcher {
	return &matcher{needle: newNeedle(text), slab: util.MakeSlab(slabSize, 4<<10)}
}

// chars is text as the matcher reads it, good until the next call.
func (m *matcher) chars(text []byte) util.Chars {
	ascii := true
	for _, c := range text {
		ascii = ascii && c < utf8.RuneSelf
	}
	if ascii {
		return util.ToChars(text) // the bytes themselves
	}
	m.wide = m.wide[:0]
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		m.wide = append(m.wide, r)
		text = text[size:]
	}
	return util.RunesToChars(m.wide)
}

// inName holds a name in form C against the needle, unless it cannot reach the
// tier worst. A higher score is better.
func (m *matcher) inName(name []byte, worst tier) (tier, int32) {
	text := m.chars(name)
	if r, ok := m.begins(&text); ok {
		if text.Length() == len(m.runes) {
			return nameEqual, int32(r.Score)
		}
		return namePrefix, int32(r.Score)
	}
	if worst < inName {
		return noMatch, 0
	}
	return m.within(&text, inName)
}

// inPath is inName for a whole path.
func (m *matcher) inPath(path []byte, worst tier) (tier, int32) {
	text := m.chars(path)
	if r, ok := m.begins(&text); ok {
		return pathPrefix, int32(r.Score)
	}
	if worst < inPath {
		return noMatch, 0
	}
	return m.within(&text, inPath)
}

func (m *matcher) begins(text *util.Chars) (algo.Result, bool) {
	r, _ := algo.PrefixMatch(m.exact, m.plain, true, text, m.runes, false, m.slab)
	return r, r.Start == 0 // it passes over white space at the beginning of text
}

func (m *matcher) within(text *util.Chars, t tier) (tier, int32) {
	r, _ := algo.FuzzyMatchV2(m.exact, m.plain, true, text, m.runes, false, m.slab)
	if r.Start < 0 {
		return noMatch, 0
	}
	return t, int32(r.Score)
}

// positions are the places of the needle's characters in text, in order, each
// counted in characters of form C.
func (m *matcher) positions(text []byte) []int {
	chars := m.chars(text)
	if _, ok := m.begins(&chars); ok {
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
