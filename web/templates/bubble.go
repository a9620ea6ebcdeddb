package templates

import (
	"time"

	"webshell/composer"
	"webshell/internal/session"
)

// StateLogged is the state of a message that is in the log for good.
const StateLogged = "logged"

// Bubble is a person's message in any of its states. Echo, queue row and
// durable bubble are one element with one id, drawn by one component.
type Bubble struct {
	Key         string // the element's id
	RequestID   string
	Seq         int64  // 0 until it is logged
	State       string // sending, queued, steering, claimed, logged, failed
	Content     string
	Annotations []composer.Annotation
	At          time.Time
	Steering    bool   // it entered a running turn, or is to
	Queued      bool   // it stands in the queue, not in the transcript
	Recalled    string // the session recalled for it
	Held        bool   // it is being edited
	Next        bool   // it goes before all others
	Actions     *rowActions
}

func bubbleOf(n *session.UserNode) Bubble {
	return Bubble{
		Key: n.Key, RequestID: n.RequestID, Seq: n.Seq, State: StateLogged,
		Content: n.Content, Annotations: n.Annotations, At: n.At,
		Steering: n.Steering, Recalled: n.Recalled,
	}
}

func bubbleOfQueue(r QueueRow) Bubble {
	return Bubble{
		Key: session.MessageKey(r.RequestID), RequestID: r.RequestID, State: r.State,
		Content: r.Content, Annotations: r.Annotations, At: r.At,
		Steering: r.steering(), Queued: true, Held: r.Held, Next: r.Next,
	}
}

// templateBubble is the one that a script fills.
func templateBubble(v View) Bubble {
	return Bubble{State: stateSending, Actions: unsentActions(v)}
}

// isTemplate tells the bubble that a script fills: no message on the server is
// ever "sending".
func (b Bubble) isTemplate() bool { return b.State == stateSending }

// stateSending is a message on its way to the server.
const stateSending = "sending"

// forHost is what the host's hook gets of a message.
func (b Bubble) forHost() UserMessage {
	m := UserMessage{ID: b.RequestID, Content: b.Content, Annotations: b.Annotations}
	if m.ID == "" {
		m.ID = b.Key
	}
	return m
}

// stateKey is the locales' key of the state that the row names; a logged
// message, a state without words, and one that the caption names has none.
func (b Bubble) stateKey(v View) string {
	switch {
	case b.State == StateLogged, b.State == "":
		return ""
	case b.Held:
		return "queue.held"
	case b.Next:
		return "queue.next"
	case b.Steering:
		return ""
	}
	if key := "state." + b.State; v.P.Has(key) {
		return key
	}
	return ""
}
