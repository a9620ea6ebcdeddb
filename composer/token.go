package composer

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxOffsetDigits keeps an offset far below 2³¹.
const maxOffsetDigits = 9

// string returns the decoded text of a JSON string. A lone surrogate, which
// only an escape can spell, becomes U+FFFD.
func (t token) string() (string, bool) {
	if t.kind != stringToken {
		return "", false
	}
	if !t.escaped {
		return t.literal, true
	}
	return unescape(t.literal), true
}

// offset returns a number spelled 0 or [1-9][0-9]{0,8}. It is judged by its
// literal: -0, 1.0 and 1e2 are no offsets.
func (t token) offset() (int, bool) {
	if t.kind != numberToken || len(t.literal) > maxOffsetDigits {
		return 0, false
	}
	for i := range len(t.literal) {
		if c := t.literal[i]; c < '0' || c > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(t.literal)
	return n, err == nil
}

// strings returns a list of strings only, each usable as an optional field.
func (t token) strings() ([]string, bool) {
	if t.kind != listToken {
		return nil, false
	}
	all := []string{}
	s := scanner{source: t.literal, pos: 1}
	for first := true; s.more(']', first); first = false {
		item, ok := s.value(MaxDepth)
		if !ok {
			return nil, false
		}
		text, ok := item.string()
		if !ok || hasNUL(text) || longer(text, maxValue) {
			return nil, false
		}
		all = append(all, text)
	}
	return all, true
}

// list reads a JSON list that is the whole of source. It returns the first
// MaxEntries entries and how many there are in all; ok is false where source is
// not JSON, no list, or nested deeper than MaxDepth.
func list(source string) (entries []token, total int, ok bool) {
	s := scanner{source: source}
	if !utf8.ValidString(source) || !s.take('[') {
		return nil, 0, false
	}
	entries = make([]token, 0, 8)
	for first := true; s.more(']', first); first = false {
		entry, ok := s.value(MaxDepth - 1)
		if !ok {
			return nil, 0, false
		}
		if total++; total <= MaxEntries {
			entries = append(entries, entry)
		}
	}
	if !s.take(']') {
		return nil, 0, false
	}
	s.space()
	return entries, total, s.pos == len(source)
}

// unescape decodes what is between the quotes of a valid JSON string.
func unescape(literal string) string {
	var out strings.Builder
	out.Grow(len(literal))
	for {
		i := strings.IndexByte(literal, '\\')
		if i < 0 {
			out.WriteString(literal)
			return out.String()
		}
		out.WriteString(literal[:i])
		r, size := unescapeOne(literal[i:])
		out.WriteRune(r)
		literal = literal[i+size:]
	}
}

// unescapeOne decodes the escape that s begins with, and its length in bytes.
func unescapeOne(s string) (r rune, size int) {
	switch s[1] {
	case 'u':
		return unescapeUnicode(s)
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	default:
		return rune(s[1]), 2
	}
}

func unescapeUnicode(s string) (r rune, size int) {
	r, _ = hex4(s[2:])
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if strings.HasPrefix(s[6:], `\u`) {
		low, _ := hex4(s[8:])
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

// hex4 reads the four hexadecimal digits that s begins with.
func hex4(s string) (r rune, ok bool) {
	if len(s) < 4 {
		return 0, false
	}
	for i := range 4 {
		c := s[i]
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
