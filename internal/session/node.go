package session

import (
	"encoding/json"
	"strconv"
	"time"

	"webshell/composer"
)

// Node is a row of the transcript: one of the types of this package.
type Node interface {
	Base() *NodeBase
	node()
}

// NodeBase is what every row has. Key is the row's identity, in the fold and
// in the DOM; a user's message keeps one key from echo to bubble.
type NodeBase struct {
	Key  string
	Seq  int64 // the event that made the row; 0 while a block is still open
	At   time.Time
	Turn string // the turn it belongs to, "" outside one
}

// Base gives access to the common part.
func (b *NodeBase) Base() *NodeBase { return b }
func (*NodeBase) node()             {}

// UserNode is a person's message.
type UserNode struct {
	NodeBase
	RequestID   string
	Content     string
	Annotations []composer.Annotation
	Steering    bool   // it entered a running turn at a step
	Recalled    string // label of the recall row that directly follows it
}

// TextNode is a block of the agent's answer or, with Thought, of its reasoning.
type TextNode struct {
	NodeBase
	Thought bool
	Text    string
	Open    bool // still streaming
}

// ToolNode is a tool call with its latest state.
type ToolNode struct {
	NodeBase
	Call    ToolCall
	Text    string
	Output  json.RawMessage
	EndedAt time.Time // zero while it runs
}

// PlanNode is the turn's plan, replaced in place.
type PlanNode struct {
	NodeBase
	Entries []PlanEntry
}

// PermissionNode is a question to the person and, once known, its answer.
type PermissionNode struct {
	NodeBase
	Request PermissionRequested
	Outcome string // "" while it waits
	Option  string // the selected option's id
}

// ContextNode is what another producer added to the model's context.
type ContextNode struct {
	NodeBase
	Provenance Provenance
	Source     json.RawMessage
	Form       Form            // how the body is laid out; nil: plain text
	Unread     json.RawMessage // a form that cannot be read, to be shown as it is written
	Content    string
}

// NoticeKind says what a notice row tells.
type NoticeKind string

// The notices.
const (
	NoticeTurnEnded NoticeKind = "turn-ended" // any outcome but completed
	NoticeMode      NoticeKind = "mode"
	NoticeModel     NoticeKind = "model"
)

// NoticeNode is a quiet line about the conversation itself.
type NoticeNode struct {
	NodeBase
	Notice  NoticeKind
	Outcome Outcome // of NoticeTurnEnded
	Detail  string  // the error, the mode, the model
	Retry   bool    // the turn can be run again: nothing has followed it
}

// UnknownNode shows an event that this build cannot read.
type UnknownNode struct {
	NodeBase
	Name    Kind
	Body    json.RawMessage
	Content string
}

// MessageKey is the identity of a submitted message, from echo to bubble.
func MessageKey(requestID string) string { return "m-" + requestID }

// BlockKey is the identity of a streamed block, open and closed.
func BlockKey(turn string, block int) string { return "b-" + turn + "-" + strconv.Itoa(block) }

// EventKey is the identity of a row that nothing else names.
func EventKey(seq int64) string { return "e-" + strconv.FormatInt(seq, 10) }
