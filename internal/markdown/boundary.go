package markdown

import "bytes"

// boundary looks for the line at which the block that open starts with has
// certainly ended, without parsing: a line that follows a blank one and cannot
// belong to the block, or a fence at the margin. It reads the lines l has not
// read and returns that line's offset, or 0.
//
// It serves blocks too long to be parsed at every piece. Where it sees an end
// that the parser would not, the streamed state differs from the final one.
func boundary(open []byte, l *lines) (end int) {
	contained := isContainer(open)
	for {
		line, at, ok := l.read(open)
		if !ok {
			return 0
		}
		if at > 0 && endsBlock(line, contained, afterBlank(open, at)) {
			return at
		}
	}
}

func endsBlock(line []byte, contained, afterBlank bool) bool {
	text := bytes.TrimLeft(line, " \t")
	if len(text) == 0 {
		return false
	}
	indent, _, run, _ := fenceRun(line)
	if run >= 3 && (indent < 2 || !contained) {
		return true
	}
	if !afterBlank {
		return false
	}
	if contained {
		return len(text) == len(line) && !isContainer(line)
	}
	return len(line)-len(text) < 4 && line[0] != '\t'
}

// afterBlank reports whether the line before the one at offset at is blank.
func afterBlank(open []byte, at int) bool {
	before := bytes.TrimRight(open[:at], " \t")
	before = bytes.TrimSuffix(before, []byte{'\n'})
	before = bytes.TrimRight(before, " \t")
	return len(before) == 0 || before[len(before)-1] == '\n'
}

// isContainer reports whether line starts like a list item or a quote.
func isContainer(line []byte) bool {
	line = bytes.TrimLeft(line, " ")
	if len(line) == 0 {
		return false
	}
	i := 0
	switch c := line[0]; {
	case c == '>':
		return true
	case c == '-' || c == '*' || c == '+':
		i = 1
	default:
		for i < len(line) && i < 9 && line[i] >= '0' && line[i] <= '9' {
			i++
		}
		if i == 0 || i == len(line) || line[i] != '.' && line[i] != ')' {
			return false
		}
		i++
	}
	return i == len(line) || line[i] == ' ' || line[i] == '\t' || line[i] == '\n'
}
