package store_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"webshell/internal/session"
	"webshell/store"
	"webshell/store/storetest"
)

func (f fixture) append(t *testing.T, l session.Lease, events ...session.Event) {
	t.Helper()
	if err := f.TurnLog().Append(t.Context(), l, events...); err != nil {
		t.Fatal(err)
	}
}

func (f fixture) piece(t *testing.T, l session.Lease, block, n int) {
	t.Helper()
	p := session.Piece{Block: block, N: n, Kind: session.KindAssistantMessage, Text: fmt.Sprintf("%d.%d ", block, n)}
	if err := f.TurnLog().Piece(t.Context(), l, p); err != nil {
		t.Fatal(err)
	}
}

func (f fixture) steer(t *testing.T, text string) store.Receipt {
	t.Helper()
	sub := f.message(text)
	sub.Steer = true
	r, err := f.Submit(t.Context(), f.viewer, sub)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A try that was given up may reach the database after the block was closed.
func TestAPieceThatComesAfterItsBlockIsNotStored(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "hello")
	turn := f.claim(t)
	first := turn.Lease
	first.Write = 1
	f.piece(t, first, 1, 1)
	f.append(t, first, session.Event{Content: "1.1 ", Payload: session.AssistantMessage{Turn: turn.TurnID, Block: 1}})
	f.piece(t, first, 1, 2)
	if p := f.page(t, 0); len(p.Pieces) != 0 {
		t.Errorf("there are pieces of a closed block: %+v", p.Pieces)
	}
	second := turn.Lease
	second.Write = 2
	f.piece(t, second, 2, 1)
	if p := f.page(t, 0); len(p.Pieces) != 1 || p.Pieces[0].Block != 2 {
		t.Errorf("the next block's pieces are %+v", p.Pieces)
	}
}

func TestPiecesAreReadFromTheCursorOn(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "hello")
	turn := f.claim(t)
	for n := range 3 {
		f.piece(t, turn.Lease, 2, n+1)
	}
	for name, c := range map[string]struct {
		after store.Cursor
		want  string
	}{
		"no cursor":          {store.Cursor{}, "2.1 2.2 2.3 "},
		"in the block":       {store.Cursor{Turn: turn.TurnID, Block: 2, N: 1}, "2.2 2.3 "},
		"all of it":          {store.Cursor{Turn: turn.TurnID, Block: 2, N: 3}, ""},
		"the block before":   {store.Cursor{Turn: turn.TurnID, Block: 1, N: 7}, "2.1 2.2 2.3 "},
		"another turn's":     {store.Cursor{Turn: f.id, Block: 2, N: 2}, "2.1 2.2 2.3 "},
		"piece of no number": {store.Cursor{Turn: turn.TurnID, Block: 2}, "2.1 2.2 2.3 "},
	} {
		_, pieces, err := f.Follow(t.Context(), f.viewer, f.id, c.after)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, p := range pieces {
			got.WriteString(p.Text)
		}
		if got.String() != c.want {
			t.Errorf("%s: %q, want %q", name, got.String(), c.want)
		}
	}
}

// What no step took becomes ordinary next messages, each once, in the order
// in which it was sent, with what was queued all along.
func TestSteeringThatNoStepTookIsRunNext(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "0")
	turn := f.claim(t)
	var steered []string
	for _, text := range []string{"1", "3", "4"} {
		if text == "3" {
			f.send(t, "2")
		}
		r := f.steer(t, text)
		if r.State != store.StateSteering {
			t.Fatalf("%s is %s", text, r.State)
		}
		steered = append(steered, r.RequestID)
	}
	f.finish(t, turn, session.Completed)
	var moved []string
	for _, e := range f.page(t, 0).Events {
		if p, ok := e.Payload.(session.InboxSpliced); ok && p.Outcome == session.InboxMoved {
			moved = append(moved, p.Removed...)
		}
	}
	if !slices.Equal(moved, steered) {
		t.Errorf("logged as moved %v, sent %v", moved, steered)
	}
	var got []string
	for range 4 {
		next := f.claim(t)
		got = append(got, next.Message.Content)
		f.finish(t, next, session.Completed)
	}
	if want := []string{"1", "2", "3", "4"}; !slices.Equal(got, want) {
		t.Errorf("run as %v, want %v", got, want)
	}
	if _, claimed, err := f.TurnLog().Claim(t.Context(), "runner", lease); claimed || err != nil {
		t.Errorf("another turn: %v, %v", claimed, err)
	}
}

func TestAnAnswerStandsWhenTheAgentTakesItsQuestionBack(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ask := session.Event{Payload: session.PermissionRequested{PermissionID: "p", Title: "?", Options: []session.PermissionOption{{OptionID: "y", Kind: session.AllowOnce}}}}
	back := session.Event{Payload: session.PermissionResolved{PermissionID: "p", Outcome: session.PermissionCancelled}}
	f.send(t, "hello")
	turn := f.claim(t)
	f.append(t, turn.Lease, ask)
	if err := f.AnswerPermission(t.Context(), f.viewer, f.id, "p", "y"); err != nil {
		t.Fatal(err)
	}
	f.append(t, turn.Lease, back)
	resolved := func() (outcomes []string) {
		for _, e := range f.page(t, 0).Events {
			if p, ok := e.Payload.(session.PermissionResolved); ok {
				outcomes = append(outcomes, p.Outcome)
			}
		}
		return outcomes
	}
	if got := resolved(); !slices.Equal(got, []string{session.PermissionSelected}) {
		t.Errorf("resolved as %v", got)
	}
	f.append(t, turn.Lease, ask, back) // the same id again: another question
	if got := resolved(); !slices.Equal(got, []string{session.PermissionSelected, session.PermissionCancelled}) {
		t.Errorf("resolved as %v", got)
	}
	f.append(t, turn.Lease, ask) // and a third one, which waits
	if info, err := f.Session(t.Context(), f.viewer, f.id); err != nil || !info.NeedsAnswer {
		t.Errorf("an id that was answered before needs no answer: %+v, %v", info, err)
	}
}

// Turns end while messages come in, some for the next step: each message is
// logged once, and none is left waiting.
func TestMessagesSentWhileTurnsEndAreRunOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	other, _ := storetest.Open(t, f.url, store.Options{})
	const senders, each = 4, 15
	var sending sync.WaitGroup
	for i := range senders {
		sending.Go(func() {
			for j := range each {
				sub := f.message(fmt.Sprintf("%d/%d", i, j))
				sub.Steer = j%3 == 0
				if _, err := f.Submit(t.Context(), f.viewer, sub); err != nil {
					t.Error(err)
				}
			}
		})
	}
	sent := make(chan struct{})
	go func() {
		sending.Wait()
		close(sent)
	}()
	for idle := false; !idle; {
		select {
		case <-sent:
			idle = true // unless another turn is found now
		default:
		}
		turn, claimed, err := other.TurnLog().Claim(t.Context(), "runner", lease)
		if err != nil {
			t.Fatal(err)
		}
		if !claimed {
			continue
		}
		idle = false
		if _, err := other.TurnLog().TakeSteering(t.Context(), turn.Lease); err != nil {
			t.Fatal(err)
		}
		if err := other.TurnLog().Finish(t.Context(), turn.Lease, session.Completed, ""); err != nil {
			t.Fatal(err)
		}
	}
	logged := map[string]int{}
	for _, r := range f.log(t) {
		if r.Kind == string(session.KindUserMessage) {
			logged[*r.Content]++
		}
	}
	for text, n := range logged {
		if n != 1 {
			t.Errorf("%s was logged %d times", text, n)
		}
	}
	if waiting := f.waits(t); len(waiting) != 0 || len(logged) != senders*each {
		t.Errorf("%d of %d were logged, %d wait", len(logged), senders*each, len(waiting))
	}
}

func TestATurnThatCannotBeClosedDoesNotKeepOthersOpen(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "stuck")
	f.claim(t)
	stuck := f.id
	for range 2 {
		var err error
		if f.id, err = f.NewSession(t.Context(), f.viewer, "demo", ""); err != nil {
			t.Fatal(err)
		}
		f.send(t, "hello")
		f.claim(t)
	}
	if err := f.sql(t, `update turns set lease_until = now() - case session_id when '`+stuck+`' then interval '2 hours' else interval '1 hour' end;
		create trigger stuck before insert on events for each row when (new.session_id = '`+stuck+`') execute function refuse_change()`); err != nil {
		t.Fatal(err)
	}
	reaped, failed := 0, 0
	for tries := 0; tries < 200 && (reaped < 2 || failed == 0); tries++ {
		n, err := f.TurnLog().Reap(t.Context())
		reaped += n
		if err != nil {
			failed++
		}
	}
	if reaped != 2 || failed == 0 {
		t.Errorf("%d turns were closed, %d tries failed", reaped, failed)
	}
}
