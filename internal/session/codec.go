package session

import (
	"bytes"
	"encoding/json"
)

// decoders reads each known kind's body. A kind that is not here is unknown.
var decoders = map[Kind]func(json.RawMessage) (Payload, error){
	KindUserMessage:         decode[UserMessage],
	KindContextMessage:      decode[ContextMessage],
	KindAssistantMessage:    decode[AssistantMessage],
	KindAssistantThought:    decode[AssistantThought],
	KindToolCall:            decode[ToolCall],
	KindToolUpdate:          decode[ToolUpdate],
	KindPlanUpdate:          decode[PlanUpdate],
	KindPermissionRequested: decode[PermissionRequested],
	KindPermissionResolved:  decode[PermissionResolved],
	KindTurnStarted:         decode[TurnStarted],
	KindTurnEnded:           decode[TurnEnded],
	KindInboxSpliced:        decode[InboxSpliced],
	KindInboxChanged:        decode[InboxChanged],
	KindSessionTitled:       decode[SessionTitled],
	KindModeChanged:         decode[ModeChanged],
	KindModelChanged:        decode[ModelChanged],
	KindCommandsAvailable:   decode[CommandsAvailable],
}

func decode[P Payload](body json.RawMessage) (Payload, error) {
	var p P
	if err := json.Unmarshal(body, &p); err != nil {
		return nil, err
	}
	return p, nil
}

// DecodePayload reads a stored body. It never fails: an unknown kind, or a
// body that is not an object of its kind, comes back as Unknown, to be shown.
func DecodePayload(kind Kind, body json.RawMessage) Payload {
	read, known := decoders[kind]
	if !known {
		return Unknown{Name: kind, Body: body}
	}
	object := bytes.TrimSpace(body)
	if len(object) == 0 {
		object = []byte("{}")
	}
	if object[0] != '{' {
		return Unknown{Name: kind, Body: body}
	}
	p, err := read(object)
	if err != nil {
		return Unknown{Name: kind, Body: body}
	}
	return p
}

// EncodePayload is the body to store. HTML is not escaped: the log is data.
func EncodePayload(p Payload) (json.RawMessage, error) {
	if u, ok := p.(Unknown); ok {
		if len(u.Body) == 0 {
			return json.RawMessage("{}"), nil
		}
		return u.Body, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(p); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
