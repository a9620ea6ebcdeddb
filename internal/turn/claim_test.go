package turn_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"webshell/internal/session"
	"webshell/internal/turn"
	"webshell/internal/turn/turntest"
)

func TestTurnsAreClaimedInOrder(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	var sessions []string
	for i := range 8 {
		id := rig.Session(t, "a")
		rig.Say(t, id, fmt.Sprint(i))
		sessions = append(sessions, id)
	}
	order := make(chan string, len(sessions))
	c := only(func(_ context.Context, in turn.Input, _ *turn.Output) (session.Outcome, error) {
		order <- in.Message.Content
		return session.Completed, nil
	})
	c.Parallel = 1
	rig.Start(t, c)
	for i := range sessions {
		if got := wait(t, order, "the next turn"); got != fmt.Sprint(i) {
			t.Fatalf("turn %d worked on message %s", i, got)
		}
	}
}

func TestSessionRunsOneTurnAtATime(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	var running, most atomic.Int32
	c := only(func(_ context.Context, in turn.Input, out *turn.Output) (session.Outcome, error) {
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		return session.Completed, out.Text(in.Message.Content)
	})
	rig.Start(t, c)
	rig.Start(t, c)
	id := rig.Session(t, "a")
	const messages = 20
	var want string
	for i := range messages {
		content := fmt.Sprintf("message %d\n", i)
		rig.Say(t, id, content)
		want += content
	}
	rig.Ended(t, id, messages)
	if most.Load() != 1 {
		t.Errorf("%d turns of one session ran at a time", most.Load())
	}
	if got := turntest.Answer(rig.Log(t, id)); got != want {
		t.Errorf("answers are %q", got)
	}
}

func TestParallelBoundsTheTurnsOfARunner(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	started, leave := make(chan struct{}, 8), make(chan struct{})
	var running, most atomic.Int32
	c := only(func(ctx context.Context, _ turn.Input, _ *turn.Output) (session.Outcome, error) {
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		started <- struct{}{}
		<-leave
		return session.Completed, nil
	})
	c.Parallel = 2
	rig.Start(t, c)
	var sessions []string
	for range 5 {
		id := rig.Session(t, "a")
		rig.Say(t, id, "go")
		sessions = append(sessions, id)
	}
	wait(t, started, "the first turn")
	wait(t, started, "the second turn")
	close(leave)
	for _, id := range sessions {
		rig.Ended(t, id, 1)
	}
	if most.Load() != 2 {
		t.Errorf("%d turns ran at a time", most.Load())
	}
}

// TestRunnersShareWork lets two processes work off a hundred turns.
func TestRunnersShareWork(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	other := turntest.Open(t, rig.URL)
	var mu sync.Mutex
	runs := map[string]int{}
	var both sync.WaitGroup // each runner holds its first turn until the other has one
	both.Add(2)
	runner := func() turn.Config {
		var first sync.Once
		return only(func(_ context.Context, in turn.Input, out *turn.Output) (session.Outcome, error) {
			first.Do(func() {
				both.Done()
				both.Wait()
			})
			mu.Lock()
			runs[in.TurnID]++
			mu.Unlock()
			return session.Completed, out.Text("done")
		})
	}
	const turns = 100
	var sessions []string
	for range turns {
		id := rig.Session(t, "a")
		rig.Say(t, id, "go")
		sessions = append(sessions, id)
	}
	for _, r := range []*turntest.Rig{rig, other} {
		c := runner()
		c.Parallel = 4
		r.Start(t, c)
	}
	for _, id := range sessions {
		rig.Ended(t, id, 1)
		log := rig.Log(t, id)
		if n := len(turntest.Of[session.TurnStarted](log)); n != 1 {
			t.Errorf("a turn was started %d times", n)
		}
		if got := turntest.Answer(log); got != "done" {
			t.Errorf("answer is %q", got)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(runs) != turns {
		t.Errorf("%d turns ran", len(runs))
	}
	for id, n := range runs {
		if n != 1 {
			t.Errorf("turn %s ran %d times", id, n)
		}
	}
}

func TestTurnStartsWithoutAWake(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	c := only(func(context.Context, turn.Input, *turn.Output) (session.Outcome, error) {
		return session.Completed, nil
	})
	c.Subscribe = func(string) (<-chan struct{}, func()) { return nil, func() {} } // every wake is lost
	rig.Start(t, c)
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	rig.Ended(t, id, 1)
}

func TestInput(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	histories := make(chan []session.Event, 2)
	c := only(func(ctx context.Context, in turn.Input, out *turn.Output) (session.Outcome, error) {
		log, err := in.History(ctx)
		histories <- log
		if err != nil {
			return "", err
		}
		return session.Completed, out.Text("answer to " + in.Message.Content)
	})
	rig.Start(t, c)
	id := rig.Session(t, "a")
	rig.Say(t, id, "one")
	rig.Ended(t, id, 1)
	wait(t, histories, "the first turn")
	rig.Say(t, id, "two")
	rig.Ended(t, id, 2)
	log := wait(t, histories, "the second turn")
	if last := log[len(log)-1]; last.Content != "two" || last.Kind() != session.KindUserMessage {
		t.Errorf("the history ends with %+v", last)
	}
	if got := turntest.Answer(log); got != "answer to one" {
		t.Errorf("the history holds the answer %q", got)
	}
}

func TestObserve(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	type end struct {
		agent   string
		outcome session.Outcome
	}
	started, ended := make(chan string, 1), make(chan end, 1)
	c := only(func(context.Context, turn.Input, *turn.Output) (session.Outcome, error) { return session.Refused, nil })
	c.Observe = turn.Observe{
		TurnStarted: func(agent string) { started <- agent },
		TurnEnded: func(agent string, outcome session.Outcome, took time.Duration) {
			if took <= 0 {
				t.Errorf("it took %s", took)
			}
			ended <- end{agent, outcome}
		},
	}
	rig.Start(t, c)
	rig.Say(t, rig.Session(t, "a"), "go")
	if agent := wait(t, started, "the start"); agent != "a" {
		t.Errorf("agent %q started", agent)
	}
	if got := wait(t, ended, "the end"); got != (end{"a", session.Refused}) {
		t.Errorf("ended as %+v", got)
	}
}
