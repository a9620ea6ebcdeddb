package mention

import (
	"strings"
	"unicode"

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
