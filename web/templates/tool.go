package templates

import (
	"strings"

	"webshell/internal/session"
)

// toolStateKey is the locales' key of a tool call's state.
func toolStateKey(v View, status string) string {
	if key := "tool." + status; statusKnown(status) && v.P.Has(key) {
		return key
	}
	return "tool.unknown"
}

func statusKnown(status string) bool {
	switch status {
	case session.ToolPending, session.ToolInProgress, session.ToolCompleted,
		session.ToolFailed, session.ToolCancelled:
		return true
	}
	return false
}

// toolTitle is what a call is named by: its title, else its kind.
func toolTitle(v View, call session.ToolCall) string {
	for _, s := range []string{call.Title, call.ToolKind} {
		if t := preview(s); t != "" {
			return t
		}
	}
	return v.P.T("tool.untitled")
}

// toolElapsed is how long a call took, or "" while it goes on.
func toolElapsed(v View, n *session.ToolNode) string {
	if n.EndedAt.IsZero() || n.At.IsZero() {
		return ""
	}
	return v.P.Elapsed(n.EndedAt.Sub(n.At))
}

// changesFiles tells a call whose text is a list of added and removed lines.
func changesFiles(n *session.ToolNode) bool { return n.Call.ToolKind == "edit" && n.Text != "" }

// diffLine is a line of a change. Sign is '+', '-' or 0 for neither.
type diffLine struct {
	Sign byte
	Text string // with its line break
}

func diffLines(text string) []diffLine {
	var lines []diffLine
	for line := range strings.Lines(text) {
		l := diffLine{Text: line}
		if line[0] == '+' || line[0] == '-' {
			l.Sign = line[0]
		}
		lines = append(lines, l)
	}
	return lines
}
