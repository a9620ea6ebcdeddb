package turn_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"webshell/internal/session"
	"webshell/internal/turn"
	"webshell/internal/turn/turntest"
)

// logged collects the server's log.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

var generic = regexp.MustCompile(`^The agent failed\. The server's log has the details \(id ([A-Z2-7]{8})\)\.$`)

func TestFailures(t *testing.T) {
	t.Parallel()
	fault := &turn.Fault{Message: "The endpoint does not answer. Start it and retry.", Err: errors.New("dial 10.0.0.1: refused")}
	cases := map[string]struct {
		how     func() (session.Outcome, error)
		shown   string // "": the generic message
		details string // in the server's log
	}{
		"a fault":                    {func() (session.Outcome, error) { return "", fault }, fault.Message, "dial 10.0.0.1"},
		"a wrapped fault":            {func() (session.Outcome, error) { return "", fmt.Errorf("run: %w", fault) }, fault.Message, "dial 10.0.0.1"},
		"a fault that is too long":   {func() (session.Outcome, error) { return "", &turn.Fault{Message: strings.Repeat("long ", 10_000)} }, strings.Repeat("long ", 4096/5) + "l", "long"},
		"an error":                   {func() (session.Outcome, error) { return "", errors.New("secret path /srv/x") }, "", "secret path /srv/x"},
		"an error with an outcome":   {func() (session.Outcome, error) { return session.Completed, errors.New("oops") }, "", "oops"},
		"a panic":                    {func() (session.Outcome, error) { panic("secret state") }, "", "failure_test.go"},
		"a goroutine that ends":      {func() (session.Outcome, error) { runtime.Goexit(); return "", nil }, "", "without returning"},
		"no outcome":                 {func() (session.Outcome, error) { return "", nil }, "", `outcome \"\"`},
		"an outcome of the runner's": {func() (session.Outcome, error) { return session.Interrupted, nil }, "", "interrupted"},
		"failed without an error":    {func() (session.Outcome, error) { return session.Failed, nil }, "", "failed"},
		"an unknown outcome":         {func() (session.Outcome, error) { return "tired", nil }, "", "tired"},
	}
	rig := turntest.New(t)
	var server logged
	config := only(func(_ context.Context, in turn.Input, out *turn.Output) (session.Outcome, error) {
		out.Text("so far")
		return cases[in.Message.Content].how()
	})
	config.Logger = slog.New(slog.NewTextHandler(&server, nil))
	rig.Start(t, config)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			id := rig.Session(t, "a")
			rig.Say(t, id, name)
			rig.Ended(t, id, 1)
			log := rig.Log(t, id)
			outcome, message := turntest.Outcome(t, log)
			if outcome != session.Failed {
				t.Errorf("ended as %s", outcome)
			}
			if got := turntest.Answer(log); got != "so far" {
				t.Errorf("kept %q", got)
			}
			if c.shown != "" && message != c.shown {
				t.Errorf("shown %q", message)
			}
			if c.shown == "" {
				id := generic.FindStringSubmatch(message)
				if id == nil {
					t.Fatalf("shown %q", message)
				}
				if !strings.Contains(server.String(), "id="+id[1]) {
					t.Errorf("the log does not name the failure %s: %s", id[1], server.String())
				}
			}
			if !strings.Contains(server.String(), c.details) {
				t.Errorf("the log has no %q: %s", c.details, server.String())
			}
		})
	}
}

func TestOutcomesOfABackend(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	rig.Start(t, only(func(_ context.Context, in turn.Input, _ *turn.Output) (session.Outcome, error) {
		return session.Outcome(in.Message.Content), nil
	}))
	id := rig.Session(t, "a")
	for i, outcome := range []session.Outcome{session.Completed, session.Cancelled, session.Refused, session.MaxTokens} {
		rig.Say(t, id, string(outcome))
		rig.Ended(t, id, i+1)
		if got, message := turntest.Outcome(t, rig.Log(t, id)); got != outcome || message != "" {
			t.Errorf("%s ended as %s %q", outcome, got, message)
		}
	}
}

func TestUnknownAgent(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	rig.Start(t, only(nil))
	id := rig.Session(t, "gone")
	rig.Say(t, id, "go")
	rig.Ended(t, id, 1)
	outcome, message := turntest.Outcome(t, rig.Log(t, id))
	if outcome != session.Failed || !strings.Contains(message, `no agent named "gone"`) {
		t.Errorf("ended as %s %q", outcome, message)
	}
}

// TestFailureLeavesTheRunnerRunning: after a panic the same runner goes on.
func TestFailureLeavesTheRunnerRunning(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	c := only(func(_ context.Context, in turn.Input, out *turn.Output) (session.Outcome, error) {
		if in.Message.Content == "panic" {
			panic("now")
		}
		return session.Completed, out.Text("well")
	})
	c.Parallel = 1
	rig.Start(t, c)
	id := rig.Session(t, "a")
	rig.Say(t, id, "panic")
	rig.Say(t, id, "go")
	rig.Ended(t, id, 2)
	if got := turntest.Answer(rig.Log(t, id)); got != "well" {
		t.Errorf("answer is %q", got)
	}
}
