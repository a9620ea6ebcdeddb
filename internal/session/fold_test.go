package session

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"webshell/composer"
)

var start = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

// numbered gives events the seqs 1, 2, 3 … and a second each.
func numbered(events ...Event) []Event {
	for i := range events {
		events[i].Seq = int64(i + 1)
		events[i].At = start.Add(time.Duration(i) * time.Second)
	}
	return events
}

func of(p Payload) Event { return Event{Payload: p} }

func userEvent(requestID, content, lane string) Event {
	return Event{Source: UserSource(requestID), RPCID: requestID, Content: content, Payload: UserMessage{Lane: lane}}
}

func contextEvent(source string) Event {
	return Event{Source: json.RawMessage(source), Content: "context", Payload: ContextMessage{}}
}

func answerEvent(turn string, block int, text string) Event {
	return Event{Content: text, Payload: AssistantMessage{Turn: turn, Block: block}}
}

// row is the transcript's row at a place, of the type asked for.
func row[N Node](t *testing.T, s *State, i int) N {
	t.Helper()
	if i >= len(s.Nodes) {
		t.Fatalf("no row %d among %d", i, len(s.Nodes))
	}
	n, ok := s.Nodes[i].(N)
	if !ok {
		t.Fatalf("row %d is a %T", i, s.Nodes[i])
	}
	return n
}

func TestFoldOfATurn(t *testing.T) {
	t.Parallel()
	message := userEvent("r1", "see @a", "")
	message.Annotations = []composer.Annotation{{Type: composer.TypeReference, Start: 4, End: 6, Text: "@a", Reference: &composer.Reference{ID: "a"}}}
	s := Fold("", numbered(
		of(SessionTitled{Title: "First"}),
		message,
		of(TurnStarted{Turn: "t1", Message: 2, Agent: "demo", Attempt: 1}),
		Event{Content: "hm", Payload: AssistantThought{Turn: "t1", Block: 1}},
		answerEvent("t1", 2, "yes"),
		of(TurnEnded{Turn: "t1", Outcome: Completed}),
		of(SessionTitled{Title: "Second"}),
	))
	if s.Title != "Second" || s.LastSeq != 7 || s.Turn != "" || len(s.Nodes) != 3 {
		t.Fatalf("state is %+v", s)
	}
	user := row[*UserNode](t, s, 0)
	if user.Key != "m-r1" || user.RequestID != "r1" || user.Content != "see @a" || len(user.Annotations) != 1 || user.Steering || user.Seq != 2 {
		t.Errorf("message is %+v", user)
	}
	thought := row[*TextNode](t, s, 1)
	if !thought.Thought || thought.Text != "hm" || thought.Key != BlockKey("t1", 1) || thought.Turn != "t1" || thought.Open {
		t.Errorf("thought is %+v", thought)
	}
	if answer := row[*TextNode](t, s, 2); answer.Thought || answer.Text != "yes" {
		t.Errorf("answer is %+v", answer)
	}
}

func TestFoldOfSettings(t *testing.T) {
	t.Parallel()
	s := Fold("", numbered(
		of(ModeChanged{Mode: "plan"}),
		of(ModelChanged{Model: "big"}),
		of(CommandsAvailable{Commands: []composer.Command{{Name: "slow"}}}),
		of(CommandsAvailable{Commands: []composer.Command{{Name: "tool"}}}),
	))
	if s.Mode != "plan" || s.Model != "big" || len(s.Commands) != 1 || s.Commands[0].Name != "tool" {
		t.Errorf("state is %+v", s)
	}
	if n := row[*NoticeNode](t, s, 0); n.Notice != NoticeMode || n.Detail != "plan" || n.Retry {
		t.Errorf("mode's row is %+v", n)
	}
	if n := row[*NoticeNode](t, s, 1); n.Notice != NoticeModel || n.Detail != "big" {
		t.Errorf("model's row is %+v", n)
	}
	if len(s.Nodes) != 2 {
		t.Errorf("%d rows", len(s.Nodes))
	}
}

func TestFoldOfPlan(t *testing.T) {
	t.Parallel()
	plan := func(entries ...string) Event {
		var p PlanUpdate
		for _, e := range entries {
			p.Entries = append(p.Entries, PlanEntry{Content: e})
		}
		return of(p)
	}
	s := Fold("", numbered(
		of(TurnStarted{Turn: "t1"}), plan("a"), answerEvent("t1", 1, "x"), plan("a", "b"), of(TurnEnded{Turn: "t1", Outcome: Completed}),
		of(TurnStarted{Turn: "t2"}), plan("c"),
	))
	if first := row[*PlanNode](t, s, 0); len(first.Entries) != 2 || first.Seq != 2 {
		t.Errorf("the plan was not replaced in place: %+v", first)
	}
	if second := row[*PlanNode](t, s, 2); len(second.Entries) != 1 || second.Turn != "t2" {
		t.Errorf("the next turn's plan is %+v", second)
	}
}

func TestRecallNamesTheSessionUnderTheMessage(t *testing.T) {
	t.Parallel()
	recall := contextEvent(`{"kind":"session-reference","references":[{"label":"Plan"}]}`)
	plugin := contextEvent(`{"kind":"plugin","plugin":"clock"}`)
	for name, c := range map[string]struct {
		after []Event
		want  string
	}{
		"directly":                  {[]Event{recall}, "Plan"},
		"past an event without row": {[]Event{of(TurnStarted{Turn: "t"}), recall}, "Plan"},
		"behind another row":        {[]Event{plugin, recall}, ""},
		"another role":              {[]Event{plugin}, ""},
		"the first recall counts":   {[]Event{recall, contextEvent(`{"kind":"session-reference","references":[{"label":"Other"}]}`)}, "Plan"},
		"no label":                  {[]Event{contextEvent(`{"kind":"session-reference"}`)}, "session-reference"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Fold("", numbered(append([]Event{userEvent("r1", "go on", "")}, c.after...)...))
			if got := row[*UserNode](t, s, 0).Recalled; got != c.want {
				t.Errorf("recalled %q, want %q", got, c.want)
			}
		})
	}
	t.Run("the message is reported as changed", func(t *testing.T) {
		t.Parallel()
		events := numbered(userEvent("r1", "go on", ""), recall)
		s := Fold("", events[:1])
		if changed := s.Apply(events[1]); len(changed) != 2 || changed[0] != s.Nodes[0] || changed[1] != s.Nodes[1] {
			t.Errorf("changed %v", changed)
		}
	})
}

// TestRecallOnThePageAfter: a page that ends between a message and the recall
// behind it shows the message as the whole log does, and nothing else of what
// follows.
func TestRecallOnThePageAfter(t *testing.T) {
	t.Parallel()
	recall := contextEvent(`{"kind":"session-reference","references":[{"label":"Plan"}]}`)
	for name, c := range map[string]struct {
		page, after []Event
	}{
		"directly":                  {[]Event{userEvent("r1", "go on", "")}, []Event{recall}},
		"past an event without row": {[]Event{userEvent("r1", "go on", "")}, []Event{of(TurnStarted{Turn: "t"}), recall}},
		"behind another row":        {[]Event{userEvent("r1", "go on", "")}, []Event{answerEvent("t", 1, "x"), recall}},
		"nothing":                   {[]Event{userEvent("r1", "go on", "")}, nil},
		"no message at the end":     {[]Event{userEvent("r1", "go on", ""), answerEvent("t", 1, "x")}, []Event{recall}},
		"recalled already":          {[]Event{userEvent("r1", "go on", ""), recall, of(SessionTitled{Title: "x"})}, []Event{recall}},
		"no row":                    {[]Event{of(SessionTitled{Title: "x"})}, []Event{recall}},
		"an empty page":             {nil, []Event{recall}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log := numbered(append(slices.Clone(c.page), c.after...)...)
			whole := Fold("", log)
			page := Fold("", log[:len(c.page)])
			page.Followed(log[len(c.page):])
			if want := copies(whole.Nodes)[:len(page.Nodes)]; !reflect.DeepEqual(copies(page.Nodes), want) {
				t.Errorf("rows are %+v, want %+v", copies(page.Nodes), want)
			}
			if page.LastSeq != int64(len(c.page)) {
				t.Errorf("the page ends at %d", page.LastSeq)
			}
		})
	}
}

func TestAdjacentContextIsNotMerged(t *testing.T) {
	t.Parallel()
	same := contextEvent(`{"kind":"plugin","plugin":"clock"}`)
	same.Payload = ContextMessage{Form: json.RawMessage(`{"kind":"notice","summary":"tick"}`)}
	s := Fold("", numbered(same, same))
	if len(s.Nodes) != 2 {
		t.Fatalf("%d rows", len(s.Nodes))
	}
	n := row[*ContextNode](t, s, 1)
	if n.Provenance.Label != "clock" || n.Content != "context" || *n.Form.(*NoticeForm) != (NoticeForm{"tick"}) || string(n.Source) != `{"kind":"plugin","plugin":"clock"}` {
		t.Errorf("row is %+v", n)
	}
}

func TestForeignUserMessageIsContext(t *testing.T) {
	t.Parallel()
	for _, source := range []string{`{"kind":"plugin","plugin":"clock"}`, `{"kind":"robot"}`, `{}`, ``} {
		e := userEvent("r1", "said elsewhere", LaneNextStep)
		e.Source = json.RawMessage(source)
		s := Fold("", numbered(e))
		n := row[*ContextNode](t, s, 0)
		if n.Content != "said elsewhere" || n.Provenance != ProvenanceOf(e.Source) {
			t.Errorf("source %q: row is %+v", source, n)
		}
	}
}

func TestUnknownKindIsARow(t *testing.T) {
	t.Parallel()
	s := Fold("", numbered(
		userEvent("r1", "a", ""),
		Event{Content: "said", Payload: DecodePayload("compaction/marked", json.RawMessage(`{"kept":3}`))},
		userEvent("r2", "b", ""),
	))
	n := row[*UnknownNode](t, s, 1)
	if n.Name != "compaction/marked" || string(n.Body) != `{"kept":3}` || n.Content != "said" || n.Key != EventKey(2) {
		t.Errorf("row is %+v", n)
	}
	if len(s.Nodes) != 3 {
		t.Errorf("a marker removed something: %d rows", len(s.Nodes))
	}
}

func TestSeenEventsChangeNothing(t *testing.T) {
	t.Parallel()
	events := numbered(userEvent("r1", "a", ""), of(TurnStarted{Turn: "t"}), answerEvent("t", 1, "b"))
	s := Fold("", events)
	for _, e := range events {
		if changed := s.Apply(e); changed != nil {
			t.Errorf("event %d again changed %v", e.Seq, changed)
		}
	}
	if len(s.Nodes) != 2 {
		t.Errorf("%d rows", len(s.Nodes))
	}
}

func TestDuplicateIDsHideNothing(t *testing.T) {
	t.Parallel()
	for name, events := range map[string][]Event{
		"request ids":  {userEvent("r1", "one", ""), userEvent("r1", "two", "")},
		"blocks":       {answerEvent("t", 1, "one"), answerEvent("t", 1, "two")},
		"block kinds":  {answerEvent("t", 1, "one"), {Content: "two", Payload: AssistantThought{Turn: "t", Block: 1}}},
		"no block ids": {answerEvent("", 0, "one"), answerEvent("", 0, "two")},
		"tool calls":   {of(ToolCall{ToolCallID: "c", Title: "one"}), of(ToolCall{ToolCallID: "c", Title: "two"})},
		"no call ids":  {of(ToolCall{Title: "one"}), of(ToolCall{Title: "two"})},
		"permissions":  {of(PermissionRequested{PermissionID: "p", Title: "one"}), of(PermissionRequested{PermissionID: "p", Title: "two"})},
		"two answers": {
			of(PermissionResolved{PermissionID: "p", Outcome: PermissionSelected, OptionID: "one"}),
			of(PermissionResolved{PermissionID: "p", Outcome: PermissionSelected, OptionID: "two"}),
		},
		"turn ends": {of(TurnEnded{Turn: "t", Outcome: Failed, Error: "one"}), of(TurnEnded{Turn: "t", Outcome: Failed, Error: "two"})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Fold("", numbered(events...))
			if len(s.Nodes) != 2 {
				t.Fatalf("%d rows for two events", len(s.Nodes))
			}
			if a, b := textOf(s.Nodes[0]), textOf(s.Nodes[1]); a != "one" || b != "two" {
				t.Errorf("rows say %q and %q", a, b)
			}
			checkKeys(t, s)
		})
	}
}

// textOf is what a row of TestDuplicateIDsHideNothing says.
func textOf(n Node) string {
	switch n := n.(type) {
	case *UserNode:
		return n.Content
	case *TextNode:
		return n.Text
	case *ToolNode:
		return n.Call.Title
	case *PermissionNode:
		return n.Request.Title + n.Option
	case *NoticeNode:
		return n.Detail
	}
	return ""
}
