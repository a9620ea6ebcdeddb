package mention

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/junegunn/fzf/src/algo"
	"golang.org/x/text/unicode/norm"
)

// query is what a person typed after the @, understood.
type query struct {
	text   string // unescaped
	dir    string // up to and with the last slash; ""
	last   string // after it
	hidden bool   // an element begins with a dot: hidden names are asked for
}

// parseQuery understands what was typed, escaped or not. A single backslash at
// the end is an escape whose character is still to come.
func parseQuery(typed string) query {
	if backslashes := len(typed) - len(strings.TrimRight(typed, `\`)); backslashes%2 == 1 {
		typed = typed[:len(typed)-1]
	}
	text := Unescape(typed)
	for strings.HasPrefix(text, "./") {
		text = text[2:]
	}
	cut := strings.LastIndexByte(text, '/') + 1
	return query{text: text, dir: text[:cut], last: text[cut:], hidden: hasHidden(text)}
}

// needle is text to be found, as the matcher takes it.
type needle struct {
	runes []rune
	// exact asks for the case as it is: smart case, as there is an upper-case
	// letter in the text.
	exact bool
	// plain lets letters with accents stand for those without, as there is no
	// accent in the text.
	plain bool
}

// reach tells how many of the needle's characters, from one on, text holds in
// their order, at most: it is quick, and what it calls a match may be none.
func (n *needle) reach(text []byte, from int) int {
	for i := 0; i < len(text) && from < len(n.runes); {
		r, size := rune(text[i]), 1
		switch {
		case r >= utf8.RuneSelf:
			r, size = utf8.DecodeRune(text[i:])
			// Letters with cases and accents may stand for another one.
			if r == n.runes[from] || !caseless(r) {
				from++
			}
		case r == n.runes[from] || !n.exact && 'A' <= r && r <= 'Z' && r+'a'-'A' == n.runes[from]:
			from++
		}
		i += size
	}
	return from
}

// caseless tells the characters of East Asian scripts that stand for nothing
// but themselves: CJK symbols and ideographs, kana, Hangul syllables.
func caseless(r rune) bool { return 0x3000 <= r && r <= 0x9FFF || 0xAC00 <= r && r <= 0xD7A3 }

func newNeedle(text string) needle {
	n := needle{runes: []rune(norm.NFC.String(text)), exact: strings.IndexFunc(text, unicode.IsUpper) >= 0}
	if !n.exact {
		for i, r := range n.runes {
			n.runes[i] = unicode.ToLower(r)
		}
	}
	n.plain = string(algo.NormalizeRunes(n.runes)) == string(n.runes)
	return n
}
