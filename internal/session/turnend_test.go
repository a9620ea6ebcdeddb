package session

import (
	"encoding/json"
	"testing"
)

func TestToolCall(t *testing.T) {
	t.Parallel()
	events := numbered(
		of(TurnStarted{Turn: "t"}),
		of(ToolCall{ToolCallID: "c", Title: "List", Status: ToolPending, Locations: []string{"a"}}),
		of(ToolUpdate{ToolCallID: "c", Status: ToolInProgress, Text: "one"}),
		of(ToolUpdate{ToolCallID: "c"}),
		of(ToolUpdate{ToolCallID: "c", Title: "Listed", Status: ToolCompleted, Text: "two", Output: json.RawMessage(`1`), Locations: []string{"b"}}),
	)
	s := Fold("", events[:4])
	n := row[*ToolNode](t, s, 0)
	if n.Call.Status != ToolInProgress || n.Text != "one" || n.Call.Title != "List" || !n.EndedAt.IsZero() || n.Call.Locations[0] != "a" {
		t.Errorf("while it runs: %+v", n)
	}
	s.Apply(events[4])
	if n.Call.Status != ToolCompleted || n.Text != "two" || n.Call.Title != "Listed" || !n.EndedAt.Equal(events[4].At) || string(n.Output) != "1" || n.Call.Locations[0] != "b" {
		t.Errorf("after it ended: %+v", n)
	}
	if len(s.Nodes) != 1 {
		t.Errorf("%d rows", len(s.Nodes))
	}
}

func TestUpdateWithoutItsCall(t *testing.T) {
	t.Parallel()
	s := Fold("", numbered(
		of(ToolUpdate{ToolCallID: "c", Status: ToolInProgress, Text: "one"}),
		of(ToolUpdate{ToolCallID: "c", Title: "Found", Status: ToolFailed}),
	))
	n := row[*ToolNode](t, s, 0)
	if n.Call.Title != "Found" || n.Text != "one" || n.Call.Status != ToolFailed || len(s.Nodes) != 1 {
		t.Errorf("row is %+v of %d", n, len(s.Nodes))
	}
}

func TestPermission(t *testing.T) {
	t.Parallel()
	ask := of(PermissionRequested{PermissionID: "p", Title: "Run", Options: []PermissionOption{{OptionID: "y", Label: "Yes", Kind: AllowOnce}}})
	answer := of(PermissionResolved{PermissionID: "p", Outcome: PermissionSelected, OptionID: "y"})
	s := Fold("", numbered(ask, answer))
	n := row[*PermissionNode](t, s, 0)
	if n.Outcome != PermissionSelected || n.Option != "y" || n.Request.Title != "Run" || len(s.Nodes) != 1 {
		t.Errorf("row is %+v of %d", n, len(s.Nodes))
	}
}

func TestTurnEndClosesWhatIsOpen(t *testing.T) {
	t.Parallel()
	s := Fold("", numbered(
		userEvent("r1", "go", ""),
		of(TurnStarted{Turn: "t"}),
		of(ToolCall{ToolCallID: "done", Status: ToolCompleted}),
		of(ToolCall{ToolCallID: "runs", Status: ToolInProgress}),
		// Rows of no turn or of another one do not hide what stands before them.
		answerEvent("", 0, "a block without its turn"),
		answerEvent("elsewhere", 1, "a block of another turn"),
		of(PermissionRequested{PermissionID: "p1"}),
		of(PermissionResolved{PermissionID: "p1", Outcome: PermissionSelected, OptionID: "y"}),
		of(PermissionRequested{PermissionID: "p2"}),
		of(ToolUpdate{ToolCallID: "lost", Status: ToolPending}),
	))
	end := Event{Seq: 11, At: start, Payload: TurnEnded{Turn: "t", Outcome: Cancelled}}
	changed := s.Apply(end)

	if n := row[*ToolNode](t, s, 1); n.Call.Status != ToolCompleted {
		t.Errorf("a call that had ended became %s", n.Call.Status)
	}
	if n := row[*ToolNode](t, s, 2); n.Call.Status != ToolCancelled || !n.EndedAt.Equal(start) {
		t.Errorf("the running call became %+v", n.Call)
	}
	if n := row[*PermissionNode](t, s, 5); n.Outcome != PermissionSelected {
		t.Errorf("the answered question became %s", n.Outcome)
	}
	if n := row[*PermissionNode](t, s, 6); n.Outcome != PermissionCancelled {
		t.Errorf("the open question became %q", n.Outcome)
	}
	if n := row[*ToolNode](t, s, 7); n.Call.Status != ToolCancelled {
		t.Errorf("the call known by its update became %s", n.Call.Status)
	}
	if n := row[*NoticeNode](t, s, 8); n.Notice != NoticeTurnEnded || n.Outcome != Cancelled || n.Turn != "t" {
		t.Errorf("notice is %+v", n)
	}
	want := []Node{s.Nodes[2], s.Nodes[6], s.Nodes[7], s.Nodes[8]}
	if len(changed) != len(want) {
		t.Fatalf("changed %d rows, want %d", len(changed), len(want))
	}
	for i := range want {
		if changed[i] != want[i] {
			t.Errorf("changed[%d] is %+v", i, changed[i])
		}
	}
}

func TestTurnEndNotice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		outcome Outcome
		notice  bool
	}{
		{Completed, false}, {Cancelled, true}, {Failed, true}, {Interrupted, true}, {Refused, true}, {MaxTokens, true},
		{"an outcome of another build", true}, {"", true},
	} {
		t.Run(string(c.outcome), func(t *testing.T) {
			t.Parallel()
			s := Fold("", numbered(of(TurnStarted{Turn: "t"}), of(TurnEnded{Turn: "t", Outcome: c.outcome, Error: "why"})))
			if s.Turn != "" {
				t.Errorf("turn %q still runs", s.Turn)
			}
			if !c.notice {
				if len(s.Nodes) != 0 {
					t.Errorf("%d rows", len(s.Nodes))
				}
				return
			}
			if n := row[*NoticeNode](t, s, 0); n.Outcome != c.outcome || n.Detail != "why" || !n.Retry {
				t.Errorf("notice is %+v", n)
			}
		})
	}
}

func TestRetryIsWithdrawn(t *testing.T) {
	t.Parallel()
	failed := of(TurnEnded{Turn: "t", Outcome: Failed})
	for name, c := range map[string]struct {
		next Event
		want bool
	}{
		"by the next message":      {userEvent("r2", "again", ""), false},
		"by the turn run again":    {of(TurnStarted{Turn: "t2"}), false},
		"by another end":           {of(TurnEnded{Turn: "t2", Outcome: Completed}), false},
		"not by context":           {contextEvent(`{"kind":"plugin"}`), true},
		"not by a waiting message": {of(InboxSpliced{Lane: LaneNextTurn, Inserted: []InboxEntry{{RequestID: "r2"}}}), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			events := numbered(failed, c.next)
			s := Fold("", events[:1])
			changed := s.Apply(events[1])
			n := row[*NoticeNode](t, s, 0)
			if n.Retry != c.want {
				t.Errorf("retry is offered: %v", n.Retry)
			}
			if reported := len(changed) > 0 && changed[0] == Node(n); reported == c.want {
				t.Errorf("reported as changed: %v", reported)
			}
		})
	}
}

func TestPageThatBeginsInsideATurn(t *testing.T) {
	t.Parallel()
	events := numbered(
		of(TurnStarted{Turn: "t"}),
		answerEvent("t", 1, "x"),
		of(ToolCall{ToolCallID: "c", Status: ToolInProgress}),
		of(TurnEnded{Turn: "t", Outcome: Interrupted}),
	)
	s := NewState("t")
	for _, e := range events[2:] {
		s.Apply(e)
	}
	if n := row[*ToolNode](t, s, 0); n.Turn != "t" || n.Call.Status != ToolCancelled {
		t.Errorf("row is %+v", n)
	}
}
