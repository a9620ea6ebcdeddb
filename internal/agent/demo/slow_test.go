package demo_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"webshell/internal/agent/demo"
	"webshell/internal/session"
	"webshell/internal/turn"
	"webshell/internal/turn/turntest"
)

func TestSlow(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	log := r.ask(t, "/slow 4 and more words")
	completed(t, log)
	if waited, _ := r.clock.total(); waited != 4*time.Second {
		t.Errorf("it takes %s", waited)
	}
	var blocks []string
	for _, e := range log {
		if e.Kind() == session.KindAssistantMessage {
			blocks = append(blocks, e.Content)
		}
	}
	if len(blocks) != 5 { // one a second, and the end
		t.Fatalf("blocks are %q", blocks)
	}
	for i, b := range blocks[:4] {
		if !strings.HasPrefix(b, fmt.Sprintf("Second %d of 4: ", i+1)) {
			t.Errorf("block %d is %q", i, b)
		}
	}
}

func TestSlowHasBounds(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	for _, args := range []string{"", " ", " 0", " 601", " -1", " 1.5", " ten", " 99999999999999999999"} {
		log := r.ask(t, "/slow"+args)
		completed(t, log)
		if answer := turntest.Answer(log); !strings.Contains(answer, "from 1 to 600") {
			t.Errorf("/slow%s answers %q", args, answer)
		}
	}
	if waited, _ := r.clock.total(); waited > 10*time.Second {
		t.Errorf("it took %s", waited)
	}
}

// TestSlowTakesSteering steers during the first second.
func TestSlowTakesSteering(t *testing.T) {
	t.Parallel()
	r := turntest.New(t)
	agent := demo.New(nil)
	paused, resume := make(chan struct{}, 1), make(chan struct{})
	agent.Pause = func(ctx context.Context, _ time.Duration) error {
		select {
		case paused <- struct{}{}:
		default:
		}
		select {
		case <-resume:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	r.Start(t, turn.Config{Backends: map[string]turn.Backend{"demo": agent}})
	id := r.Session(t, "demo")
	r.Say(t, id, "/slow 2")
	select {
	case <-paused:
	case <-time.After(turntest.Deadline):
		t.Fatal("the turn does not begin")
	}
	r.Steer(t, id, "turn ```left```")
	r.Steer(t, id, "and stop")
	close(resume)
	state := r.Ended(t, id, 1)
	answer := turntest.Answer(r.Log(t, id))
	for _, want := range []string{"````\nturn ```left```\n````", "```\nand stop\n```"} {
		if !strings.Contains(answer, want) {
			t.Errorf("the answer does not acknowledge %q: %q", want, answer)
		}
	}
	var rows []string
	for _, n := range state.Nodes {
		switch n := n.(type) {
		case *session.UserNode:
			rows = append(rows, "user")
			if n.Steering != (len(rows) > 1) {
				t.Errorf("%q is marked as steering: %v", n.Content, n.Steering)
			}
		case *session.TextNode:
			rows = append(rows, "text")
		}
	}
	if got := strings.Join(rows, " "); got != "user text user user text text" {
		t.Errorf("rows are %s", got)
	}
}

func TestSlowIsStopped(t *testing.T) {
	t.Parallel()
	r := turntest.New(t)
	r.Start(t, turn.Config{Backends: map[string]turn.Backend{"demo": demo.New(nil)}}) // the real clock
	id := r.Session(t, "demo")
	r.Say(t, id, "/slow 600")
	r.Until(t, id, func(log []session.Event) bool { return len(turntest.Of[session.TurnStarted](log)) == 1 })
	if _, err := r.Store.Stop(t.Context(), r.Viewer, id, ""); err != nil {
		t.Fatal(err)
	}
	r.Ended(t, id, 1)
	if outcome, _ := turntest.Outcome(t, r.Log(t, id)); outcome != session.Cancelled {
		t.Errorf("ended as %s", outcome)
	}
}
