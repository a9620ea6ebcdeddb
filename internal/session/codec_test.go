package session

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"webshell/composer"
)

// samples holds one filled payload of every kind this build knows.
func samples() []Payload {
	hint := "SECONDS"
	return []Payload{
		UserMessage{Lane: LaneNextStep, Form: json.RawMessage(`{"kind":"relay","session":"x"}`)},
		ContextMessage{Form: json.RawMessage(`{"kind":"notice","summary":"<b>"}`)},
		AssistantMessage{Turn: "t1", Block: 3},
		AssistantThought{Turn: "t1", Block: 4},
		ToolCall{ToolCallID: "c1", Title: "List & read", ToolKind: "read", Status: ToolPending, Locations: []string{"a/b"}, Input: json.RawMessage(`{"path":"."}`)},
		ToolUpdate{ToolCallID: "c1", Title: "List", Status: ToolCompleted, Locations: []string{"a"}, Text: "a\nb", Output: json.RawMessage(`[1,2]`)},
		PlanUpdate{Entries: []PlanEntry{{Content: "look", Status: "pending"}}},
		PermissionRequested{PermissionID: "p1", ToolCallID: "c1", Title: "Run", Detail: "rm x", Options: []PermissionOption{{OptionID: "o1", Label: "Allow", Kind: AllowOnce}}},
		PermissionResolved{PermissionID: "p1", Outcome: PermissionSelected, OptionID: "o1"},
		TurnStarted{Turn: "t1", Message: 7, Agent: "demo", Attempt: 1},
		TurnEnded{Turn: "t1", Outcome: Failed, Error: "it broke"},
		InboxSpliced{Lane: LaneNextTurn, Inserted: []InboxEntry{{RequestID: "r1"}}, Removed: []string{"r2"}, Outcome: InboxClaimed},
		InboxChanged{Change: InboxEdited, RequestID: "r1"},
		SessionTitled{Title: "A title"},
		ModeChanged{Mode: "plan"},
		ModelChanged{Model: "big"},
		CommandsAvailable{Commands: []composer.Command{{Name: "slow", ArgumentHint: &hint}}},
	}
}

func TestSamplesCoverEveryKind(t *testing.T) {
	t.Parallel()
	seen := map[Kind]bool{}
	for _, p := range samples() {
		seen[p.EventKind()] = true
	}
	for kind := range decoders {
		if !seen[kind] {
			t.Errorf("no sample of %s", kind)
		}
	}
	if len(seen) != len(decoders) {
		t.Errorf("%d kinds of samples, %d of decoders", len(seen), len(decoders))
	}
}

func TestPayloadRoundTrip(t *testing.T) {
	t.Parallel()
	for _, p := range samples() {
		t.Run(string(p.EventKind()), func(t *testing.T) {
			t.Parallel()
			body, err := EncodePayload(p)
			if err != nil {
				t.Fatal(err)
			}
			if got := DecodePayload(p.EventKind(), body); !reflect.DeepEqual(got, p) {
				t.Errorf("came back as\n%#v, want\n%#v", got, p)
			}
			if strings.Contains(string(body), `\u003c`) || strings.Contains(string(body), `\u0026`) {
				t.Errorf("HTML is escaped in the log: %s", body)
			}
		})
	}
}

func TestUnknownPayloadRoundTrip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, body, stored string }{
		{"object", `{"a":[1,{"b":null}]}`, `{"a":[1,{"b":null}]}`},
		{"list", `[1]`, `[1]`},
		{"nothing", ``, `{}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := DecodePayload("compaction/marked", json.RawMessage(c.body))
			if p.EventKind() != "compaction/marked" {
				t.Errorf("kind is %s", p.EventKind())
			}
			body, err := EncodePayload(p)
			if err != nil || string(body) != c.stored {
				t.Errorf("stored as %s (%v), want %s", body, err, c.stored)
			}
		})
	}
}

func TestMalformedBodyBecomesVisibleRow(t *testing.T) {
	t.Parallel()
	// A body of the wrong type in any of a kind's fields must not fit either.
	wrongField := map[Kind]string{
		KindUserMessage:         `{"lane":5}`,
		KindContextMessage:      `{"form":}`,
		KindAssistantMessage:    `{"turn":{}}`,
		KindAssistantThought:    `{"block":"one"}`,
		KindToolCall:            `{"toolCallId":7}`,
		KindToolUpdate:          `{"locations":"here"}`,
		KindPlanUpdate:          `{"entries":{}}`,
		KindPermissionRequested: `{"options":"yes"}`,
		KindPermissionResolved:  `{"outcome":[]}`,
		KindTurnStarted:         `{"message":"x"}`,
		KindTurnEnded:           `{"outcome":1}`,
		KindInboxSpliced:        `{"removed":["a",3]}`,
		KindInboxChanged:        `{"change":1}`,
		KindSessionTitled:       `{"title":[]}`,
		KindModeChanged:         `{"mode":1}`,
		KindModelChanged:        `{"model":true}`,
		KindCommandsAvailable:   `{"commands":[5]}`,
	}
	for kind := range decoders {
		for _, body := range []string{`[]`, `"text"`, `5`, `true`, `null`, `{`, `{"a":1}x`, wrongField[kind]} {
			t.Run(string(kind)+" "+body, func(t *testing.T) {
				t.Parallel()
				e := Event{Seq: 1, Content: "what was said", Payload: DecodePayload(kind, json.RawMessage(body))}
				rows := Fold("", []Event{e}).Nodes
				if len(rows) != 1 {
					t.Fatalf("%d rows", len(rows))
				}
				n, ok := rows[0].(*UnknownNode)
				if !ok {
					t.Fatalf("row is %T", rows[0])
				}
				if n.Name != kind || string(n.Body) != body || n.Content != "what was said" {
					t.Errorf("row hides something: %+v", n)
				}
			})
		}
	}
}

func TestBodyWithRoomForIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind Kind
		body string
		want Payload
	}{
		"white space":    {KindSessionTitled, " \n{\"title\":\"x\"}\t", SessionTitled{Title: "x"}},
		"no body at all": {KindUserMessage, "", UserMessage{}},
		"a newer field":  {KindModeChanged, `{"mode":"m","since":"2031"}`, ModeChanged{Mode: "m"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := DecodePayload(c.kind, json.RawMessage(c.body)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %#v, want %#v", got, c.want)
			}
		})
	}
}

func TestEncodeRefusesBrokenRawJSON(t *testing.T) {
	t.Parallel()
	if body, err := EncodePayload(ToolCall{ToolCallID: "c", Input: json.RawMessage(`{"a":`)}); err == nil {
		t.Errorf("encoded broken input as %s", body)
	}
}
