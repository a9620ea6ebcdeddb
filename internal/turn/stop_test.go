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

func stopTurn(t *testing.T, rig *turntest.Rig, sessionID string) {
	t.Helper()
	if there, err := rig.Store.Stop(t.Context(), rig.Viewer, sessionID, ""); err != nil || !there {
		t.Fatalf("stop: %v, %v", there, err)
	}
}

func TestStopKeepsThePartialText(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	said := make(chan struct{}, 1)
	rig.Start(t, only(saying("half an ans", said, nil)))
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	wait(t, said, "the text")
	stopTurn(t, rig, id)
	rig.Ended(t, id, 1)
	log := rig.Log(t, id)
	if outcome, message := turntest.Outcome(t, log); outcome != session.Cancelled || message != "" {
		t.Errorf("ended as %s %q", outcome, message)
	}
	if got := turntest.Answer(log); got != "half an ans" {
		t.Errorf("kept %q", got)
	}
	checkNoPieces(t, rig, id)
}

// checkNoPieces: what the log holds is not held a second time.
func checkNoPieces(t *testing.T, rig *turntest.Rig, sessionID string) {
	t.Helper()
	page, err := rig.Store.Page(t.Context(), rig.Viewer, sessionID, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Pieces) != 0 {
		t.Errorf("%d pieces are left", len(page.Pieces))
	}
}

func TestStopReachesAnotherProcess(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	other := turntest.Open(t, rig.URL)
	said := make(chan struct{}, 1)
	rig.Start(t, only(saying("x", said, nil)))
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	wait(t, said, "the text")
	stopTurn(t, other, id)
	other.Ended(t, id, 1)
}

func TestLastWordsOfAStoppedBackendAreKept(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	said := make(chan struct{}, 1)
	rig.Start(t, only(func(ctx context.Context, _ turn.Input, out *turn.Output) (session.Outcome, error) {
		out.Text("begun")
		said <- struct{}{}
		<-ctx.Done()
		if err := out.Event(session.ToolUpdate{ToolCallID: "c", Status: session.ToolFailed}); err != nil {
			t.Errorf("an event after the stop: %v", err)
		}
		if err := out.Text(", broken off"); err != nil {
			t.Errorf("text after the stop: %v", err)
		}
		return session.Completed, nil
	}))
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	wait(t, said, "the text")
	stopTurn(t, rig, id)
	rig.Ended(t, id, 1)
	log := rig.Log(t, id)
	if outcome, _ := turntest.Outcome(t, log); outcome != session.Cancelled {
		t.Errorf("ended as %s", outcome)
	}
	if got := turntest.Answer(log); got != "begun, broken off" {
		t.Errorf("kept %q", got)
	}
}

// TestStopOfABackendThatIgnoresIt: the turn is closed without the backend, and
// what the backend writes then is refused.
func TestStopOfABackendThatIgnoresIt(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	said, leave, late := make(chan struct{}, 1), make(chan struct{}), make(chan error, 3)
	c := only(func(_ context.Context, in turn.Input, out *turn.Output) (session.Outcome, error) {
		if in.Message.Content != "stubborn" {
			return session.Completed, out.Text("next")
		}
		out.Text("kept")
		said <- struct{}{}
		<-leave
		late <- out.Text("lost")
		late <- out.Event(session.ToolCall{ToolCallID: "c"})
		_, err := out.Step(context.Background())
		late <- err
		return session.Completed, nil
	})
	c.Grace = 10 * time.Millisecond
	rig.Start(t, c)
	id := rig.Session(t, "a")
	rig.Say(t, id, "stubborn")
	wait(t, said, "the text")
	stopTurn(t, rig, id)
	rig.Ended(t, id, 1)
	rig.Say(t, id, "and another") // the session goes on meanwhile
	rig.Ended(t, id, 2)
	close(leave)
	for range 3 {
		if err := wait(t, late, "a late write"); !errors.Is(err, session.ErrFenced) {
			t.Errorf("a late write: %v", err)
		}
	}
	log := rig.Log(t, id)
	if got := turntest.Answer(log); got != "keptnext" {
		t.Errorf("answers are %q", got)
	}
	if ends := turntest.Of[session.TurnEnded](log); ends[0].Outcome != session.Cancelled || len(ends) != 2 {
		t.Errorf("ends are %+v", ends)
	}
}

// TestStopBeforeTheTurnBegins: a stop that came while the turn waited keeps
// the backend from running at all.
func TestStopBeforeTheTurnBegins(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	stopTurn(t, rig, id)
	rig.Start(t, only(func(context.Context, turn.Input, *turn.Output) (session.Outcome, error) {
		t.Error("the backend ran")
		return session.Completed, nil
	}))
	rig.Ended(t, id, 1)
	if outcome, _ := turntest.Outcome(t, rig.Log(t, id)); outcome != session.Cancelled {
		t.Errorf("ended as %s", outcome)
	}
}

// What waits when a turn is stopped waits on until the person says so.
func TestQueueGoesOnAfterAStop(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	said := make(chan struct{}, 1)
	rig.Start(t, only(func(ctx context.Context, in turn.Input, out *turn.Output) (session.Outcome, error) {
		if in.Message.Content == "first" {
			return saying("a", said, nil)(ctx, in, out)
		}
		return session.Completed, out.Text("b")
	}))
	id := rig.Session(t, "a")
	rig.Say(t, id, "first")
	wait(t, said, "the text")
	rig.Say(t, id, "second")
	stopTurn(t, rig, id)
	rig.Ended(t, id, 1)
	if q, err := rig.Store.Queue(t.Context(), rig.Viewer, id); err != nil || !q.Paused || len(q.Waiting) != 1 {
		t.Errorf("the queue is %+v, %v", q, err)
	}
	if err := rig.Store.Resume(t.Context(), rig.Viewer, id); err != nil {
		t.Fatal(err)
	}
	rig.Ended(t, id, 2)
	if got := turntest.Answer(rig.Log(t, id)); got != "ab" {
		t.Errorf("answers are %q", got)
	}
}

// TestShutdown: turns that run when the server stops are closed at once, with
// their text, whether or not their backend returns.
func TestShutdown(t *testing.T) {
	t.Parallel()
	for name, obeys := range map[string]bool{"a backend that returns": true, "a backend that does not": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rig := turntest.New(t)
			said, leave := make(chan struct{}, 1), make(chan struct{})
			defer close(leave)
			c := only(func(ctx context.Context, _ turn.Input, out *turn.Output) (session.Outcome, error) {
				out.Text("half")
				said <- struct{}{}
				if obeys {
					<-ctx.Done()
				} else {
					<-leave
				}
				return session.Completed, nil
			})
			c.Grace = 10 * time.Millisecond
			stop := rig.Start(t, c)
			id := rig.Session(t, "a")
			rig.Say(t, id, "go")
			wait(t, said, "the text")
			begun := time.Now()
			stop()
			if took := time.Since(begun); took > 5*time.Second {
				t.Errorf("it took %s", took)
			}
			log := rig.Log(t, id)
			if outcome, _ := turntest.Outcome(t, log); outcome != session.Interrupted {
				t.Errorf("ended as %s", outcome)
			}
			if got := turntest.Answer(log); got != "half" {
				t.Errorf("kept %q", got)
			}
			notice := session.Fold("", log).Nodes[2].(*session.NoticeNode)
			if !notice.Retry {
				t.Error("no retry is offered")
			}
		})
	}
}

func TestRetryAfterAnInterruption(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	said := make(chan struct{}, 1)
	stop := rig.Start(t, only(saying("half", said, nil)))
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	wait(t, said, "the text")
	stop()
	rig.Start(t, only(func(_ context.Context, in turn.Input, out *turn.Output) (session.Outcome, error) {
		return session.Completed, out.Text("whole answer to " + in.Message.Content)
	}))
	if err := rig.Store.Retry(t.Context(), rig.Viewer, id); err != nil {
		t.Fatal(err)
	}
	state := rig.Ended(t, id, 2)
	users := 0
	for _, n := range state.Nodes {
		if _, ok := n.(*session.UserNode); ok {
			users++
		}
	}
	if users != 1 {
		t.Errorf("%d bubbles of one message", users)
	}
	if got := turntest.Answer(rig.Log(t, id)); got != "halfwhole answer to go" {
		t.Errorf("answers are %q", got)
	}
}
