package session

import (
	"cmp"
	"slices"
	"time"
)

func (s *State) toolCall(base NodeBase, e Event, p ToolCall) []Node {
	n := &ToolNode{NodeBase: base, Call: p, EndedAt: endOf(p.Status, e.At)}
	s.tools[p.ToolCallID] = base.Key
	s.setOpen(base.Key, n.EndedAt.IsZero())
	return s.add(n)
}

func (s *State) toolUpdate(base NodeBase, e Event, p ToolUpdate) []Node {
	n, ok := s.Node(s.tools[p.ToolCallID]).(*ToolNode)
	if !ok {
		// The call itself is missing from this log: show what is known of it.
		n = &ToolNode{NodeBase: base, Call: ToolCall{ToolCallID: p.ToolCallID, Title: p.ToolCallID}}
		s.tools[p.ToolCallID] = base.Key
		s.add(n)
	}
	if p.Title != "" {
		n.Call.Title = p.Title
	}
	if p.Status != "" {
		n.Call.Status = p.Status
		n.EndedAt = endOf(p.Status, e.At)
	}
	if p.Locations != nil {
		n.Call.Locations = p.Locations
	}
	if p.Text != "" {
		n.Text = p.Text
	}
	if p.Output != nil {
		n.Output = p.Output
	}
	s.setOpen(n.Key, n.EndedAt.IsZero())
	return []Node{n}
}

func (s *State) permissionRequested(base NodeBase, p PermissionRequested) []Node {
	s.questions[p.PermissionID] = base.Key
	s.setOpen(base.Key, true)
	return s.add(&PermissionNode{NodeBase: base, Request: p})
}

// permissionResolved answers a question. An answer without its question, or a
// second one (in a log from elsewhere), makes a row of its own.
func (s *State) permissionResolved(base NodeBase, p PermissionResolved) []Node {
	n, ok := s.Node(s.questions[p.PermissionID]).(*PermissionNode)
	if !ok || n.Outcome != "" {
		n = &PermissionNode{NodeBase: base, Request: PermissionRequested{PermissionID: p.PermissionID}}
		s.questions[p.PermissionID] = base.Key
		s.add(n)
	}
	n.Outcome, n.Option = p.Outcome, p.OptionID
	s.setOpen(n.Key, n.Outcome == "")
	return []Node{n}
}

// turnEnded closes what the turn left open: a call without a last update, a
// question without an answer. One turn runs at a time, so whatever is open is
// that turn's.
func (s *State) turnEnded(base NodeBase, e Event, p TurnEnded) []Node {
	changed := s.withdrawRetry()
	for key := range s.open {
		switch n := s.Node(key).(type) {
		case *ToolNode:
			n.Call.Status, n.EndedAt = ToolCancelled, e.At
			changed = append(changed, n)
		case *PermissionNode:
			n.Outcome = PermissionCancelled
			changed = append(changed, n)
		}
	}
	clear(s.open)
	slices.SortFunc(changed, func(a, b Node) int { return cmp.Compare(a.Base().Seq, b.Base().Seq) })
	s.Turn, s.plan = "", ""
	if p.Outcome == Completed {
		return changed
	}
	if p.Turn != "" {
		base.Turn = p.Turn
	}
	s.retry = base.Key
	notice := &NoticeNode{
		NodeBase: base, Notice: NoticeTurnEnded, Outcome: p.Outcome, Detail: p.Error, Retry: true,
	}
	return append(changed, s.add(notice)...)
}

func (s *State) setOpen(key string, open bool) {
	if open {
		s.open[key] = true
	} else {
		delete(s.open, key)
	}
}

// endOf is the time a call ended, or zero while it goes on.
func endOf(status string, at time.Time) time.Time {
	switch status {
	case ToolCompleted, ToolFailed, ToolCancelled:
		return at
	}
	return time.Time{}
}
