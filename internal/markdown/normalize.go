package markdown

import (
	"strings"
	"unicode/utf8"
)

const replacement = "\uFFFD"

// A normalizer makes text the parser can rely on: valid UTF-8, no NUL, LF as
// the only line end. It takes the text in pieces cut anywhere and gives the
// same result however it is cut.
type normalizer struct {
	partial []byte // first bytes of a rune whose rest has not come yet
	cr      bool   // the last byte was CR, already written as LF
}

// append adds the normalised piece to dst. Up to three bytes are held back
// until the piece that completes their rune.
func (n *normalizer) append(dst []byte, piece string) []byte {
	if len(n.partial) > 0 {
		piece = string(n.partial) + piece
		n.partial = n.partial[:0]
	}
	for len(piece) > 0 {
		i := strings.IndexFunc(piece, needsCare)
		if i < 0 {
			n.cr = false
			return append(dst, piece...)
		}
		if i > 0 {
			n.cr = false
			dst, piece = append(dst, piece[:i]...), piece[i:]
		}
		switch piece[0] {
		case '\n':
			if !n.cr {
				dst = append(dst, '\n')
			}
			n.cr = false
			piece = piece[1:]
			continue
		case '\r':
			dst = append(dst, '\n')
			n.cr = true
			piece = piece[1:]
			continue
		}
		n.cr = false
		r, size := utf8.DecodeRuneInString(piece)
		switch {
		case r == 0 || (r == utf8.RuneError && size == 1 && utf8.FullRuneInString(piece)):
			dst = append(dst, replacement...)
		case r == utf8.RuneError && size == 1:
			n.partial = append(n.partial, piece...)
			return dst
		default: // a U+FFFD of the text's own
			dst = append(dst, piece[:size]...)
		}
		piece = piece[size:]
	}
	return dst
}

// flush adds what was held back: bytes of a rune that never became whole.
func (n *normalizer) flush(dst []byte) []byte {
	for range n.partial {
		dst = append(dst, replacement...)
	}
	n.partial = n.partial[:0]
	n.cr = false
	return dst
}

func needsCare(r rune) bool {
	return r == '\n' || r == '\r' || r == 0 || r == utf8.RuneError
}
