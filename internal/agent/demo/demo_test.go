package demo_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"webshell/composer"
	"webshell/internal/agent/demo"
	"webshell/internal/session"
	"webshell/internal/turn"
	"webshell/internal/turn/turntest"
	"webshell/internal/workspace"
	"webshell/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// clock counts what the agent would have waited.
type clock struct {
	mu     sync.Mutex
	waited time.Duration
	pauses int
}

func (c *clock) pause(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waited += d
	c.pauses++
	return ctx.Err()
}

func (c *clock) total() (time.Duration, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waited, c.pauses
}

// rig runs the demo agent on a database.
type rig struct {
	*turntest.Rig
	clock *clock
}

func newRig(t *testing.T, folder *workspace.Folder) rig {
	t.Helper()
	r := rig{turntest.New(t), &clock{}}
	agent := demo.New(folder)
	agent.Pause = r.clock.pause
	r.Start(t, turn.Config{Backends: map[string]turn.Backend{"demo": agent}})
	return r
}

// ask sends a message in a session of its own and returns the log of the turn.
func (r rig) ask(t *testing.T, content string) []session.Event {
	t.Helper()
	id := r.Session(t, "demo")
	r.Say(t, id, content)
	r.Ended(t, id, 1)
	return r.Log(t, id)
}

func completed(t *testing.T, log []session.Event) {
	t.Helper()
	if outcome, message := turntest.Outcome(t, log); outcome != session.Completed {
		t.Errorf("ended as %s %q", outcome, message)
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	d, err := demo.New(nil).Describe(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if !d.Capabilities.Steering || d.Capabilities.Images {
		t.Errorf("capabilities are %+v", d.Capabilities)
	}
	hints := map[string]string{"slow": "SECONDS", "tool": "", "ask": "", "think": "", "markdown": "", "context": "", "fail": ""}
	for _, c := range d.Commands {
		hint, known := hints[c.Name]
		if !known {
			t.Errorf("an unknown or repeated command %q", c.Name)
			continue
		}
		delete(hints, c.Name)
		if c.Description == nil || *c.Description == "" || c.Source == nil || *c.Source != "demo" {
			t.Errorf("%s is described by %v from %v", c.Name, c.Description, c.Source)
		}
		if c.DisplayCategory == nil || *c.DisplayCategory != "system" {
			t.Errorf("%s stands under %v", c.Name, c.DisplayCategory)
		}
		if got := c.ArgumentHint; (got == nil) != (hint == "") || got != nil && *got != hint {
			t.Errorf("%s has the hint %v", c.Name, got)
		}
	}
	if len(hints) != 0 {
		t.Errorf("not described: %v", hints)
	}
}

// TestDescribedCommandsSurviveTheSanitizer: a command taken from the menu is
// sent back as an annotation, whole.
func TestDescribedCommandsSurviveTheSanitizer(t *testing.T) {
	t.Parallel()
	d, err := demo.New(nil).Describe(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range d.Commands {
		content := "/" + c.Name
		stored := composer.Encode([]composer.Annotation{{Type: composer.TypeCommand, End: len(content), Text: content, Command: &c}})
		read := composer.ReadStored(content, stored)
		if len(read) != 1 || *read[0].Command.DisplayCategory != *c.DisplayCategory || *read[0].Command.Description != *c.Description {
			t.Errorf("%s came back as %+v", c.Name, read)
		}
	}
}
