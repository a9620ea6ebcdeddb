package composer

import (
	"strconv"
	"unicode/utf8"
)

// Encode returns annotations as compact JSON to be stored; none gives "[]".
// Nothing is escaped for HTML. The result is always valid UTF-8 and free of
// \u0000, which Postgres jsonb refuses: what Sanitize and Build return comes
// back unchanged from ReadStored, and bad bytes or NUL in other values become
// U+FFFD.
func Encode(annotations []Annotation) []byte {
	out := make([]byte, 0, 2+192*len(annotations))
	out = append(out, '[')
	for i := range annotations {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendAnnotation(out, &annotations[i])
	}
	return append(out, ']')
}

func appendAnnotation(out []byte, a *Annotation) []byte {
	out = appendString(append(out, `{"type":`...), a.Type)
	out = strconv.AppendInt(append(out, `,"start":`...), int64(a.Start), 10)
	out = strconv.AppendInt(append(out, `,"end":`...), int64(a.End), 10)
	out = appendString(append(out, `,"text":`...), a.Text)
	if a.Reference != nil {
		out = appendReference(append(out, `,"reference":`...), a.Reference)
	}
	if a.Command != nil {
		out = appendCommand(append(out, `,"command":`...), a.Command)
	}
	out = appendList(out, `,"subcommandPath":`, a.SubcommandPath)
	return append(out, '}')
}

func appendReference(out []byte, r *Reference) []byte {
	out = appendString(append(out, `{"id":`...), r.ID)
	out = appendField(out, `,"kind":`, r.Kind)
	out = appendField(out, `,"label":`, r.Label)
	out = appendField(out, `,"value":`, r.Value)
	out = appendField(out, `,"serialized":`, r.Serialized)
	if r.Removable != nil {
		out = strconv.AppendBool(append(out, `,"removable":`...), *r.Removable)
	}
	return append(out, '}')
}

func appendCommand(out []byte, c *Command) []byte {
	out = appendString(append(out, `{"name":`...), c.Name)
	out = appendField(out, `,"description":`, c.Description)
	out = appendField(out, `,"argumentHint":`, c.ArgumentHint)
	out = appendField(out, `,"source":`, c.Source)
	out = appendField(out, `,"displayCategory":`, c.DisplayCategory)
	out = appendList(out, `,"subcommands":`, c.Subcommands)
	return append(out, '}')
}

func appendField(out []byte, key string, value *string) []byte {
	if value == nil {
		return out
	}
	return appendString(append(out, key...), *value)
}

func appendList(out []byte, key string, values []string) []byte {
	if values == nil {
		return out
	}
	out = append(append(out, key...), '[')
	for i, v := range values {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendString(out, v)
	}
	return append(out, ']')
}

func appendString(out []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	out = append(out, '"')
	plain := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		out = append(out, s[plain:i]...)
		out = appendEscape(out, c)
		plain = i + 1
	}
	return append(append(out, s[plain:]...), '"')
}

func appendEscape(out []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(out, '\\', c)
	case '\b':
		return append(out, `\b`...)
	case '\f':
		return append(out, `\f`...)
	case '\n':
		return append(out, `\n`...)
	case '\r':
		return append(out, `\r`...)
	case '\t':
		return append(out, `\t`...)
	case 0:
		return append(out, "\uFFFD"...)
	default:
		const hex = "0123456789abcdef"
		return append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xF])
	}
}
