package handlers_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"webshell/internal/session"
)

// TestARecallNamesItsSessionUnderTheMessage: live, on the page, and on the page
// before where the log is cut right between message and recall.
func TestARecallNamesItsSessionUnderTheMessage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	turn := s.turn(id, "go on") // events 1 and 2
	r := s.follow(id, "2")
	s.append(turn, session.Event{
		Source:  json.RawMessage(`{"kind":"session-reference","references":[{"label":"Plan"}]}`),
		Content: "what was said", Payload: session.ContextMessage{},
	})
	const caption = "Recalled session: Plan"
	if bubble := r.row(); !strings.Contains(bubble.data, caption) || !strings.Contains(bubble.data, "go on") {
		t.Errorf("live, the message became %s", bubble.data)
	}
	if page := s.request("GET", "/sessions/"+id, "", "", acceptHTML).body; !strings.Contains(page, caption) {
		t.Error("the page does not name the session")
	}

	// The recall is the first of 200 rows, at which a turn's page is cut.
	calls := make([]session.Event, 199)
	for i := range calls {
		calls[i] = session.Event{Payload: session.ToolCall{ToolCallID: strconv.Itoa(i), Status: session.ToolCompleted}}
	}
	s.append(turn, calls...)
	if page := s.request("GET", "/sessions/"+id, "", "", acceptHTML).body; !strings.Contains(page, "before=3") || strings.Contains(page, caption) {
		t.Fatal("the page is not cut between message and recall")
	}
	if older := s.request("GET", "/sessions/"+id+"?before=3", "", "", acceptHTML).body; !strings.Contains(older, caption) {
		t.Error("the page before does not name the session")
	}
}
