package turn_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"webshell/internal/session"
	"webshell/internal/turn"
	"webshell/internal/turn/turntest"
)

// TestLostLeaseFencesWrites: a runner whose heartbeats do not arrive loses its
// turn to another, and can write nothing more for it.
func TestLostLeaseFencesWrites(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	said, leave, late := make(chan struct{}, 1), make(chan struct{}), make(chan error, 4)
	c := only(func(ctx context.Context, _ turn.Input, out *turn.Output) (session.Outcome, error) {
		out.Text("kept")
		said <- struct{}{}
		<-leave
		late <- out.Event(session.ToolCall{ToolCallID: "c"})
		late <- out.Text("lost")
		_, err := out.Permission(ctx, question("p"))
		late <- err
		<-ctx.Done()
		late <- context.Cause(ctx)
		return session.Completed, nil
	})
	// Nor does it take the turn from itself, between its claim and its begin.
	cut := func() error { return errCut }
	c.Log = &faulty{Log: rig.Store.TurnLog(), beforeHeartbeat: cut, beforeReap: cut}
	c.Lease = 50 * time.Millisecond
	c.Subscribe = func(string) (<-chan struct{}, func()) { return nil, func() {} }
	lost := make(chan session.Outcome, 1)
	c.Observe.TurnEnded = func(_ string, outcome session.Outcome, _ time.Duration) { lost <- outcome }
	rig.Start(t, c)
	id := rig.Session(t, "a")
	rig.Say(t, id, "first")
	wait(t, said, "the text")

	other := turntest.Open(t, rig.URL)
	reaped := make(chan int, 1)
	o := only(nil)
	o.Backends = nil
	o.Parallel = 1
	o.Lease = 50 * time.Millisecond
	o.Observe.TurnsReaped = func(n int) { reaped <- n }
	other.Start(t, o)
	if n := wait(t, reaped, "the take-over"); n != 1 {
		t.Errorf("%d turns were taken over", n)
	}
	close(leave)
	for range 4 {
		if err := wait(t, late, "a late write"); !errors.Is(err, session.ErrFenced) {
			t.Errorf("a late write: %v", err)
		}
	}
	if outcome := wait(t, lost, "the end"); outcome != session.Interrupted {
		t.Errorf("observed as %s", outcome)
	}
	log := rig.Log(t, id)
	if outcome, _ := turntest.Outcome(t, log); outcome != session.Interrupted {
		t.Errorf("ended as %s", outcome)
	}
	if got := turntest.Answer(log); got != "kept" {
		t.Errorf("kept %q", got)
	}
	if n := len(turntest.Of[session.ToolCall](log)); n != 0 {
		t.Error("a late event was logged")
	}
}

// TestLeaseIsKept: a turn outlives many leases.
func TestLeaseIsKept(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	beats, leave := make(chan struct{}, 1000), make(chan struct{})
	c := only(func(ctx context.Context, _ turn.Input, out *turn.Output) (session.Outcome, error) {
		select {
		case <-leave:
		case <-ctx.Done():
		}
		return session.Completed, out.Text("whole")
	})
	c.Log = &faulty{Log: rig.Store.TurnLog(), beforeHeartbeat: func() error {
		beats <- struct{}{}
		return nil
	}}
	c.Lease = 300 * time.Millisecond
	rig.Start(t, c)
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	for range 10 {
		wait(t, beats, "a heartbeat")
	}
	close(leave)
	rig.Ended(t, id, 1)
	if outcome, _ := turntest.Outcome(t, rig.Log(t, id)); outcome != session.Completed {
		t.Errorf("ended as %s", outcome)
	}
}

// TestLapsedLeaseIsTakenUpAgain: heartbeats that failed for longer than the
// lease cost nothing while no other process looks, and this one prolongs its
// own leases before it looks for lapsed ones.
func TestLapsedLeaseIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	said, leave := make(chan struct{}, 1), make(chan struct{})
	fails := make(chan struct{}, 1000)
	back := make(chan struct{})
	beating := make(chan struct{}, 1000)
	c := only(saying("whole", said, leave))
	c.Log = &faulty{Log: rig.Store.TurnLog(), beforeHeartbeat: func() error {
		select {
		case <-back:
			beating <- struct{}{}
			return nil
		default:
			fails <- struct{}{}
			return errCut
		}
	}}
	c.Lease = 200 * time.Millisecond
	rig.Start(t, c)
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	wait(t, said, "the text")
	for range 6 { // a third of the lease apart
		wait(t, fails, "a failing heartbeat")
	}
	close(back)
	for range 5 {
		wait(t, beating, "a heartbeat")
	}
	close(leave)
	rig.Ended(t, id, 1)
	if outcome, _ := turntest.Outcome(t, rig.Log(t, id)); outcome != session.Completed {
		t.Errorf("ended as %s", outcome)
	}
}
