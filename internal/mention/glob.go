package mention

import (
	"path"
	"strings"
	"unicode/utf8"
)

// element is one element of an ignore pattern, between slashes.
type element struct {
	text string
	how  how
}

type how uint8

const (
	literal how = iota
	suffix      // "*" and a literal
	glob        // a pattern of path.Match
	anyDirs     // "**": any number of elements, none too
)

// parseElement reads an element. It reports false for one that can match
// nothing: an unfinished class or escape.
func parseElement(text string) (element, bool) {
	switch rest := strings.TrimLeft(text, "*"); {
	case rest == "" && len(text) > 1: // Git takes more than two as two
		return element{how: anyDirs}, true
	case strings.ContainsAny(rest, `*?[\`):
		pattern, ok := translate(text)
		return element{pattern, glob}, ok
	case rest != text:
		return element{rest, suffix}, true
	}
	return element{text, literal}, true
}

func (e element) matches(name string) bool {
	switch e.how {
	case literal:
		return e.text == name
	case suffix:
		return strings.HasSuffix(name, e.text)
	case glob:
		ok, err := path.Match(e.text, name)
		return ok && err == nil
	}
	return true
}

// translate turns the patterns of gitignore(5) into those of path.Match, which
// has the same stars and escapes and other classes.
func translate(text string) (string, bool) {
	var out strings.Builder
	for text != "" {
		switch text[0] {
		case '\\':
			_, size := utf8.DecodeRuneInString(text[1:])
			if size == 0 {
				return "", false
			}
			out.WriteString(text[:1+size])
			text = text[1+size:]
		case '[':
			rest, ok := translateClass(&out, text[1:])
			if !ok {
				return "", false
			}
			text = rest
		default:
			out.WriteByte(text[0])
			text = text[1:]
		}
	}
	return out.String(), true
}

// translateClass writes the class that begins text, after its bracket, and
// returns what follows it. A "]" at its beginning is one of its characters; a
// "-" at either end too.
func translateClass(out *strings.Builder, text string) (rest string, ok bool) {
	out.WriteByte('[')
	if text != "" && (text[0] == '!' || text[0] == '^') {
		out.WriteByte('^')
		text = text[1:]
	}
	for first := true; first || text == "" || text[0] != ']'; first = false {
		if named, after, found := namedClass(text); found {
			if named == "" {
				return "", false
			}
			out.WriteString(named)
			text = after
			continue
		}
		from, after, ok := classRune(text)
		if !ok {
			return "", false
		}
		to := from
		if strings.HasPrefix(after, "-") && !strings.HasPrefix(after, "-]") {
			if to, after, ok = classRune(after[1:]); !ok {
				return "", false
			}
		}
		out.WriteString(`\` + string(from) + `-\` + string(to))
		text = after
	}
	out.WriteByte(']')
	return text[1:], true
}

// classRune reads one character of a class, escaped or not.
func classRune(text string) (r rune, rest string, ok bool) {
	text = strings.TrimPrefix(text, `\`)
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 || r == utf8.RuneError {
		return 0, "", false
	}
	return r, text[size:], true
}

// namedClass reads a class like [:alpha:]. ranges is empty for a name that is
// none, with which a pattern matches nothing.
func namedClass(text string) (ranges, rest string, found bool) {
	inner, found := strings.CutPrefix(text, "[:")
	if !found {
		return "", "", false
	}
	name, rest, found := strings.Cut(inner, "]")
	name, closed := strings.CutSuffix(name, ":")
	if !found || !closed {
		return "", "", false
	}
	return named[name], rest, true
}

// named are the classes of POSIX in ASCII, as path.Match takes them.
var named = map[string]string{
	"alnum":  `0-9A-Za-z`,
	"alpha":  `A-Za-z`,
	"blank":  "\\ -\\ \t-\t",
	"cntrl":  "\x00-\x1f\x7f-\x7f",
	"digit":  `0-9`,
	"graph":  `\!-\~`,
	"lower":  `a-z`,
	"print":  `\ -\~`,
	"punct":  "\\!-/:-@\\[-`\\{-\\~",
	"space":  "\\ -\\ \t-\r",
	"upper":  `A-Z`,
	"xdigit": `0-9A-Fa-f`,
}
