package session

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestFoldInParts checks, over random logs, that Fold("", all) equals
// Fold("", prefix) with the rest applied, at every place to split, and that Apply
// reports every row it made or changed.
func TestFoldInParts(t *testing.T) {
	t.Parallel()
	kinds := map[Kind]int{}
	for seed := range uint64(150) {
		events := randomLog(rand.New(rand.NewPCG(seed, 1)), 40)
		whole := Fold("", events)
		checkKeys(t, whole)
		checkReports(t, events)
		for split := range len(events) + 1 {
			parts := Fold("", events[:split])
			for _, e := range events[split:] {
				parts.Apply(e)
			}
			if !reflect.DeepEqual(parts, whole) {
				t.Fatalf("seed %d: split at %d folds to another state", seed, split)
			}
		}
		for _, e := range events {
			kinds[e.Kind()]++
		}
	}
	for kind := range decoders {
		if kinds[kind] == 0 {
			t.Errorf("no log held a %s", kind)
		}
	}
}

// checkReports compares the rows before and after each event.
func checkReports(t *testing.T, events []Event) {
	t.Helper()
	s := NewState("")
	for _, e := range events {
		before := copies(s.Nodes)
		reported := map[Node]bool{}
		last := int64(-1)
		for _, n := range s.Apply(e) {
			if reported[n] || n.Base().Seq <= last {
				t.Fatalf("event %d (%s) reports a row twice or out of order", e.Seq, e.Kind())
			}
			reported[n], last = true, n.Base().Seq
		}
		after := copies(s.Nodes)
		if len(after) < len(before) {
			t.Fatalf("event %d (%s) removed a row", e.Seq, e.Kind())
		}
		for i, n := range s.Nodes {
			same := i < len(before) && reflect.DeepEqual(before[i], after[i])
			if !same && !reported[n] {
				t.Fatalf("event %d (%s) does not report %T %s", e.Seq, e.Kind(), n, n.Base().Key)
			}
		}
	}
}

// copies are the rows as they are now.
func copies(nodes []Node) []any {
	out := make([]any, len(nodes))
	for i, n := range nodes {
		out[i] = reflect.ValueOf(n).Elem().Interface()
	}
	return out
}

// checkKeys: every row is found by its key, and rows stand in log order.
func checkKeys(t *testing.T, s *State) {
	t.Helper()
	last := int64(0)
	for _, n := range s.Nodes {
		b := n.Base()
		if s.Node(b.Key) != n {
			t.Fatalf("row %s is not found by its key", b.Key)
		}
		if b.Seq <= last {
			t.Fatalf("row %s stands out of order", b.Key)
		}
		last = b.Seq
	}
}

// randomLog makes a log of any events in any order, with ids from a small
// pool, so that they meet, repeat and miss each other.
func randomLog(r *rand.Rand, n int) []Event {
	events := make([]Event, n)
	for i := range events {
		events[i] = randomEvent(r)
	}
	return numbered(events...)
}

func randomEvent(r *rand.Rand) Event {
	id := func(prefix string) string {
		if r.IntN(12) == 0 {
			return ""
		}
		return fmt.Sprint(prefix, r.IntN(3))
	}
	e := Event{Content: fmt.Sprint("text ", r.IntN(100)), RPCID: id("r"), Source: pick(r, randomSources)}
	switch r.IntN(19) {
	case 0, 1:
		e.Payload = UserMessage{Lane: pick(r, lanes)}
		if r.IntN(4) > 0 {
			e.Source = UserSource(e.RPCID)
		}
	case 2:
		e.Payload = ContextMessage{Form: json.RawMessage(`{}`)}
	case 3:
		e.Payload = AssistantMessage{Turn: id("t"), Block: r.IntN(3)}
	case 4:
		e.Payload = AssistantThought{Turn: id("t"), Block: r.IntN(3)}
	case 5:
		e.Payload = ToolCall{ToolCallID: id("c"), Title: "call", Status: pick(r, statuses)}
	case 6, 7:
		e.Payload = ToolUpdate{ToolCallID: id("c"), Title: id(""), Status: pick(r, statuses), Text: id("x")}
	case 8:
		e.Payload = PlanUpdate{Entries: make([]PlanEntry, r.IntN(3))}
	case 9:
		e.Payload = PermissionRequested{PermissionID: id("p"), Title: "ask"}
	case 10:
		e.Payload = PermissionResolved{PermissionID: id("p"), Outcome: pick(r, []string{"", PermissionSelected, PermissionCancelled}), OptionID: id("o")}
	case 11:
		e.Payload = TurnStarted{Turn: id("t"), Attempt: 1}
	case 12:
		e.Payload = TurnEnded{Turn: id("t"), Outcome: pick(r, []Outcome{Completed, Cancelled, Failed, Interrupted, "other", ""})}
	case 13:
		e.Payload = InboxSpliced{Lane: pick(r, lanes), Removed: []string{id("r"), id("r")}, Outcome: pick(r, []string{InboxClaimed, "canceled", ""})}
	case 14:
		e.Payload = SessionTitled{Title: id("title ")}
	case 15:
		e.Payload = pick(r, []Payload{ModeChanged{Mode: "m"}, ModelChanged{Model: "m"}})
	case 16:
		e.Payload = CommandsAvailable{}
	case 17:
		e.Payload = InboxChanged{Change: pick(r, []string{InboxHeld, InboxPaused, "other"}), RequestID: id("r")}
	default:
		kind := pick(r, []Kind{"compaction/marked", KindUserMessage, KindToolCall, KindTurnEnded})
		e.Payload = DecodePayload(kind, json.RawMessage(pick(r, []string{`{"x":1}`, `[]`, `5`, `{`})))
	}
	return e
}

var (
	lanes         = []string{"", LaneNextTurn, LaneNextStep}
	statuses      = []string{"", ToolPending, ToolInProgress, ToolCompleted, ToolFailed, "other"}
	randomSources = []json.RawMessage{
		nil, json.RawMessage(`{}`), json.RawMessage(`{"kind":"plugin","plugin":"x"}`),
		json.RawMessage(`{"kind":"session-reference","references":[{"label":"a"}]}`), json.RawMessage(`{"kind":"session-reference"}`),
	}
)

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }
