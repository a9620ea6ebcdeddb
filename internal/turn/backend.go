// Package turn runs the agent's turns: it claims them from the log's store,
// hands the message to a backend, and writes what comes back.
package turn

import (
	"context"

	"webshell/composer"
	"webshell/internal/session"
)

// Backend is an agent that can answer a message. Implementations are in
// internal/agent: the demo agent, ACP over stdio, OpenAI-compatible endpoints.
type Backend interface {
	// Describe says what the agent offers in a session ("" before there is one).
	// It is asked for every page: it answers from what is known and does not wait.
	Describe(ctx context.Context, sessionID string) (Description, error)

	// Run works on one message until the turn ends, and says how it ended.
	// It must return soon after ctx is cancelled (a person pressed Stop, the
	// lease was lost, or the server stops); its outcome is then ignored.
	// An error means the turn failed; it is logged in full and shown to the
	// person only where it is a *Fault.
	Run(ctx context.Context, in Input, out *Output) (session.Outcome, error)
}

// Description is what an agent offers.
type Description struct {
	Capabilities Capabilities
	Commands     []composer.Command
	Modes        []Choice
	Models       []Choice
}

// Capabilities are what not every agent can do.
type Capabilities struct {
	Steering bool // takes input in the middle of a turn, through Output.Step
	Images   bool
}

// Choice is a mode or a model that a person can pick.
type Choice struct {
	ID, Label, Description string
}

// Input is what a turn works on.
type Input struct {
	SessionID string
	TurnID    string
	Message   composer.Message // Content goes to the model byte for byte
	Mode      string           // "" is the agent's own default
	Model     string

	// History reads the session's log up to and including the message, for
	// backends that keep no conversation of their own.
	History func(ctx context.Context) ([]session.Event, error)
}

// Fault is an error that is meant for the person who reads the transcript.
type Fault struct {
	Message string // what happened and what to do
	Err     error  // for the server's log
}

func (f *Fault) Error() string {
	if f.Err == nil {
		return f.Message
	}
	return f.Message + ": " + f.Err.Error()
}

func (f *Fault) Unwrap() error { return f.Err }
