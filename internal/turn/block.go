package turn

import (
	"strings"
	"unicode/utf8"

	"webshell/internal/session"
)

// maxBlock is the most text of one block, in bytes. A longer one is closed and
// the next one opened; the text goes on there.
const maxBlock = 4 << 20

// block is the open block: what was streamed of one kind since it opened.
// The text is appended to and sliced, never put together again, so that a
// piece costs the same however long the block is.
type block struct {
	kind    session.Kind
	number  int
	text    strings.Builder
	sent    int    // bytes of text that are stored as pieces
	pieces  int    // how many pieces that took
	partial []byte // the start of a rune whose rest has not come yet
}

// add takes as much of s as the block has room for and returns the rest. What
// it keeps is valid UTF-8 without NUL; a rune split between calls is joined.
func (b *block) add(s string) (rest string) {
	// At least a byte: where a broken rune stands at the limit, what comes next
	// decides what becomes of it.
	end := runeEnd(s, max(maxBlock-b.text.Len(), 1))
	s, rest = s[:end], s[end:]
	if len(b.partial) > 0 {
		s = string(b.partial) + s
	}
	whole := wholeRunes(s)
	b.partial = append(b.partial[:0], s[whole:]...)
	b.text.WriteString(cleanText(s[:whole]))
	return rest
}

// full reports whether the block is to be closed before more is added.
func (b *block) full() bool { return b.text.Len() >= maxBlock && len(b.partial) == 0 }

// unsent is the text that no piece holds yet.
func (b *block) unsent() string { return b.text.String()[b.sent:] }

// piece is the next part to store; stored is called once it is.
func (b *block) piece(turnID string) session.Piece {
	return session.Piece{Turn: turnID, Block: b.number, N: b.pieces + 1, Kind: b.kind, Text: b.unsent()}
}

func (b *block) stored(p session.Piece) {
	b.pieces = p.N
	b.sent += len(p.Text)
}

// close is the event that holds the whole block. A rune that never came whole
// is shown as broken.
func (b *block) close(turnID string) session.Event {
	b.text.WriteString(cleanText(string(b.partial)))
	b.partial = nil
	return session.BlockEvent(session.Piece{Turn: turnID, Block: b.number, Kind: b.kind}, b.text.String())
}

// runeEnd is where to cut s so that at most limit bytes stand before it, or a
// few more to keep a rune whole.
func runeEnd(s string, limit int) int {
	end := limit
	for range utf8.UTFMax - 1 {
		if end >= len(s) || utf8.RuneStart(s[end]) {
			break
		}
		end++
	}
	return min(end, len(s))
}

// wholeRunes is the length of s without a rune that is cut off at its end.
func wholeRunes(s string) int {
	for start := len(s) - 1; start >= 0 && start > len(s)-utf8.UTFMax; start-- {
		if utf8.RuneStart(s[start]) {
			if !utf8.FullRuneInString(s[start:]) {
				return start
			}
			break
		}
	}
	return len(s)
}

// cleanText replaces NUL, which Postgres cannot store, and each byte that is
// no UTF-8, by U+FFFD.
func cleanText(s string) string {
	if utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + utf8.UTFMax)
	for _, r := range s { // a broken byte ranges as U+FFFD
		if r == 0 {
			r = utf8.RuneError
		}
		b.WriteRune(r)
	}
	return b.String()
}
