package templates

import (
	"strings"

	"webshell/internal/session"
)

// titleOf is a session's title as it is shown.
func titleOf(v View, title string) string {
	if strings.TrimSpace(title) == "" {
		return v.P.T("nav.untitled")
	}
	return visible(title)
}

// agentLine names the agent and its model, as far as they are known.
func agentLine(s Session) string {
	switch {
	case s.Agent == "":
		return visible(s.Model)
	case s.Model == "":
		return visible(s.Agent)
	}
	return visible(s.Agent) + " · " + visible(s.Model)
}

// Seconds after which the watch view loads itself again.
const (
	refreshRunning = 2
	refreshIdle    = 10
)

// refresh is when a session's page loads itself again, in seconds; 0 is never.
func (s Session) refresh() int {
	switch {
	case !s.Watch:
		return 0
	case s.Composer.Running:
		return refreshRunning
	}
	return refreshIdle
}

// running tells a session whose answer is being written. A question that waits
// for the person says so itself.
func (s Session) running() bool {
	if !s.Composer.Running {
		return false
	}
	for _, n := range s.Rows {
		if p, ok := n.(*session.PermissionNode); ok && p.Outcome == "" {
			return false
		}
	}
	return true
}

// readOnly is the view without the transcript's forms.
func (v View) readOnly() View {
	v.ReadOnly = true
	return v
}
