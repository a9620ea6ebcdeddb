package markdown

import "bytes"

// A fence is an open fenced code block at the start of a stream's open part.
// Nothing in it but its own end can change its meaning, so it is not parsed
// again: new lines are escaped and appended.
type fence struct {
	char     byte // ` or ~
	length   int  // of the opening run; the closing one is at least as long
	indent   int  // of the opening line, taken off every line
	language string
	lines    lines
	html     buffer // of the lines read
}

// openFence returns the fence that the first line of open starts, or nil. The
// line must be whole.
func openFence(open []byte) *fence {
	end := bytes.IndexByte(open, '\n')
	if end < 0 {
		return nil
	}
	indent, char, length, rest := fenceRun(open[:end])
	if length < 3 || char == '`' && bytes.IndexByte(rest, '`') >= 0 {
		return nil
	}
	info := string(bytes.TrimLeft(rest, " \t"))
	return &fence{char: char, length: length, indent: indent, language: languageOf(info), lines: lines{next: end + 1}}
}

// fenceRun reads up to three spaces and a run of one fence character.
func fenceRun(line []byte) (indent int, char byte, length int, rest []byte) {
	for indent < len(line) && indent < 4 && line[indent] == ' ' {
		indent++
	}
	rest = line[indent:]
	if indent > 3 || len(rest) == 0 || rest[0] != '`' && rest[0] != '~' {
		return indent, 0, 0, rest
	}
	char = rest[0]
	for length < len(rest) && rest[length] == char {
		length++
	}
	return indent, char, length, rest[length:]
}

// closes reports whether a line, without its line feed, ends the fence.
func (f *fence) closes(line []byte) bool {
	_, char, length, rest := fenceRun(line)
	return char == f.char && length >= f.length && len(bytes.TrimRight(rest, " \t")) == 0
}

// scan reads the whole lines that are new in open. It returns the offset after
// the closing line, or -1 while there is none. Of an open part of more than
// shown bytes no tail is made.
func (f *fence) scan(open []byte, shown int) int {
	for {
		line, _, ok := f.lines.read(open)
		if !ok {
			return -1
		}
		if f.closes(line) {
			return f.lines.next
		}
		if len(open) <= shown {
			escape(&f.html.Buffer, f.dedent(line))
			f.html.WriteByte('\n')
		}
	}
}

// tail renders the block as it stands. The beginning of what may become the
// closing line is left out.
func (f *fence) tail(open []byte) string {
	w := newWriter(nil, nil)
	defer w.free()
	w.codeStart(f.language)
	w.out.Write(f.html.Bytes())
	line := open[f.lines.next:]
	if _, char, _, rest := fenceRun(line); char != f.char || len(rest) > 0 {
		escape(&w.out.Buffer, f.dedent(line))
	}
	w.str(codeEnd)
	return w.out.String()
}

func (f *fence) dedent(line []byte) []byte {
	for i := 0; i < f.indent && len(line) > 0 && line[0] == ' '; i++ {
		line = line[1:]
	}
	return line
}
