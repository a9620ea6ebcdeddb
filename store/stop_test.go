package store_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"webshell/internal/session"
	"webshell/store"
	"webshell/store/storetest"
)

func (f fixture) stop(t *testing.T, turn string) bool {
	t.Helper()
	stopping, err := f.Stop(t.Context(), f.viewer, f.id, turn)
	must(t, err)
	return stopping
}

func (f fixture) stops(t *testing.T, l session.Lease) bool {
	t.Helper()
	signals, err := f.TurnLog().Signals(t.Context(), l)
	must(t, err)
	return signals.Stop
}

func (f fixture) sendNow(t *testing.T, requestID, turn string) bool {
	t.Helper()
	stopping, err := f.SendNow(t.Context(), f.viewer, f.id, requestID, turn)
	must(t, err)
	return stopping
}

// A click that comes as a turn ends does not reach the one that follows.
func TestStopReachesTheTurnItNames(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "1")
	f.send(t, "2")
	first := f.claim(t)
	f.finish(t, first, session.Completed)
	second := f.claim(t)
	if f.stop(t, first.TurnID) || f.stops(t, second.Lease) {
		t.Error("the second turn is stopped by the first one's name")
	}
	if info, err := f.Session(t.Context(), f.viewer, f.id); err != nil || info.Turn != second.TurnID {
		t.Errorf("the session runs %q, %v", info.Turn, err)
	}
	if !f.stop(t, second.TurnID) || !f.stops(t, second.Lease) {
		t.Error("the second turn is not stopped by its own")
	}
	if !f.stop(t, "") || len(f.changes(t)) != 0 {
		t.Error("whichever turn it is: not stopped, or the empty queue was paused")
	}
}

// Stop pauses what waits, what steers with it, also over a restart. What is
// sent to the idle session begins a turn; the queue goes on when a person says
// so, in its order.
func TestStopPausesTheQueue(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "runs")
	turn := f.claim(t)
	f.send(t, "1")
	f.steer(t, "2")
	f.send(t, "3")
	f.stop(t, turn.TurnID)
	f.stop(t, turn.TurnID)
	f.finish(t, turn, session.Cancelled)
	f.Store, _ = storetest.Open(t, f.url, store.Options{})
	if got := f.runs(t); len(got) != 0 {
		t.Fatalf("run are %v", got)
	}
	if q := f.queue(t); !q.Paused || len(q.Waiting) != 3 {
		t.Errorf("the queue is %+v", q)
	}
	if r := f.send(t, "rather this"); r.State != store.StateLogged {
		t.Errorf("a message to the idle session is %s", r.State)
	}
	if r := f.send(t, "4"); r.State != store.StateQueued {
		t.Errorf("the next is %s", r.State)
	}
	if got := f.runs(t); !slices.Equal(got, []string{"rather this"}) {
		t.Errorf("run are %v", got)
	}
	for range 2 {
		must(t, f.Resume(t.Context(), f.viewer, f.id))
	}
	if got, want := f.runs(t), []string{"1", "2", "3", "4"}; !slices.Equal(got, want) {
		t.Errorf("run are %v, want %v", got, want)
	}
	if got, want := f.changes(t), []string{session.InboxPaused, session.InboxResumed}; !slices.Equal(got, want) {
		t.Errorf("logged are %v", got)
	}
}

// The pause is of the messages that waited: with the last of them it is over.
func TestAPauseEndsWithItsMessages(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "runs")
	waits := f.send(t, "waits").RequestID
	f.stop(t, "")
	must(t, f.Delete(t.Context(), f.viewer, f.id, waits))
	if f.queue(t).Paused {
		t.Error("nothing is paused")
	}
	f.send(t, "next")
	if got, want := f.runs(t), []string{"runs", "next"}; !slices.Equal(got, want) {
		t.Errorf("run are %v", got)
	}
}

func TestAQueueGoesOnAfterStopWhereThePersonPrefersIt(t *testing.T) {
	t.Parallel()
	f := setup(t)
	prefers := func(want store.Preferences) {
		t.Helper()
		if p, err := f.Preferences(t.Context(), f.viewer); err != nil || p != want {
			t.Errorf("preferred is %+v, %v", p, err)
		}
	}
	prefers(store.Preferences{Enter: store.EnterQueue, AfterStop: store.AfterStopWait})
	must(t, f.SavePreferences(t.Context(), f.viewer, store.Preferences{AfterStop: store.AfterStopDrain}))
	must(t, f.SavePreferences(t.Context(), f.viewer, store.Preferences{Enter: store.EnterSteer}))
	prefers(store.Preferences{Enter: store.EnterSteer, AfterStop: store.AfterStopDrain})
	f.send(t, "runs")
	f.send(t, "waits")
	f.stop(t, "")
	if got, want := f.runs(t), []string{"runs", "waits"}; !slices.Equal(got, want) {
		t.Errorf("run are %v", got)
	}
}

// Exactly one message is sent now: the turn that runs is stopped for it, the
// others stay as they were.
func TestSendNowSendsThatMessage(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "runs")
	turn := f.claim(t)
	ids := map[string]string{}
	for _, text := range []string{"1", "2", "3", "4"} {
		ids[text] = f.send(t, text).RequestID
	}
	if !f.sendNow(t, ids["3"], turn.TurnID) || !f.stops(t, turn.Lease) {
		t.Error("the turn is not stopped")
	}
	f.sendNow(t, ids["3"], turn.TurnID) // a button that is pressed twice
	if got := f.waits(t); !slices.Equal(got, []string{"3", "1", "2", "4"}) {
		t.Errorf("waiting are %v", got)
	}
	f.finish(t, turn, session.Cancelled)
	third := f.claim(t)
	if third.Message.Content != "3" {
		t.Fatalf("sent was %s", third.Message.Content)
	}
	f.stop(t, "") // pauses
	f.finish(t, third, session.Cancelled)
	if f.sendNow(t, ids["2"], "") {
		t.Error("a turn is stopped where none runs")
	}
	if got := f.runs(t); !slices.Equal(got, []string{"2"}) {
		t.Errorf("run are %v", got)
	}
	if q := f.queue(t); !q.Paused || !slices.Equal(f.waits(t), []string{"1", "4"}) {
		t.Errorf("the queue is %+v", q)
	}
}

// Where the turn that was to be stopped has ended, the one that has begun runs
// on, and the message comes after it.
func TestSendNowStopsTheTurnItNames(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "1")
	f.send(t, "2")
	f.send(t, "3")
	last := f.send(t, "4").RequestID
	first := f.claim(t)
	f.finish(t, first, session.Completed)
	second := f.claim(t)
	if f.sendNow(t, last, first.TurnID) || f.stops(t, second.Lease) {
		t.Error("another turn is stopped")
	}
	f.finish(t, second, session.Completed)
	if got, want := f.runs(t), []string{"4", "3"}; !slices.Equal(got, want) {
		t.Errorf("run are %v", got)
	}
}

func TestAHeldMessageIsNeitherSentNorSteered(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "runs")
	f.claim(t)
	id := f.send(t, "waits").RequestID
	f.sendNow(t, id, "")
	f.hold(t, id, "") // an edit comes before sending
	if f.queue(t).Waiting[0].SendingNow {
		t.Error("it is held, and goes next")
	}
	if _, err := f.SendNow(t.Context(), f.viewer, f.id, id, ""); !errors.Is(err, store.ErrHeld) {
		t.Errorf("send now: %v", err)
	}
	if err := f.Steer(t.Context(), f.viewer, f.id, id, ""); !errors.Is(err, store.ErrHeld) {
		t.Errorf("steer: %v", err)
	}
}

// Steered messages enter first in, first out, each once, marked in the log.
func TestSteerMovesAMessageIntoTheRunningTurn(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "runs")
	turn := f.claim(t)
	ids := map[string]string{}
	for _, text := range []string{"1", "2", "3"} {
		ids[text] = f.send(t, text).RequestID
	}
	steer := func(text, turn string) error { return f.Steer(t.Context(), f.viewer, f.id, ids[text], turn) }
	must(t, steer("3", turn.TurnID))
	must(t, steer("1", ""))
	must(t, steer("1", turn.TurnID))
	if got := f.waits(t); !slices.Equal(got, []string{"3", "1", "2"}) {
		t.Errorf("waiting are %v", got)
	}
	if _, err := f.TurnLog().TakeSteering(t.Context(), turn.Lease); err != nil {
		t.Fatal(err)
	}
	var steering []string
	for _, n := range session.Fold("", f.page(t, 0).Events).Nodes {
		if u, ok := n.(*session.UserNode); ok && u.Steering {
			steering = append(steering, u.Content)
		}
	}
	if !slices.Equal(steering, []string{"3", "1"}) {
		t.Errorf("steering are %v", steering)
	}
	f.finish(t, turn, session.Completed)
	if err := steer("2", ""); !errors.Is(err, store.ErrTaken) {
		t.Errorf("of the next turn's message: %v", err)
	}
}

// What cannot be steered any more waits on, at its place, and is run once.
func TestSteeringThatComesTooLateWaitsOn(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "runs")
	turn := f.claim(t)
	f.send(t, "1")
	second, third := f.send(t, "2").RequestID, f.send(t, "3").RequestID
	must(t, f.Steer(t.Context(), f.viewer, f.id, second, turn.TurnID))
	f.finish(t, turn, session.Completed)
	if err := f.Steer(t.Context(), f.viewer, f.id, third, turn.TurnID); !errors.Is(err, store.ErrTurnOver) {
		t.Errorf("got %v", err)
	}
	if got, want := f.runs(t), []string{"1", "2", "3"}; !slices.Equal(got, want) {
		t.Errorf("run are %v, want %v", got, want)
	}
	if err := f.Steer(t.Context(), f.viewer, f.id, third, ""); !errors.Is(err, store.ErrTaken) {
		t.Errorf("got %v", err)
	}
}

func TestOrder(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "runs")
	ids := make([]string, 5)
	for i := range ids {
		ids[i] = f.send(t, fmt.Sprint(i)).RequestID
	}
	named := func(places ...int) (named []string) {
		for _, i := range places {
			named = append(named, ids[i])
		}
		return named
	}
	for _, step := range []struct {
		do   func() error
		want []string
	}{
		{func() error { return f.Order(t.Context(), f.viewer, f.id, named(4, 3, 2, 1, 0)) }, []string{"4", "3", "2", "1", "0"}},
		{func() error { return f.Order(t.Context(), f.viewer, f.id, named(0, 4)) }, []string{"0", "3", "2", "1", "4"}},
		{func() error { return f.MoveUp(t.Context(), f.viewer, f.id, ids[2]) }, []string{"0", "2", "3", "1", "4"}},
		{func() error { return f.MoveDown(t.Context(), f.viewer, f.id, ids[3]) }, []string{"0", "2", "1", "3", "4"}},
		{func() error { return f.MoveUp(t.Context(), f.viewer, f.id, ids[0]) }, []string{"0", "2", "1", "3", "4"}},
		{func() error { return f.MoveDown(t.Context(), f.viewer, f.id, ids[4]) }, []string{"0", "2", "1", "3", "4"}},
		{func() error { return f.Delete(t.Context(), f.viewer, f.id, ids[2]) }, []string{"0", "1", "3", "4"}},
		{func() error { return f.Order(t.Context(), f.viewer, f.id, named(2, 4, 0)) }, []string{"4", "1", "3", "0"}},
		{func() error { return f.Order(t.Context(), f.viewer, f.id, named(2)) }, []string{"4", "1", "3", "0"}},
	} {
		must(t, step.do())
		if got := f.waits(t); !slices.Equal(got, step.want) {
			t.Fatalf("waiting are %v, want %v", got, step.want)
		}
	}
	if got, want := f.changes(t), slices.Repeat([]string{session.InboxOrdered}, 5); !reflect.DeepEqual(got, want) {
		t.Errorf("logged are %v", got)
	}
	f.send(t, "last")
	if got, want := f.runs(t), []string{"runs", "4", "1", "3", "0", "last"}; !slices.Equal(got, want) {
		t.Errorf("run are %v, want %v", got, want)
	}
}

// Twenty fast sends while a turn runs: twenty rows, in order, all run.
func TestTwentyFastSends(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "runs")
	turn := f.claim(t)
	var want []string
	for i := range 20 {
		want = append(want, fmt.Sprint(i))
		f.send(t, want[i])
	}
	if got := f.waits(t); !slices.Equal(got, want) {
		t.Errorf("waiting are %v", got)
	}
	f.finish(t, turn, session.Completed)
	if got := f.runs(t); !slices.Equal(got, want) {
		t.Errorf("run are %v", got)
	}
}
