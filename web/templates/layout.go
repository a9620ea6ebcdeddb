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

// BarView is what the line above a conversation says. Agent, Mode and Model may
// be "".
type BarView struct{ Title, Agent, Mode, Model string }

// agentLine names the agent and its model, as far as they are known.
func (b BarView) agentLine() string {
	switch {
	case b.Agent == "":
		return visible(b.Model)
	case b.Model == "":
		return visible(b.Agent)
	}
	return visible(b.Agent) + " · " + visible(b.Model)
}

func (s Session) bar() BarView {
	return BarView{Title: s.Title, Agent: s.Agent, Mode: s.Mode, Model: s.Model}
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

func (s Session) running() bool { return Writing(s.Composer.Running, s.Rows) }

// Writing tells a session whose answer is being written: its turn runs, and no
// question among its rows waits for the person, which says so itself.
func Writing(running bool, rows []session.Node) bool {
	if !running {
		return false
	}
	for _, n := range rows {
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
