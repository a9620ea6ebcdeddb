package turn

import (
	"encoding/json"
	"errors"
	"fmt"

	"webshell/internal/session"
)

// Limits of one event, in bytes of its encoded body, its source and its text.
const (
	maxBody    = 1 << 20
	maxSource  = 64 << 10
	maxContext = 4 << 20
	maxName    = 128 // of an unknown event's kind
)

// ErrTooLarge says that one event is larger than the log takes. Nothing of it
// was logged; the backend may send less.
var ErrTooLarge = errors.New("the event is too large for the log")

// Event logs an event of the turn: a tool call or its update, a plan, a change
// of mode or model, the list of commands, or one of a kind that this build
// does not know. Anything else is an error, as is a body over 1 MiB
// (ErrTooLarge) or one that is no JSON.
func (o *Output) Event(p session.Payload) error {
	if err := eventAllowed(p); err != nil {
		return err
	}
	body, err := session.EncodePayload(p)
	if err != nil {
		return fmt.Errorf("encode %s: %w", p.EventKind(), err)
	}
	if len(body) > maxBody {
		return fmt.Errorf("%s of %d bytes: %w", p.EventKind(), len(body), ErrTooLarge)
	}
	return o.logOne(session.Event{Payload: p}, len(body))
}

func eventAllowed(p session.Payload) error {
	switch p := p.(type) {
	case session.ToolCall, session.ToolUpdate, session.PlanUpdate, session.ModeChanged, session.ModelChanged, session.CommandsAvailable:
		return nil
	case session.Unknown:
		if len(p.Name) == 0 || len(p.Name) > maxName {
			return fmt.Errorf("an event's kind has 1 to %d bytes, not %d", maxName, len(p.Name))
		}
		// A kind that is known has its own rules, which this would pass by.
		if _, unknown := session.DecodePayload(p.Name, json.RawMessage("{}")).(session.Unknown); !unknown {
			return fmt.Errorf("%s is no unknown kind", p.Name)
		}
		if len(p.Body) > 0 && !json.Valid(p.Body) {
			return fmt.Errorf("the body of %s is no JSON", p.Name)
		}
		return nil
	default:
		return fmt.Errorf("a backend may not log %T through Event", p)
	}
}

// Context logs what a producer other than the person adds to the model's
// conversation. Source names the producer and role (see session.ProvenanceOf);
// form says how the body is laid out, nil for plain text. Limits: source 64
// KiB, form 1 MiB, content 4 MiB (ErrTooLarge).
func (o *Output) Context(source json.RawMessage, content string, form json.RawMessage) error {
	for name, raw := range map[string]json.RawMessage{"source": source, "form": form} {
		if len(raw) > 0 && !json.Valid(raw) {
			return fmt.Errorf("the %s of a context message is no JSON", name)
		}
	}
	if len(source) > maxSource || len(form) > maxBody || len(content) > maxContext {
		return fmt.Errorf("context of %d bytes: %w", len(content), ErrTooLarge)
	}
	e := session.Event{Source: source, Content: cleanText(content), Payload: session.ContextMessage{Form: form}}
	return o.logOne(e, len(source)+len(form)+len(content))
}

func (o *Output) logOne(e session.Event, size int) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.spend(size, eventCost); err != nil {
		return err
	}
	if err := o.write(e); err != nil {
		return err
	}
	o.written += size + eventCost
	return nil
}
