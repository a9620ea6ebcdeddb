package markdown

import "bytes"

// escape writes text as HTML text, also fit for a quoted attribute. It makes
// the same choices as the allow-list's serialiser, so that text passes it
// unchanged.
func escape(b *bytes.Buffer, text []byte) {
	last := 0
	for i, c := range text {
		var s string
		switch c {
		case '&':
			s = "&amp;"
		case '<':
			s = "&lt;"
		case '>':
			s = "&gt;"
		case '"':
			s = "&#34;"
		case '\'':
			s = "&#39;"
		default:
			continue
		}
		b.Write(text[last:i])
		b.WriteString(s)
		last = i + 1
	}
	b.Write(text[last:])
}
