package composer

import "strings"

// A strict reader of JSON (RFC 8259). encoding/json is not used for what comes
// from outside: it matches keys without regard to case, lets the last of two
// equal keys win and repairs invalid UTF-8.

type tokenKind uint8

const (
	absent tokenKind = iota
	nullToken
	trueToken
	falseToken
	numberToken
	stringToken
	listToken
	objectToken
)

// token is one JSON value as it stands in the source.
type token struct {
	// literal is the source of the value; of a string, what is between the quotes.
	literal string
	kind    tokenKind
	escaped bool // a string with backslashes
}

// scanner reads values one after another. Its source must be valid UTF-8.
type scanner struct {
	source string
	pos    int
}

func (s *scanner) space() {
	for s.pos < len(s.source) {
		switch s.source[s.pos] {
		case ' ', '\n', '\t', '\r':
			s.pos++
		default:
			return
		}
	}
}

// peek returns the next byte after white space, or 0 at the end.
func (s *scanner) peek() byte {
	s.space()
	if s.pos == len(s.source) {
		return 0
	}
	return s.source[s.pos]
}

// take steps over c, the next byte after white space.
func (s *scanner) take(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.pos++
	return true
}

// value reads one value that may nest lists and objects levels deep.
func (s *scanner) value(levels int) (token, bool) {
	switch c := s.peek(); c {
	case '"':
		return s.text()
	case '[', '{':
		return s.nested(levels, c == '{')
	case 'n':
		return s.word("null", nullToken)
	case 't':
		return s.word("true", trueToken)
	case 'f':
		return s.word("false", falseToken)
	default:
		return s.number()
	}
}

func (s *scanner) word(word string, kind tokenKind) (token, bool) {
	if !strings.HasPrefix(s.source[s.pos:], word) {
		return token{}, false
	}
	s.pos += len(word)
	return token{literal: word, kind: kind}, true
}

func (s *scanner) nested(levels int, object bool) (token, bool) {
	if levels == 0 {
		return token{}, false
	}
	open := s.pos
	s.pos++
	kind, end := listToken, byte(']')
	if object {
		kind, end = objectToken, '}'
	}
	for first := true; s.more(end, first); first = false {
		if object {
			if _, ok := s.key(); !ok {
				return token{}, false
			}
		}
		if _, ok := s.value(levels - 1); !ok {
			return token{}, false
		}
	}
	if !s.take(end) {
		return token{}, false
	}
	return token{literal: s.source[open:s.pos], kind: kind}, true
}

// more reports whether another member stands before the end of a list or an
// object, and steps over the comma in front of it. What stands at the end is
// left to the caller to take, and so is every fault.
func (s *scanner) more(end byte, first bool) bool {
	if first {
		return s.peek() != end
	}
	return s.take(',')
}

// key reads a member's name and the colon after it.
func (s *scanner) key() (token, bool) {
	if s.peek() != '"' {
		return token{}, false
	}
	name, ok := s.text()
	return name, ok && s.take(':')
}

func (s *scanner) text() (token, bool) {
	s.pos++
	start, escaped := s.pos, false
	for s.pos < len(s.source) {
		switch c := s.source[s.pos]; {
		case c == '"':
			t := token{literal: s.source[start:s.pos], kind: stringToken, escaped: escaped}
			s.pos++
			return t, true
		case c == '\\':
			escaped = true
			if !s.escape() {
				return token{}, false
			}
		case c < ' ':
			return token{}, false
		default:
			s.pos++
		}
	}
	return token{}, false
}

// escape steps over a backslash and what belongs to it.
func (s *scanner) escape() bool {
	rest := s.source[s.pos+1:]
	switch {
	case rest == "":
		return false
	case rest[0] == 'u':
		if _, ok := hex4(rest[1:]); !ok {
			return false
		}
		s.pos += 6
		return true
	default:
		s.pos += 2
		return strings.IndexByte(`"\/bfnrt`, rest[0]) >= 0
	}
}

// number reads -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
func (s *scanner) number() (token, bool) {
	start := s.pos
	s.skip('-')
	if !s.skip('0') && !s.digits() {
		return token{}, false
	}
	if s.skip('.') && !s.digits() {
		return token{}, false
	}
	if s.skip('e') || s.skip('E') {
		if !s.skip('+') {
			s.skip('-')
		}
		if !s.digits() {
			return token{}, false
		}
	}
	return token{literal: s.source[start:s.pos], kind: numberToken}, true
}

func (s *scanner) skip(c byte) bool {
	if s.pos < len(s.source) && s.source[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

func (s *scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.source) && '0' <= s.source[s.pos] && s.source[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > start
}
