package templates

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"
)

// shownRunes bounds what a row shows of a tool's or a producer's text, in
// characters. The log holds all of it.
const shownRunes = 20_000

// shownText is text cut to what a row shows. Left counts the characters cut.
type shownText struct {
	Text string
	Left int
}

func bounded(text string) shownText { return boundedTo(text, shownRunes) }

func boundedTo(text string, limit int) shownText {
	if len(text) <= limit {
		return shownText{Text: visible(text)}
	}
	n := 0
	for i := range text {
		if n == limit {
			return shownText{Text: visible(text[:i]), Left: utf8.RuneCountInString(text[i:])}
		}
		n++
	}
	return shownText{Text: visible(text)}
}

// shortRunes bounds a name that stands in a line of words.
const shortRunes = 1024

// short is a name as a line of words shows it: a log from elsewhere may hold
// one of any length.
func short(name string) string {
	cut := boundedTo(name, shortRunes)
	if cut.Left > 0 {
		return cut.Text + "…"
	}
	return cut.Text
}

// boundedJSON is a JSON value laid out for reading, then bounded. A string is
// shown as the text it is; what is no JSON, as it is written.
func boundedJSON(raw json.RawMessage) shownText {
	var s string
	if json.Unmarshal(raw, &s) == nil && !isNull(raw) {
		return bounded(s)
	}
	// Laying out what will be cut anyway would cost more than it shows.
	if len(raw) > 4*shownRunes {
		return bounded(string(raw))
	}
	var out bytes.Buffer
	if json.Indent(&out, raw, "", "  ") != nil {
		return bounded(string(raw))
	}
	return bounded(out.String())
}

// isNull reports a value that says nothing: absent or null.
func isNull(raw json.RawMessage) bool {
	trimmed := bytes.TrimSpace(raw)
	return len(trimmed) == 0 || bytes.Equal(trimmed, []byte("null"))
}

// previewRunes bounds the one line that stands for a text.
const (
	previewRunes    = 160
	maxPreviewBytes = 4 * 4 * previewRunes // read of a line, however long it is
)

// preview is a text's first line with anything on it, white space folded.
func preview(text string) string {
	for line := range strings.Lines(text) {
		line = strings.ToValidUTF8(line[:min(len(line), maxPreviewBytes)], "")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		runes := []rune(strings.Join(words, " "))
		if len(runes) > previewRunes {
			return visible(string(runes[:previewRunes])) + "…"
		}
		return visible(string(runes))
	}
	return ""
}

// stamp is a time as the datetime attribute wants it.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
