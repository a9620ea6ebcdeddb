package templates

import (
	"strings"

	"webshell/internal/session"
)

// answer is one button of a permission.
type answer struct {
	OptionID string
	Label    string
	Main     bool // the answer that gives least while letting the turn go on
}

// answersOf names the options so that no two read the same: where labels
// repeat, what the option does is added and, where that repeats too, its id.
func answersOf(v View, options []session.PermissionOption) []answer {
	answers := make([]answer, len(options))
	labels, both := map[string]int{}, map[string]int{}
	for _, o := range options {
		labels[labelOf(v, o)]++
		both[labelOf(v, o)+"\x00"+o.Kind]++
	}
	for i, o := range options {
		label := labelOf(v, o)
		name := label
		if labels[label] > 1 && o.Kind != "" {
			name += " (" + kindWords(v, o.Kind) + ")"
		}
		if both[label+"\x00"+o.Kind] > 1 {
			name += " [" + visible(o.OptionID) + "]"
		}
		answers[i] = answer{
			OptionID: o.OptionID,
			Label:    name,
			Main:     o.Kind == session.AllowOnce,
		}
	}
	return answers
}

// labelOf is the agent's label, else what the option does, else its id.
func labelOf(v View, o session.PermissionOption) string {
	if strings.TrimSpace(o.Label) != "" {
		return visible(o.Label)
	}
	if o.Kind != "" {
		return kindWords(v, o.Kind)
	}
	return visible(o.OptionID)
}

// kindWords says what an option of this kind does; an unknown kind speaks for
// itself.
func kindWords(v View, kind string) string {
	switch kind {
	case session.AllowOnce, session.AllowAlways, session.RejectOnce, session.RejectAlways:
		return v.P.T("permission." + kind)
	}
	return visible(kind)
}

// settled says how a permission was settled.
func settled(v View, n *session.PermissionNode) string {
	switch n.Outcome {
	case session.PermissionSelected:
		return v.P.T("permission.chosen", chosen(v, n))
	case session.PermissionCancelled:
		return v.P.T("permission.cancelled")
	}
	return v.P.T("permission.other", visible(n.Outcome))
}

// chosen names the selected option, by its id where the question lacks it.
func chosen(v View, n *session.PermissionNode) string {
	for _, a := range answersOf(v, n.Request.Options) {
		if a.OptionID == n.Option {
			return a.Label
		}
	}
	return visible(n.Option)
}

// permissionTitle is the agent's question, or ours where it gave none.
func permissionTitle(v View, n *session.PermissionNode) string {
	if strings.TrimSpace(n.Request.Title) != "" {
		return visible(n.Request.Title)
	}
	return v.P.T("permission.title")
}
