package store_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"webshell/composer"
	"webshell/internal/session"
	"webshell/store"
)

// to is an edit that puts this text in the message's place.
func to(text string) func(composer.Message) (composer.Message, error) {
	return func(composer.Message) (composer.Message, error) { return composer.Message{Content: text}, nil }
}

func (f fixture) hold(t *testing.T, requestID, hold string) store.Held {
	t.Helper()
	h, err := f.Hold(t.Context(), f.viewer, f.id, requestID, hold, lease)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func (f fixture) edit(t *testing.T, requestID, hold, text string) error {
	t.Helper()
	_, err := f.Edit(t.Context(), f.viewer, f.id, requestID, hold, to(text))
	return err
}

// abandon lets the time of all holds pass.
func (f fixture) abandon(t *testing.T) {
	t.Helper()
	if err := f.sql(t, `update inbox set held_until = now() - interval '1 second' where held_until is not null`); err != nil {
		t.Fatal(err)
	}
}

func TestAnEditIsSavedUnderTheSameRequestID(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "runs")
	sub := f.message("frist")
	first, err := f.Submit(t.Context(), f.viewer, sub)
	if err != nil {
		t.Fatal(err)
	}
	held := f.hold(t, sub.RequestID, "")
	if held.Message.Content != "frist" || held.Hold == "" || !f.queue(t).Waiting[0].Held {
		t.Errorf("held %+v", held)
	}
	if err := f.edit(t, sub.RequestID, held.Hold, "first"); err != nil {
		t.Fatal(err)
	}
	if w := f.queue(t).Waiting[0]; w.Held || w.Message.Content != "first" {
		t.Errorf("waits %+v", w)
	}
	// As it was sent it was accepted, and that was that.
	again, err := f.Submit(t.Context(), f.viewer, sub)
	first.Replayed = true
	if err != nil || !reflect.DeepEqual(again, first) {
		t.Errorf("sent again: %+v, %v", again, err)
	}
	sub.Message.Content = "first"
	if _, err := f.Submit(t.Context(), f.viewer, sub); !errors.Is(err, store.ErrRequestIDReused) {
		t.Errorf("sent again as edited: %v", err)
	}
	if got, want := f.runs(t), []string{"runs", "first"}; !slices.Equal(got, want) {
		t.Errorf("run are %v", got)
	}
	if got, want := f.changes(t), []string{session.InboxHeld, session.InboxEdited}; !slices.Equal(got, want) {
		t.Errorf("logged are %v", got)
	}
}

// Nobody takes a message that is edited, and those behind it wait for it.
func TestAHeldMessageHoldsUpTheQueue(t *testing.T) {
	t.Parallel()
	for name, release := range map[string]struct {
		with func(t *testing.T, f fixture, held store.Held)
		runs []string
	}{
		"saved": {func(t *testing.T, f fixture, h store.Held) { must(t, f.edit(t, h.RequestID, h.Hold, "1, changed")) }, []string{"1, changed", "2"}},
		"given up": {func(t *testing.T, f fixture, h store.Held) {
			must(t, f.Release(t.Context(), f.viewer, f.id, h.RequestID, h.Hold))
		}, []string{"1", "2"}},
		"deleted": {func(t *testing.T, f fixture, h store.Held) {
			must(t, f.Delete(t.Context(), f.viewer, f.id, h.RequestID))
		}, []string{"2"}},
		"moved": {func(t *testing.T, f fixture, h store.Held) {
			must(t, f.MoveDown(t.Context(), f.viewer, f.id, h.RequestID))
		}, []string{"2"}},
		"abandoned": {func(t *testing.T, f fixture, h store.Held) { f.abandon(t); f.reap(t) }, []string{"1", "2"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			f.send(t, "runs")
			held := f.hold(t, f.send(t, "1").RequestID, "")
			f.send(t, "2")
			if got := f.runs(t); !slices.Equal(got, []string{"runs"}) {
				t.Fatalf("run are %v", got)
			}
			if r := f.send(t, "3"); r.State != store.StateQueued {
				t.Errorf("a message behind it is %s", r.State)
			}
			release.with(t, f, held)
			if got, want := f.runs(t), append(release.runs, "3"); name != "moved" && !slices.Equal(got, want) {
				t.Errorf("run are %v, want %v", got, want)
			} else if name == "moved" && !slices.Equal(got, release.runs) {
				t.Errorf("run are %v, want %v", got, release.runs)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (f fixture) reap(t *testing.T) {
	t.Helper()
	if _, err := f.TurnLog().Reap(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A step takes what steers up to a message that is edited.
func TestAHeldMessageHoldsUpSteering(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "runs")
	turn := f.claim(t)
	f.steer(t, "1")
	held := f.hold(t, f.steer(t, "2").RequestID, "")
	f.steer(t, "3")
	take := func() (texts []string) {
		t.Helper()
		taken, err := f.TurnLog().TakeSteering(t.Context(), turn.Lease)
		must(t, err)
		for _, e := range taken {
			texts = append(texts, e.Content)
		}
		return texts
	}
	if got := take(); !slices.Equal(got, []string{"1"}) {
		t.Errorf("a step took %v", got)
	}
	if signals, err := f.TurnLog().Signals(t.Context(), turn.Lease); err != nil || !signals.Steering {
		t.Errorf("signals %+v, %v", signals, err)
	}
	must(t, f.edit(t, held.RequestID, held.Hold, "two"))
	if got := take(); !slices.Equal(got, []string{"two", "3"}) {
		t.Errorf("the next took %v", got)
	}
}

// Who edits a message that another edits takes it over; what the other saves
// then is refused, and nobody's text is lost unseen.
func TestAnEditThatWasTakenOverSavesNothing(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "runs")
	id := f.send(t, "text").RequestID
	first := f.hold(t, id, "")
	if again := f.hold(t, id, first.Hold); again.Hold != first.Hold {
		t.Errorf("prolonged under another name")
	}
	second := f.hold(t, id, "")
	refused := func(err error) {
		t.Helper()
		if !errors.Is(err, store.ErrEditedElsewhere) {
			t.Errorf("got %v", err)
		}
	}
	refused(f.edit(t, id, first.Hold, "mine"))
	refused(f.edit(t, id, "", "a program's"))
	_, err := f.Hold(t.Context(), f.viewer, f.id, id, first.Hold, lease)
	refused(err)
	must(t, f.Release(t.Context(), f.viewer, f.id, id, first.Hold))
	if !f.queue(t).Waiting[0].Held {
		t.Fatal("the first has released the second's hold")
	}
	must(t, f.edit(t, id, second.Hold, "theirs"))
	refused(f.edit(t, id, second.Hold, "once more"))
	if got := f.waits(t); !slices.Equal(got, []string{"theirs"}) {
		t.Errorf("waits %v", got)
	}
	must(t, f.edit(t, id, "", "a program's")) // nobody edits it now
}

// A laptop that slept over its edit can still save, unless somebody else edited.
func TestAnAbandonedEditCanStillBeSaved(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "runs")
	id := f.send(t, "text").RequestID
	held := f.hold(t, id, "")
	f.abandon(t)
	if f.queue(t).Waiting[0].Held {
		t.Error("it is held past its time")
	}
	f.reap(t)
	f.reap(t)
	if got, want := f.changes(t), []string{session.InboxHeld, session.InboxReleased}; !slices.Equal(got, want) {
		t.Errorf("logged are %v", got)
	}
	must(t, f.edit(t, id, held.Hold, "late"))
	if got := f.waits(t); !slices.Equal(got, []string{"late"}) {
		t.Errorf("waits %v", got)
	}
}

// Whoever comes too late is told what has become of the message, and nothing
// is changed.
func TestWhatIsGoneCannotBeChanged(t *testing.T) {
	t.Parallel()
	f := setup(t)
	taken := f.send(t, "runs").RequestID
	f.send(t, "queued") // so that the session is busy
	deleted := f.send(t, "deleted").RequestID
	must(t, f.Delete(t.Context(), f.viewer, f.id, deleted))
	must(t, f.Delete(t.Context(), f.viewer, f.id, deleted))
	actions := map[string]func(id string) error{
		"hold":    func(id string) error { _, err := f.Hold(t.Context(), f.viewer, f.id, id, "", lease); return err },
		"edit":    func(id string) error { return f.edit(t, id, "", "other") },
		"release": func(id string) error { return f.Release(t.Context(), f.viewer, f.id, id, "") },
		"up":      func(id string) error { return f.MoveUp(t.Context(), f.viewer, f.id, id) },
		"down":    func(id string) error { return f.MoveDown(t.Context(), f.viewer, f.id, id) },
		"steer":   func(id string) error { return f.Steer(t.Context(), f.viewer, f.id, id, "") },
		"send":    func(id string) error { _, err := f.SendNow(t.Context(), f.viewer, f.id, id, ""); return err },
		"delete":  func(id string) error { return f.Delete(t.Context(), f.viewer, f.id, id) },
	}
	before := len(f.log(t))
	for name, do := range actions {
		if err := do(taken); !errors.Is(err, store.ErrTaken) {
			t.Errorf("%s of what a turn took: %v", name, err)
		}
		if err := do(deleted); !errors.Is(err, store.ErrDeleted) && name != "delete" {
			t.Errorf("%s of what was deleted: %v", name, err)
		}
		if err := do("00000000-0000-4000-8000-000000000000"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s of what was never sent: %v", name, err)
		}
	}
	if after := len(f.log(t)); after != before {
		t.Errorf("%d events more", after-before)
	}
	if turn := f.claim(t); turn.Message.Content != "runs" {
		t.Error(turn.Message.Content)
	} else if s, err := f.TurnLog().Signals(t.Context(), turn.Lease); err != nil || s.Stop {
		t.Errorf("a refused action stops the turn: %+v, %v", s, err)
	}
}

// An edit that fails leaves the message as it was, and held.
func TestARefusedEditChangesNothing(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "runs")
	id := f.send(t, "text").RequestID
	held := f.hold(t, id, "")
	blank := func(composer.Message) (composer.Message, error) { return composer.Message{}, composer.ErrBlank }
	if _, err := f.Edit(t.Context(), f.viewer, f.id, id, held.Hold, blank); !errors.Is(err, composer.ErrBlank) {
		t.Errorf("got %v", err)
	}
	if w := f.queue(t).Waiting[0]; !w.Held || w.Message.Content != "text" {
		t.Errorf("waits %+v", w)
	}
}

// Edits cannot grow a queue past its limit.
func TestAnEditMayNotGrowAFullQueue(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "runs")
	id := f.send(t, "text").RequestID
	const wait = `insert into inbox (session_id, request_id, lane, content, annotations, source)
		select $1, gen_random_uuid(), 'next-turn', repeat('x', $2), '[]', '{}' from generate_series(1, $3)`
	must(t, f.sql(t, wait, f.id, composer.MaxText, store.InboxBytes/composer.MaxText))
	if err := f.edit(t, id, "", strings.Repeat("y", 5)); !errors.Is(err, store.ErrQueueFull) {
		t.Errorf("longer: %v", err)
	}
	must(t, f.edit(t, id, "", "tex"))
}
