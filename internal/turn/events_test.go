package turn_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"webshell/internal/session"
	"webshell/internal/turn"
)

func TestEventsOfABackend(t *testing.T) {
	t.Parallel()
	payloads := []session.Payload{
		session.ToolCall{ToolCallID: "c", Title: "look", Input: json.RawMessage(`{"a": 1}`)},
		session.ToolUpdate{ToolCallID: "c", Status: session.ToolCompleted, Text: "a"},
		session.PlanUpdate{Entries: []session.PlanEntry{{Content: "x"}}},
		session.ModeChanged{Mode: "m"},
		session.ModelChanged{Model: "m"},
		session.CommandsAvailable{},
		session.Unknown{Name: "usage/updated", Body: json.RawMessage(`{"tokens": 5}`)},
	}
	_, log := streaming(t, func(out *turn.Output, _ *pieces) error {
		for _, p := range payloads {
			if err := out.Event(p); err != nil {
				return err
			}
		}
		return errors.Join(out.Event(session.Unknown{Name: "x"}), out.Event(session.ToolUpdate{ToolCallID: "c", Text: "NUL \x00"}))
	})
	for i, p := range payloads {
		if got := log[2+i].Payload; !reflect.DeepEqual(got, p) {
			t.Errorf("logged %#v, want %#v", got, p)
		}
	}
	rest := log[2+len(payloads):]
	if got := rest[0].Payload.(session.Unknown); string(got.Body) != "{}" {
		t.Errorf("logged %#v", got)
	}
	if got := rest[1].Payload.(session.ToolUpdate); got.Text != "NUL \uFFFD" {
		t.Errorf("logged %#v", got)
	}
}

// TestRefusedEvents: what may not be logged is an error, and the turn goes on.
func TestRefusedEvents(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", 1<<20)
	refused := map[string]session.Payload{
		"a person's message":  session.UserMessage{},
		"an answer":           session.AssistantMessage{},
		"a turn's end":        session.TurnEnded{},
		"a person's decision": session.PermissionResolved{},
		"a question":          session.PermissionRequested{},
		"a title":             session.SessionTitled{},
		"a pointer":           &session.ToolCall{ToolCallID: "c"},
		"no kind":             session.Unknown{},
		"a long kind":         session.Unknown{Name: session.Kind(strings.Repeat("k", 129))},
		"a known kind":        session.Unknown{Name: session.KindTurnEnded, Body: json.RawMessage(`{}`)},
		"broken input":        session.ToolCall{ToolCallID: "c", Input: json.RawMessage(`{`)},
		"a broken body":       session.Unknown{Name: "x", Body: json.RawMessage(`nope`)},
		"a large body":        session.ToolUpdate{ToolCallID: "c", Text: big},
	}
	_, log := streaming(t, func(out *turn.Output, _ *pieces) error {
		for name, p := range refused {
			err := out.Event(p)
			if err == nil {
				t.Errorf("%s was logged", name)
			}
			if large := errors.Is(err, turn.ErrTooLarge); large != (name == "a large body") {
				t.Errorf("%s: %v", name, err)
			}
		}
		return out.Text("and on")
	})
	if len(log) != 4 {
		t.Errorf("%d events were logged", len(log))
	}
}

func TestContextOfABackend(t *testing.T) {
	t.Parallel()
	form := json.RawMessage(`{"kind": "notice", "summary": "it is nine"}`)
	_, log := streaming(t, func(out *turn.Output, _ *pieces) error {
		for _, c := range []struct{ source, content, form string }{
			{`{`, "", ""},
			{`{}`, "", `{`},
			{`"` + strings.Repeat("x", 64<<10) + `"`, "", ""},
			{`{}`, strings.Repeat("x", 4<<20+1), ""},
			{`{}`, "", `"` + strings.Repeat("x", 1<<20) + `"`},
		} {
			if err := out.Context(json.RawMessage(c.source), c.content, json.RawMessage(c.form)); err == nil {
				t.Errorf("context of source %.10q, form %.10q was logged", c.source, c.form)
			}
		}
		if err := out.Context(nil, "unnamed", nil); err != nil {
			return err
		}
		return out.Context(json.RawMessage(`{"kind":"plugin","plugin":"x\u0000"}`), "a\x00\xffb", form)
	})
	if len(log) != 5 {
		t.Fatalf("%d events were logged", len(log))
	}
	state := session.Fold("", log)
	if n := state.Nodes[1].(*session.ContextNode); n.Content != "unnamed" || n.Provenance.Label != "" {
		t.Errorf("row is %+v", n)
	}
	if n := state.Nodes[2].(*session.ContextNode); n.Content != "a\uFFFD\uFFFDb" || n.Provenance.Label != "x\uFFFD" || *n.Form.(*session.NoticeForm) != (session.NoticeForm{Summary: "it is nine"}) {
		t.Errorf("row is %+v", n)
	}
}
