package turn_test

import (
	"context"
	"slices"
	"testing"

	"webshell/internal/session"
	"webshell/internal/turn"
	"webshell/internal/turn/turntest"
)

// stepping says something, waits, and takes a step.
type stepping struct {
	reached chan struct{}
	step    chan struct{}
	took    chan []string
}

func newStepping() *stepping {
	return &stepping{make(chan struct{}, 1), make(chan struct{}), make(chan []string, 8)}
}

func (s *stepping) run(ctx context.Context, in turn.Input, out *turn.Output) (session.Outcome, error) {
	out.Text("before the step")
	s.reached <- struct{}{}
	<-s.step
	messages, err := out.Step(ctx)
	if err != nil {
		return "", err
	}
	var contents []string
	for _, m := range messages {
		contents = append(contents, m.Content)
	}
	s.took <- contents
	return session.Completed, out.Text("after the step")
}

func TestSteeringIsTakenAtAStep(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	backend := newStepping()
	rig.Start(t, only(backend.run))
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	wait(t, backend.reached, "the text")
	first := rig.Steer(t, id, "first")
	rig.Steer(t, id, "second")
	close(backend.step)
	if got := wait(t, backend.took, "the step"); !slices.Equal(got, []string{"first", "second"}) {
		t.Errorf("took %q", got)
	}
	state := rig.Ended(t, id, 1)
	var rows []string
	for _, n := range state.Nodes {
		switch n := n.(type) {
		case *session.TextNode:
			rows = append(rows, n.Text)
		case *session.UserNode:
			rows = append(rows, n.Content)
			if n.Steering != (n.Content != "go") {
				t.Errorf("%q is marked as steering: %v", n.Content, n.Steering)
			}
		}
	}
	if want := []string{"go", "before the step", "first", "second", "after the step"}; !slices.Equal(rows, want) {
		t.Errorf("rows are %q", rows)
	}
	if state.Node(session.MessageKey(first.RequestID)) == nil {
		t.Error("the steered message has lost its identity")
	}
}

func TestStepWithNothingWaiting(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	backend := newStepping()
	rig.Start(t, only(backend.run))
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	wait(t, backend.reached, "the text")
	rig.Say(t, id, "for the next turn")
	backend.step <- struct{}{}
	if got := wait(t, backend.took, "the step"); len(got) != 0 {
		t.Errorf("took %q", got)
	}
	wait(t, backend.reached, "the next turn")
	close(backend.step)
	rig.Ended(t, id, 2)
}

// TestSteeringTooLate: what no step took becomes the next turn's message.
func TestSteeringTooLate(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	said, leave := make(chan struct{}, 2), make(chan struct{})
	rig.Start(t, only(saying("x", said, leave)))
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	wait(t, said, "the text")
	rig.Steer(t, id, "late")
	close(leave)
	state := rig.Ended(t, id, 2)
	n, ok := state.Nodes[2].(*session.UserNode)
	if !ok || n.Content != "late" || n.Steering {
		t.Errorf("the late message is %+v", state.Nodes[2])
	}
}

// TestSteeringWhoseAnswerIsLost: a claim that was applied, its answer lost
// with the connection, still reaches the backend, once.
func TestSteeringWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	backend := newStepping()
	c := only(func(ctx context.Context, in turn.Input, out *turn.Output) (session.Outcome, error) {
		for range 2 {
			if outcome, err := backend.run(ctx, in, out); err != nil {
				return outcome, err
			}
		}
		return session.Completed, nil
	})
	c.Log = &faulty{Log: rig.Store.TurnLog(), afterTake: failing(2)}
	rig.Start(t, c)
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	wait(t, backend.reached, "the text")
	rig.Steer(t, id, "first")
	rig.Steer(t, id, "second")
	backend.step <- struct{}{}
	if got := wait(t, backend.took, "the step"); !slices.Equal(got, []string{"first", "second"}) {
		t.Errorf("took %q", got)
	}
	wait(t, backend.reached, "the text")
	rig.Steer(t, id, "third")
	backend.step <- struct{}{}
	if got := wait(t, backend.took, "the step"); !slices.Equal(got, []string{"third"}) {
		t.Errorf("then took %q", got)
	}
	rig.Ended(t, id, 1)
}
