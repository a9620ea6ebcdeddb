package mention

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape writes a path as a shell user would: a backslash before each white
// space (unicode.IsSpace) and each backslash. All else stands for itself.
func Escape(path string) string {
	if strings.IndexFunc(path, special) < 0 {
		return path
	}
	var out strings.Builder
	for at, r := range path {
		if special(r) {
			out.WriteByte('\\')
		}
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(path[at:]) // a byte that is no UTF-8 is passed on
		}
		out.WriteString(path[at : at+size])
	}
	return out.String()
}

func special(r rune) bool { return r == '\\' || unicode.IsSpace(r) }

// Unescape undoes Escape, and what else people escape out of habit: a backslash
// gives the character after it. At the end a single one stands for itself.
func Unescape(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		out = append(out, text[i])
	}
	return string(out)
}
