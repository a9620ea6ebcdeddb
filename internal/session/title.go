package session

import (
	"strings"
	"unicode"
)

// titleRunes bounds a title made from a message.
const titleRunes = 60

// TitleFrom makes a title from a session's first message: its first line with
// anything on it, white space folded, cut at a word.
func TitleFrom(content string) string {
	for line := range strings.Lines(content) {
		if words := strings.Fields(line); len(words) > 0 {
			return cutAtWord(strings.Join(words, " "))
		}
	}
	return ""
}

func cutAtWord(line string) string {
	runes := []rune(line)
	if len(runes) <= titleRunes {
		return line
	}
	cut := titleRunes
	for i := cut; i > titleRunes/2; i-- {
		if unicode.IsSpace(runes[i]) {
			cut = i
			break
		}
	}
	return string(runes[:cut]) + "…"
}
