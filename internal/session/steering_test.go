package session

import "testing"

func TestSteering(t *testing.T) {
	t.Parallel()
	claim := func(lane, outcome string, ids ...string) Event {
		return of(InboxSpliced{Lane: lane, Removed: ids, Outcome: outcome})
	}
	plain := userEvent("r1", "left", "")
	noID := userEvent("", "left", "")
	for name, c := range map[string]struct {
		events []Event
		want   bool
	}{
		"claimed from next-step":          {[]Event{claim(LaneNextStep, InboxClaimed, "r1"), plain}, true},
		"claimed with others":             {[]Event{claim(LaneNextStep, InboxClaimed, "r0", "r1"), plain}, true},
		"the lane alone, on a later page": {[]Event{userEvent("r1", "left", LaneNextStep)}, true},
		"claimed from next-turn":          {[]Event{claim(LaneNextTurn, InboxClaimed, "r1"), plain}, false},
		"the other lane alone":            {[]Event{userEvent("r1", "left", LaneNextTurn)}, false},
		"never waited":                    {[]Event{plain}, false},
		"withdrawn from next-step":        {[]Event{claim(LaneNextStep, "canceled", "r1"), plain}, false},
		"moved away from next-step":       {[]Event{claim(LaneNextStep, "moved", "r1"), plain}, false},
		"removed without an outcome":      {[]Event{claim(LaneNextStep, "", "r1"), plain}, false},
		"another message was claimed":     {[]Event{claim(LaneNextStep, InboxClaimed, "r2"), plain}, false},
		"put in and never taken":          {[]Event{of(InboxSpliced{Lane: LaneNextStep, Inserted: []InboxEntry{{RequestID: "r1"}}}), plain}, false},
		"an empty id claims no message":   {[]Event{claim(LaneNextStep, InboxClaimed, ""), noID}, false},
		"a row between claim and message": {[]Event{claim(LaneNextStep, InboxClaimed, "r1"), answerEvent("t", 1, "x"), plain}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Fold("", numbered(c.events...))
			user := row[*UserNode](t, s, len(s.Nodes)-1)
			if user.Steering != c.want {
				t.Errorf("steering is %v, want %v", user.Steering, c.want)
			}
		})
	}

	t.Run("context from next-step is context", func(t *testing.T) {
		t.Parallel()
		e := userEvent("r1", "from a timer", "")
		e.Source = []byte(`{"kind":"timer"}`)
		s := Fold("", numbered(claim(LaneNextStep, InboxClaimed, "r1"), e))
		if n := row[*ContextNode](t, s, 0); n.Provenance.Label != "timer" {
			t.Errorf("row is %+v", n)
		}
	})
	t.Run("a claim counts once", func(t *testing.T) {
		t.Parallel()
		s := Fold("", numbered(claim(LaneNextStep, InboxClaimed, "r1"), plain, plain))
		if !row[*UserNode](t, s, 0).Steering || row[*UserNode](t, s, 1).Steering {
			t.Error("the second message with the id is marked as well")
		}
	})
}
