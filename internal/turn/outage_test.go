package turn_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"webshell/internal/session"
	"webshell/internal/turn"
	"webshell/internal/turn/turntest"
)

// TestKilledConnectionsLoseNothing kills the process' connections again and
// again while a turn writes: every text and event is logged, once.
func TestKilledConnectionsLoseNothing(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	const rounds = 40
	cut, done := make(chan struct{}, rounds), make(chan error, 1)
	rig.Start(t, only(func(_ context.Context, _ turn.Input, out *turn.Output) (session.Outcome, error) {
		defer close(cut)
		var all error
		for i := range rounds {
			cut <- struct{}{} // the kill lands anywhere in what follows
			all = errors.Join(all,
				out.Text(fmt.Sprintf("%d, ", i)),
				out.Text(fmt.Sprintf("again %d; ", i)),
				out.Event(session.ToolUpdate{ToolCallID: "c", Text: fmt.Sprint(i)}))
		}
		all = errors.Join(all, out.Text("end"))
		done <- all
		return session.Completed, nil
	}))
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	killed := killConnections(t, rig.URL, cut)
	if err := wait(t, done, "the backend"); err != nil {
		t.Error(err)
	}
	fresh := turntest.Open(t, rig.URL) // its connections live
	fresh.Ended(t, id, 1)
	if killed.Load() == 0 {
		t.Error("no connection was killed")
	}
	log := fresh.Log(t, id)
	if outcome, message := turntest.Outcome(t, log); outcome != session.Completed {
		t.Errorf("ended as %s %q", outcome, message)
	}
	var want strings.Builder
	for i := range rounds {
		fmt.Fprintf(&want, "%d, again %d; ", i, i)
	}
	if got := turntest.Answer(log); got != want.String()+"end" {
		t.Errorf("the answer is %q", got)
	}
	for i, u := range turntest.Of[session.ToolUpdate](log) {
		if u.Text != fmt.Sprint(i) {
			t.Errorf("update %d says %s", i, u.Text)
		}
	}
	if n := len(turntest.Of[session.ToolUpdate](log)); n != rounds {
		t.Errorf("%d updates", n)
	}
}

// killConnections ends all connections of the database but its own, once for
// each receive.
func killConnections(t *testing.T, url string, cut <-chan struct{}) *atomic.Int64 {
	t.Helper()
	admin, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	var killed atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer admin.Close(context.Background())
		for range cut {
			tag, err := admin.Exec(context.Background(),
				"select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()")
			if err != nil {
				t.Errorf("kill connections: %v", err)
				return
			}
			killed.Add(tag.RowsAffected())
		}
	}()
	t.Cleanup(func() { wait(t, done, "the end of the killing") })
	return &killed
}

// everyOther fails every second call, beginning with the first.
func everyOther() func() error {
	var calls atomic.Int64
	return func() error {
		if calls.Add(1)%2 == 1 {
			return errCut
		}
		return nil
	}
}

// TestLostAnswersDoubleNothing: each write is applied although its answer is
// lost, and sent again.
func TestLostAnswersDoubleNothing(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	c := only(func(ctx context.Context, _ turn.Input, out *turn.Output) (session.Outcome, error) {
		var all error
		for i := range 5 {
			all = errors.Join(all,
				out.Text(fmt.Sprint("text ", i)),
				out.Event(session.PlanUpdate{Entries: []session.PlanEntry{{Content: "the same"}}}),
				out.Context([]byte(`{"kind":"plugin"}`), "the same", nil))
		}
		return session.Completed, all
	})
	lose, end := everyOther(), failing(1)
	c.Log = &faulty{
		Log:         rig.Store.TurnLog(),
		beforePiece: func(session.Piece) error { return nil },
		afterAppend: func([]session.Event) error { return lose() },
		afterFinish: end,
	}
	outcomes := make(chan session.Outcome, 1)
	c.Observe.TurnEnded = func(_ string, o session.Outcome, _ time.Duration) { outcomes <- o }
	rig.Start(t, c)
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	rig.Ended(t, id, 1)
	if got := wait(t, outcomes, "the end"); got != session.Completed {
		t.Errorf("observed as %s", got)
	}
	var kinds []session.Kind
	for _, e := range rig.Log(t, id) {
		kinds = append(kinds, e.Kind())
	}
	want := []session.Kind{session.KindUserMessage, session.KindTurnStarted}
	for range 5 {
		want = append(want, session.KindAssistantMessage, session.KindPlanUpdate, session.KindContextMessage)
	}
	if want = append(want, session.KindTurnEnded); !slices.Equal(kinds, want) {
		t.Errorf("logged %v", kinds)
	}
}

// TestStopDuringAnOutage: what was being written when the turn is stopped is
// logged with its end, once, whether or not the lost write had been applied.
func TestStopDuringAnOutage(t *testing.T) {
	t.Parallel()
	for name, applied := range map[string]bool{"the write is lost": false, "its answer is lost": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rig := turntest.New(t)
			failed := make(chan struct{}, 1000)
			cut := func() error {
				failed <- struct{}{}
				return errCut
			}
			c := only(func(_ context.Context, _ turn.Input, out *turn.Output) (session.Outcome, error) {
				out.Text("half an answer")
				return session.Completed, out.Event(session.ToolCall{ToolCallID: "c", Title: "look"})
			})
			log := &faulty{Log: rig.Store.TurnLog()}
			if applied {
				log.afterAppend = func([]session.Event) error { return cut() }
			} else {
				log.beforeAppend = cut
			}
			c.Log = log
			c.Grace = 10 * time.Millisecond
			rig.Start(t, c)
			id := rig.Session(t, "a")
			rig.Say(t, id, "go")
			wait(t, failed, "a failing write")
			wait(t, failed, "another try")
			stopTurn(t, rig, id)
			rig.Ended(t, id, 1)
			var kinds []session.Kind
			events := rig.Log(t, id)
			for _, e := range events {
				kinds = append(kinds, e.Kind())
			}
			want := []session.Kind{
				session.KindUserMessage, session.KindTurnStarted, session.KindAssistantMessage, session.KindToolCall, session.KindTurnEnded,
			}
			if !slices.Equal(kinds, want) {
				t.Errorf("logged %v", kinds)
			}
			if outcome, _ := turntest.Outcome(t, events); outcome != session.Cancelled {
				t.Errorf("ended as %s", outcome)
			}
		})
	}
}

// TestOutage: pieces, events and the end wait for the database to come back.
func TestOutage(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	c := only(func(_ context.Context, _ turn.Input, out *turn.Output) (session.Outcome, error) {
		return session.Completed, errors.Join(out.Text("one"), out.Thought("two"), out.Event(session.PlanUpdate{}), out.Text("three"))
	})
	piece := failing(3)
	c.Log = &faulty{
		Log:          rig.Store.TurnLog(),
		beforePiece:  func(session.Piece) error { return piece() },
		beforeAppend: failing(3),
		beforeFinish: failing(3),
	}
	rig.Start(t, c)
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	rig.Ended(t, id, 1)
	log := rig.Log(t, id)
	if outcome, message := turntest.Outcome(t, log); outcome != session.Completed {
		t.Errorf("ended as %s %q", outcome, message)
	}
	if got := turntest.Answer(log); got != "onethree" || len(log) != 7 {
		t.Errorf("answer is %q of %d events", got, len(log))
	}
}
