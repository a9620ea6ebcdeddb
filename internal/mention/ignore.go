package mention

import "strings"

// Bounds of ignore rules, which every name is held against.
const (
	maxIgnoreFile = 128 << 10 // bytes of one file that are read
	maxRules      = 4000      // on the way to one folder
)

// rule is a line of an ignore file (gitignore(5)).
type rule struct {
	elements []element
	again    bool // "!": what matches is not ignored
	folder   bool // matches folders only
	floating bool // matches a name at any depth
}

// rulesOf reads an ignore file. Lines that cannot match are left out.
func rulesOf(text string) []rule {
	var rules []rule
	text = strings.TrimPrefix(text, "\uFEFF")
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if r, ok := parseRule(trimSpaces(line)); ok {
			rules = append(rules, r)
		}
	}
	return rules
}

// trimSpaces takes the spaces off the end of a line that are not escaped.
func trimSpaces(line string) string {
	trimmed := strings.TrimRight(line, " ")
	backslashes := len(trimmed) - len(strings.TrimRight(trimmed, `\`))
	if backslashes%2 == 1 && len(trimmed) < len(line) {
		return trimmed + " "
	}
	return trimmed
}

func parseRule(line string) (r rule, ok bool) {
	line, r.again = strings.CutPrefix(line, "!")
	line, r.folder = strings.CutSuffix(line, "/")
	r.floating = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return r, false
	}
	if r.floating && strings.Trim(line, "*") == "" {
		line = "*"
	}
	for text := range strings.SplitSeq(line, "/") {
		e, ok := parseElement(text)
		if !ok {
			return r, false
		}
		r.elements = append(r.elements, e)
	}
	return r, true
}

// matches holds a path, relative to the rule's folder, against the rule.
func (r rule) matches(path []string, folder bool) bool {
	if r.folder && !folder {
		return false
	}
	if r.floating {
		return r.elements[0].matches(path[len(path)-1])
	}
	return matchPath(r.elements, path)
}

// matchPath needs to go back to the last "**" only: what stands between two of
// them fits best where it fits first.
func matchPath(pattern []element, path []string) bool {
	p, at := 0, 0
	afterStars, from := -1, 0
	for at < len(path) {
		switch {
		case p < len(pattern) && pattern[p].how == anyDirs:
			if p++; p == len(pattern) {
				return true
			}
			afterStars, from = p, at
		case p < len(pattern) && pattern[p].matches(path[at]):
			p++
			at++
		case afterStars >= 0:
			from++
			p, at = afterStars, from
		default:
			return false
		}
	}
	return p == len(pattern)
}

// level is the rules of one folder, and those of the folders above it.
type level struct {
	above *level
	depth int // path elements of the folder
	rules []rule
	total int // rules, above and here
}

// under adds a folder's rules. Those beyond maxRules do not count.
func (l *level) under(depth int, rules []rule) *level {
	total := 0
	if l != nil {
		total = l.total
	}
	rules = rules[:min(len(rules), maxRules-total)]
	if len(rules) == 0 {
		return l
	}
	return &level{l, depth, rules, total + len(rules)}
}

// ignores reports whether a path, from the workspace on, is ignored. The
// folders it is in are not looked at: they were asked about before. The last
// rule that matches counts, that of the nearest folder first.
func (l *level) ignores(path []string, folder bool) bool {
	for ; l != nil; l = l.above {
		for i := len(l.rules) - 1; i >= 0; i-- {
			if r := l.rules[i]; r.matches(path[l.depth:], folder) {
				return !r.again
			}
		}
	}
	return false
}
