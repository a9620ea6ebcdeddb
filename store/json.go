package store

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Limits on JSON that comes from an agent or another log.
const (
	maxJSONDepth   = 64
	maxJSONNumber  = 32 // characters of a number's literal
	unreadableJSON = `{"unreadable":true}`
)

// storableText makes any string one that Postgres' text accepts: a NUL becomes
// U+FFFD, and so does a run of broken bytes. A person's text has neither by the
// time it gets here, so that its ranges hold.
func storableText(s string) string {
	if utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// storableJSON makes a document one that jsonb takes as it is meant: jsonb
// refuses \u0000 and lone surrogates, expands 1e100000 to 100 KB, and runs out
// of stack on deep nesting. Such strings get U+FFFD, such numbers become
// strings, and what lies deeper is left out.
func storableJSON(raw json.RawMessage) json.RawMessage {
	if plainJSON(raw) {
		return raw
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return json.RawMessage(unreadableJSON)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(storableValue(v, 1)); err != nil {
		return json.RawMessage(unreadableJSON)
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}

// plainJSON reports whether nothing in a document can be a problem: valid, no
// escape that may be a NUL or a surrogate, shallow, no long number.
func plainJSON(raw json.RawMessage) bool {
	if !json.Valid(raw) || !utf8.Valid(raw) || bytes.Contains(raw, []byte(`\u`)) {
		return false
	}
	depth, digits, inString := 0, 0, false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case inString:
			if c == '\\' {
				i++
			} else if c == '"' {
				inString = false
			}
			continue
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case (c == 'e' || c == 'E') && digits > 0:
			return false
		}
		if c >= '0' && c <= '9' || c == '.' {
			digits++
		} else {
			digits = 0
		}
		if depth > maxJSONDepth || digits > maxJSONNumber {
			return false
		}
	}
	return true
}

func storableValue(v any, depth int) any {
	if depth > maxJSONDepth {
		return "…"
	}
	switch v := v.(type) {
	case string:
		return storableText(v)
	case json.Number:
		if len(v) > maxJSONNumber || strings.ContainsAny(v.String(), "eE") {
			return v.String()
		}
		return v
	case []any:
		for i := range v {
			v[i] = storableValue(v[i], depth+1)
		}
		return v
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			out[storableText(key)] = storableValue(value, depth+1)
		}
		return out
	}
	return v
}
