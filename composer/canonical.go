package composer

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// ErrNotUTF8 means bytes that are not UTF-8 (status 400). Repairing them would
// move every range after them.
var ErrNotUTF8 = errors.New("the text is not valid UTF-8: send it encoded as UTF-8")

// Canonical returns text in the form that every range counts in: NUL, which
// Postgres cannot store, becomes U+FFFD, one UTF-16 unit for one. Lone
// surrogates have no UTF-8 form: a JSON decoder has made them U+FFFD before,
// and bytes that spell one are refused as ErrNotUTF8. Nothing else changes.
func Canonical(text string) (string, error) {
	if !utf8.ValidString(text) {
		return "", ErrNotUTF8
	}
	return withoutNUL(text), nil
}

// CanonicalForm is Canonical for text of form-encoded and multipart bodies, where
// browsers send CRLF for each LF of a textarea: it turns CRLF back into LF. A CR
// alone stays.
func CanonicalForm(text string) (string, error) {
	return Canonical(strings.ReplaceAll(text, "\r\n", "\n"))
}

func withoutNUL(text string) string {
	return strings.ReplaceAll(text, "\x00", "\uFFFD")
}

func hasNUL(text string) bool {
	return strings.IndexByte(text, 0) >= 0
}

// blank reports whether text is empty or only unicode.IsSpace.
func blank(text string) bool {
	return strings.TrimSpace(text) == ""
}
