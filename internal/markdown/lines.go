package markdown

import "bytes"

// lines reads the whole lines of a text that is still growing. However the text
// grows, each byte is looked at once.
type lines struct {
	next int // offset of the first line that has not been read
	seen int // offset up to which there is no line end after next
}

// read returns the next line without its line feed, and its offset. It reports
// false if there is no whole line.
func (l *lines) read(text []byte) (line []byte, at int, ok bool) {
	from := max(l.next, l.seen)
	n := bytes.IndexByte(text[from:], '\n')
	if n < 0 {
		l.seen = len(text)
		return nil, 0, false
	}
	line, at = text[l.next:from+n], l.next
	l.next = from + n + 1
	return line, at, true
}
