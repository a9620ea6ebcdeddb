// Package demo is the agent that answers until another one is configured. It
// needs no model: it shows what a model would receive, and its commands
// exercise every kind of row a transcript can have.
package demo

import (
	"context"
	"strings"
	"time"
	"unicode"

	"webshell/composer"
	"webshell/internal/session"
	"webshell/internal/turn"
	"webshell/internal/workspace"
)

// Agent implements turn.Backend.
type Agent struct {
	// Pause waits for a duration, or fails with ctx's error. New sets a timer;
	// tests need not wait.
	Pause func(ctx context.Context, d time.Duration) error

	folder *workspace.Folder
}

// New makes the agent. Folder is the folder that /tool lists; nil means
// there is none.
func New(folder *workspace.Folder) *Agent {
	return &Agent{Pause: pause, folder: folder}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// reply is one answer in the making.
type reply struct {
	*Agent
	in   turn.Input
	out  *turn.Output
	args []string // the words after the command
}

// command is something the agent does on request.
type command struct {
	name        string // without the slash
	hint        string // of its argument
	description string
	run         func(r *reply, ctx context.Context) (session.Outcome, error)
}

func commands() []command {
	return []command{
		{"slow", "SECONDS", "Say words for so many seconds, and take steering each second", (*reply).slow},
		{"tool", "", "Call a tool that lists the workspace folder", (*reply).tool},
		{"ask", "", "Ask for a permission, and say what was answered", (*reply).ask},
		{"think", "", "Show reasoning before the answer", (*reply).think},
		{"markdown", "", "Answer with a long sample of formatted text", (*reply).markdown},
		{"context", "", "Add one context row for each kind of source and each form", (*reply).context},
		{"fail", "", "Fail in the middle of the answer", (*reply).fail},
	}
}

// Describe offers the commands, and steering.
func (a *Agent) Describe(context.Context, string) (turn.Description, error) {
	d := turn.Description{Capabilities: turn.Capabilities{Steering: true}}
	source, category := "demo", "system"
	for _, c := range commands() {
		offer := composer.Command{Name: c.name, Description: &c.description, Source: &source, DisplayCategory: &category}
		if c.hint != "" {
			offer.ArgumentHint = &c.hint
		}
		d.Commands = append(d.Commands, offer)
	}
	return d, nil
}

// Run does what the message's command says, or shows the message.
func (a *Agent) Run(ctx context.Context, in turn.Input, out *turn.Output) (session.Outcome, error) {
	r := &reply{Agent: a, in: in, out: out}
	if name, args, ok := typedCommand(in.Message); ok {
		r.args = args
		for _, c := range commands() {
			if c.name == name {
				return c.run(r, ctx)
			}
		}
	}
	return r.echo(ctx)
}

// typedCommand reads a slash and a word at the message's very start, and the
// words after it. A chip that covers them is a reference, whatever it says.
func typedCommand(m composer.Message) (name string, args []string, ok bool) {
	rest, slash := strings.CutPrefix(m.Content, "/")
	if !slash {
		return "", nil, false
	}
	for _, a := range m.Annotations {
		if a.Type == composer.TypeReference && a.Start == 0 {
			return "", nil, false
		}
	}
	if end := strings.IndexFunc(rest, unicode.IsSpace); end >= 0 {
		return rest[:end], strings.Fields(rest[end:]), true
	}
	return rest, nil, true
}
