// Package session holds the conversation's log as values: the closed set of
// event kinds, the pure fold from events to the rows a person sees, and the
// provenance of what producers other than the person added. It does no I/O.
package session

import (
	"encoding/json"
	"time"

	"webshell/composer"
)

// Kind names an event in the log, in the field's words.
type Kind string

// The kinds this build knows. A log may hold others: they fold to a visible
// generic row.
const (
	KindUserMessage         Kind = "user/message"
	KindContextMessage      Kind = "context/message"
	KindAssistantMessage    Kind = "assistant/message"
	KindAssistantThought    Kind = "assistant/thought"
	KindToolCall            Kind = "tool/call"
	KindToolUpdate          Kind = "tool/update"
	KindPlanUpdate          Kind = "plan/update"
	KindPermissionRequested Kind = "permission/requested"
	KindPermissionResolved  Kind = "permission/resolved"
	KindTurnStarted         Kind = "turn/started"
	KindTurnEnded           Kind = "turn/ended"
	KindInboxSpliced        Kind = "inbox/spliced"
	KindInboxChanged        Kind = "inbox/changed"
	KindSessionTitled       Kind = "session/titled"
	KindModeChanged         Kind = "mode/changed"
	KindModelChanged        Kind = "model/changed"
	KindCommandsAvailable   Kind = "commands/available"
)

// Event is one entry of a session's append-only log.
type Event struct {
	Seq    int64 // 1, 2, 3 … without gaps within a session
	At     time.Time
	Source json.RawMessage // who produced a message; nil for events that are no message
	RPCID  string          // the submission's request id, for a message a person submitted
	// Content is the text of a message (user, context, assistant, thought).
	// For a user's message it is what the agent got, byte for byte.
	Content     string
	Annotations []composer.Annotation
	Payload     Payload // never nil
}

// Kind is the event's kind as the log names it.
func (e Event) Kind() Kind { return e.Payload.EventKind() }

// Payload is the body of an event: one of the types of this package.
type Payload interface {
	EventKind() Kind
	closed()
}

// Lanes of the inbox: what waits for the next turn, and what enters the
// running turn at its next step.
const (
	LaneNextTurn = "next-turn"
	LaneNextStep = "next-step"
)

// UserMessage is a message a person submitted. Lane is the inbox lane it was
// claimed from, empty when it never waited; it is stored with the message so
// that a page of the log folds right without what precedes it. Form is for the
// messages of a log from elsewhere that no person wrote: see ContextMessage.
type UserMessage struct {
	Lane string          `json:"lane,omitempty"`
	Form json.RawMessage `json:"form,omitempty"`
}

// ContextMessage is what a producer other than the person added to the model's
// conversation. Producer and role are read from the event's source, the layout
// of the text from Form (see ReadForm).
type ContextMessage struct {
	Form json.RawMessage `json:"form,omitempty"`
}

// AssistantMessage is one closed block of the agent's answer. Turn and Block
// identify the block while it was streamed.
type AssistantMessage struct {
	Turn  string `json:"turn"`
	Block int    `json:"block"`
}

// AssistantThought is one closed block of the agent's reasoning.
type AssistantThought struct {
	Turn  string `json:"turn"`
	Block int    `json:"block"`
}

// Statuses of a tool call.
const (
	ToolPending    = "pending"
	ToolInProgress = "in_progress"
	ToolCompleted  = "completed"
	ToolFailed     = "failed"
	ToolCancelled  = "cancelled" // the turn ended before the call did
)

// ToolCall begins a tool call.
type ToolCall struct {
	ToolCallID string          `json:"toolCallId"`
	Title      string          `json:"title"`
	ToolKind   string          `json:"toolKind,omitempty"`
	Status     string          `json:"status"`
	Locations  []string        `json:"locations,omitempty"`
	Input      json.RawMessage `json:"input,omitempty"`
}

// ToolUpdate changes a tool call; empty fields leave what was there.
type ToolUpdate struct {
	ToolCallID string          `json:"toolCallId"`
	Title      string          `json:"title,omitempty"`
	Status     string          `json:"status,omitempty"`
	Locations  []string        `json:"locations,omitempty"`
	Text       string          `json:"text,omitempty"` // replaces the text shown so far
	Output     json.RawMessage `json:"output,omitempty"`
}

// PlanUpdate replaces the turn's plan.
type PlanUpdate struct {
	Entries []PlanEntry `json:"entries"`
}

// PlanEntry is a line of a plan; Status is pending, in_progress or completed.
type PlanEntry struct {
	Content string `json:"content"`
	Status  string `json:"status"`
}

// Kinds of a permission option.
const (
	AllowOnce    = "allow_once"
	AllowAlways  = "allow_always"
	RejectOnce   = "reject_once"
	RejectAlways = "reject_always"
)

// PermissionRequested asks the person; the turn waits for the answer.
// Detail is what is to be allowed, whole (a command, a path).
type PermissionRequested struct {
	PermissionID string             `json:"permissionId"`
	ToolCallID   string             `json:"toolCallId,omitempty"`
	Title        string             `json:"title"`
	Detail       string             `json:"detail,omitempty"`
	Options      []PermissionOption `json:"options"`
}

// PermissionOption is one possible answer.
type PermissionOption struct {
	OptionID string `json:"optionId"`
	Label    string `json:"label"`
	Kind     string `json:"kind"`
}

// Outcomes of a permission.
const (
	PermissionSelected  = "selected"
	PermissionCancelled = "cancelled"
)

// PermissionResolved is the answer. OptionID is set when an option was selected.
type PermissionResolved struct {
	PermissionID string `json:"permissionId"`
	Outcome      string `json:"outcome"`
	OptionID     string `json:"optionId,omitempty"`
}

// TurnStarted begins the agent's work on the message at seq Message.
type TurnStarted struct {
	Turn    string `json:"turn"`
	Message int64  `json:"message"`
	Agent   string `json:"agent"`
	Attempt int    `json:"attempt"`
}

// Outcome says how a turn ended.
type Outcome string

// The outcomes of a turn.
const (
	Completed   Outcome = "completed"
	Cancelled   Outcome = "cancelled"
	Failed      Outcome = "failed"
	Interrupted Outcome = "interrupted" // its process died; never run again by itself
	Refused     Outcome = "refused"
	MaxTokens   Outcome = "max-tokens"
)

// TurnEnded ends a turn. Error is for people and set when Outcome is failed.
type TurnEnded struct {
	Turn    string  `json:"turn"`
	Outcome Outcome `json:"outcome"`
	Error   string  `json:"error,omitempty"`
}

// InboxSpliced records what entered and left a lane of the inbox.
// Outcome says why entries left: claimed, canceled or moved.
type InboxSpliced struct {
	Lane     string       `json:"lane"`
	Inserted []InboxEntry `json:"inserted,omitempty"`
	Removed  []string     `json:"removed,omitempty"`
	Outcome  string       `json:"outcome,omitempty"`
}

// InboxEntry names a waiting submission.
type InboxEntry struct {
	RequestID string `json:"requestId"`
}

// Outcomes of entries that left a lane.
const (
	InboxClaimed  = "claimed"  // a turn took them
	InboxCanceled = "canceled" // the person took them back
	InboxMoved    = "moved"    // they went to another lane
)

// InboxChanged records what was done to an inbox whose entries stayed in their
// lanes. RequestID is empty where it concerns all of them.
type InboxChanged struct {
	Change    string `json:"change"`
	RequestID string `json:"requestId,omitempty"`
}

// Changes of an inbox.
const (
	InboxEdited   = "edited"
	InboxHeld     = "held"     // it is being edited, and not taken meanwhile
	InboxReleased = "released" // the edit was given up
	InboxOrdered  = "ordered"
	InboxNext     = "next" // it goes before all others
	InboxPaused   = "paused"
	InboxResumed  = "resumed"
)

// SessionTitled names the session.
type SessionTitled struct {
	Title string `json:"title"`
}

// ModeChanged and ModelChanged record the agent's settings.
type ModeChanged struct {
	Mode string `json:"mode"`
}

// ModelChanged records the model in use.
type ModelChanged struct {
	Model string `json:"model"`
}

// CommandsAvailable replaces the list of commands the agent offers.
type CommandsAvailable struct {
	Commands []composer.Command `json:"commands"`
}

// Unknown is an event this build cannot read: a kind it does not know, or a
// body that does not fit its kind. Body is kept as it was.
type Unknown struct {
	Name Kind
	Body json.RawMessage
}

func (UserMessage) EventKind() Kind         { return KindUserMessage }
func (ContextMessage) EventKind() Kind      { return KindContextMessage }
func (AssistantMessage) EventKind() Kind    { return KindAssistantMessage }
func (AssistantThought) EventKind() Kind    { return KindAssistantThought }
func (ToolCall) EventKind() Kind            { return KindToolCall }
func (ToolUpdate) EventKind() Kind          { return KindToolUpdate }
func (PlanUpdate) EventKind() Kind          { return KindPlanUpdate }
func (PermissionRequested) EventKind() Kind { return KindPermissionRequested }
func (PermissionResolved) EventKind() Kind  { return KindPermissionResolved }
func (TurnStarted) EventKind() Kind         { return KindTurnStarted }
func (TurnEnded) EventKind() Kind           { return KindTurnEnded }
func (InboxSpliced) EventKind() Kind        { return KindInboxSpliced }
func (InboxChanged) EventKind() Kind        { return KindInboxChanged }
func (SessionTitled) EventKind() Kind       { return KindSessionTitled }
func (ModeChanged) EventKind() Kind         { return KindModeChanged }
func (ModelChanged) EventKind() Kind        { return KindModelChanged }
func (CommandsAvailable) EventKind() Kind   { return KindCommandsAvailable }
func (u Unknown) EventKind() Kind           { return u.Name }

func (UserMessage) closed()         {}
func (ContextMessage) closed()      {}
func (AssistantMessage) closed()    {}
func (AssistantThought) closed()    {}
func (ToolCall) closed()            {}
func (ToolUpdate) closed()          {}
func (PlanUpdate) closed()          {}
func (PermissionRequested) closed() {}
func (PermissionResolved) closed()  {}
func (TurnStarted) closed()         {}
func (TurnEnded) closed()           {}
func (InboxSpliced) closed()        {}
func (InboxChanged) closed()        {}
func (SessionTitled) closed()       {}
func (ModeChanged) closed()         {}
func (ModelChanged) closed()        {}
func (CommandsAvailable) closed()   {}
func (Unknown) closed()             {}
