// Package templates draws every page and fragment from plain view models. It
// reads nothing but its arguments: no store, no request. Each view exists as a
// page and as a fragment, which is the page's body alone.
package templates

//go:generate go tool templ generate -log-level=warn

import (
	"context"
	"time"

	"github.com/a-h/templ"

	"webshell/composer"
	"webshell/internal/session"
	"webshell/web/locales"
)

// View is what every component needs of its surroundings. It is a value, cheap
// to copy.
type View struct {
	URLs  URLs
	P     *locales.Printer
	Nonce string // of the page's style-src; "" leaves it out
	Icons *IconSet
	Now   time.Time // its location is the time zone of what is shown
	// Markdown turns an answer's text into HTML that is safe to send as it is.
	Markdown func(string) string
	// UserContent lets the host draw the content of a person's message. Where
	// it is nil or returns nil, the message is drawn here. A component that
	// fails makes the page fail.
	UserContent func(context.Context, UserMessage) templ.Component
	Theme       string // "light" or "dark"; "" is the system's
	// ReadOnly leaves out every form of the transcript.
	ReadOnly bool
}

// UserMessage is what the host's hook gets. ID is the submission's request id,
// or the row's key where a log from elsewhere has none.
type UserMessage struct {
	ID, Content string
	Annotations []composer.Annotation
}

// Page is what every page has. An empty UserName shows nobody signed in.
type Page struct {
	Title            string
	UserID, UserName string
	Preferences      Preferences
}

// Preferences are the person's own, on every browser. Empty ones are not
// offered: nobody is signed in.
type Preferences struct {
	Enter     string // "queue" or "steer"
	AfterStop string // "wait" or "drain"
}

// SessionItem is one entry of the list of sessions.
type SessionItem struct {
	ID, Title   string
	UpdatedAt   time.Time
	Running     bool
	NeedsAnswer bool // a permission waits for the person
	Current     bool // the session on this page
}

// Home is the start page. Sessions are in the order to show, newest first.
type Home struct {
	Page
	Sessions []SessionItem
	Composer Composer
}

// Composer is the form to write a message.
type Composer struct {
	Action    string // where it posts
	RequestID string // minted for this form: posting it twice sends once
	Text      string
	// Tags is the JSON list of the text's tags, so that a draft or a message
	// that was refused keeps its chips; "" is none.
	Tags        string
	Running     bool   // a turn runs: what is sent waits, and Stop is shown
	StopURL     string // "" where no session has begun
	Error       string // why the last message was not taken
	Placeholder string // "" takes the usual words
	MaxBytes    int    // longest text, in bytes of UTF-8; 0 says none
	Enter       string // what Enter does while a turn runs, "queue" or "steer"; "" says nothing
	Steers      bool   // the agent takes messages while it works
}

// Session is one conversation.
type Session struct {
	Page
	ID                 string
	Agent, Mode, Model string // each may be ""
	Sessions           []SessionItem
	Rows               []session.Node
	Open               *OpenBlock
	Queue              QueueView
	Edit               *QueueEdit // the form to edit a message that waits
	Composer           Composer
	LastSeq            int64  // the newest event that Rows hold
	OlderURL           string // the page before the first row, "" at the start
	RestURL            string // the rows of the first turn that were left out
	Watch              bool   // the view that refreshes itself and only shows
	Notice             string // shown at the foot
}

// OpenBlock is a block of the answer that is still being written.
type OpenBlock struct {
	Key     string
	Thought bool
	Done    string // safe HTML of the finished part
	Tail    string // safe HTML of the rest or, with Plain, its text
	Plain   bool
	At      time.Time
}

// QueueView is what waits in a session, in order.
type QueueView struct {
	SessionID string
	Rows      []QueueRow
	Paused    bool   // it waits for the person
	Turn      string // the turn that runs, "" for none
	Steers    bool   // its agent takes messages while it works
}

// QueueRow is a message that waits. State is "queued", "steering" or "claimed".
type QueueRow struct {
	RequestID, State string
	Content          string
	Annotations      []composer.Annotation
	At               time.Time
	Held             bool // it is being edited
	Next             bool // it goes before all others
}

// QueueEdit is the form to edit a message that waits, for browsers without
// script. Hold names the edit.
type QueueEdit struct {
	SessionID, RequestID, Hold, Text string
	MaxBytes                         int // longest text, in bytes of UTF-8
}

// Login is the page behind a sign-in link. Without a token it says how to get
// a link.
type Login struct {
	Token   string
	Expired bool   // the link was used, or is too old
	Next    string // the path to go to, "" for home
}

// ErrorView is what went wrong and the way on. Where Message or Hint is empty,
// the words of Code are used ("error.CODE" and "error.CODE.hint" of the
// locales), else those of an internal error.
type ErrorView struct {
	Page
	Status              int
	Code, Message, Hint string
	ID                  string     // finds the details in the server's log
	Kept                *Composer  // what the person wrote, to be sent again
	KeptEdit            *QueueEdit // or to be saved again
	BackURL             string     // "" leads home
}
