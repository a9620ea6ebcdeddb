package store_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"webshell/internal/session"
	"webshell/store"
	"webshell/store/storetest"
)

// late are the answers to who comes too late, or meets another's edit.
var late = []error{store.ErrTaken, store.ErrDeleted, store.ErrHeld, store.ErrTurnOver, store.ErrEditedElsewhere}

// person acts at random on the messages of a session, at one of its processes.
type person struct {
	fixture
	random *rand.Rand
	shared *told
}

// told is what persons have sent and done to it, as they were told.
type told struct {
	sync.Mutex
	ids     []string
	text    map[string]string // by request id: what was accepted last
	deleted map[string]bool
}

func (m *told) pick(r *rand.Rand) string {
	m.Lock()
	defer m.Unlock()
	return m.ids[r.IntN(len(m.ids))]
}

// act does one thing. Where it was done, the record of it is made in the order
// in which the store did it: an edit's text names the edit.
func (p person) act(t *testing.T) {
	t.Helper()
	ctx, id := t.Context(), p.shared.pick(p.random)
	var err error
	switch p.random.IntN(11) {
	case 0, 1, 2:
		sub := p.message("")
		sub.Message.Content, sub.Steer = sub.RequestID+" as sent", p.random.IntN(3) == 0
		if _, err = p.Submit(ctx, p.viewer, sub); err == nil {
			p.shared.Lock()
			p.shared.ids = append(p.shared.ids, sub.RequestID)
			p.shared.Unlock()
		}
	case 3:
		err = p.editAtRandom(t, id)
	case 4:
		if err = p.Delete(ctx, p.viewer, p.id, id); err == nil {
			p.shared.Lock()
			p.shared.deleted[id] = true
			p.shared.Unlock()
		}
	case 5:
		err = p.Steer(ctx, p.viewer, p.id, id, "")
	case 6:
		_, err = p.SendNow(ctx, p.viewer, p.id, id, "")
	case 7:
		err = p.Order(ctx, p.viewer, p.id, []string{id, p.shared.pick(p.random)})
	case 8:
		err = p.MoveUp(ctx, p.viewer, p.id, id)
	case 9:
		_, err = p.Stop(ctx, p.viewer, p.id, "")
	default:
		err = p.Resume(ctx, p.viewer, p.id)
	}
	if err != nil && !slices.ContainsFunc(late, func(known error) bool { return errors.Is(err, known) }) {
		t.Error(err)
	}
}

// editAtRandom holds a message, and then saves it, gives up, or leaves it held.
func (p person) editAtRandom(t *testing.T, id string) error {
	held, err := p.Hold(t.Context(), p.viewer, p.id, id, "", lease)
	if err != nil {
		return err
	}
	switch p.random.IntN(3) {
	case 0:
		return p.Release(t.Context(), p.viewer, p.id, id, held.Hold)
	case 1:
		return nil
	}
	text := fmt.Sprint(id, " as edited ", p.random.Uint64())
	if _, err := p.Edit(t.Context(), p.viewer, p.id, id, held.Hold, to(text)); err != nil {
		return err
	}
	p.shared.Lock()
	defer p.shared.Unlock()
	p.shared.text[text] = id
	return nil
}

// work claims turns, takes steering and ends them, at another process.
func work(t *testing.T, f fixture, r *rand.Rand) {
	turn, claimed, err := f.TurnLog().Claim(t.Context(), "runner", lease)
	if err != nil {
		t.Error(err)
	}
	if !claimed {
		return
	}
	if r.IntN(2) == 0 {
		if _, err := f.TurnLog().TakeSteering(t.Context(), turn.Lease); err != nil {
			t.Error(err)
		}
	}
	if err := f.TurnLog().Finish(t.Context(), turn.Lease, session.Completed, ""); err != nil {
		t.Error(err)
	}
}

// Whatever persons do to a queue while turns take from it: in the end each
// message has been said once or was deleted, never both; what was said is the
// text that was accepted last; and the log accounts for every move.
func TestAnyInterleavingLosesAndDoublesNothing(t *testing.T) {
	t.Parallel()
	f := setup(t)
	shared := &told{text: map[string]string{}, deleted: map[string]bool{}}
	for range 5 {
		shared.ids = append(shared.ids, f.send(t, "first").RequestID)
	}
	var acting, working sync.WaitGroup
	over := make(chan struct{})
	for i := range uint64(4) {
		other := f
		other.Store, _ = storetest.Open(t, f.url, store.Options{})
		p := person{other, rand.New(rand.NewPCG(i, 1)), shared}
		acting.Go(func() {
			for range 120 {
				p.act(t)
			}
		})
		if i > 1 {
			continue
		}
		working.Go(func() {
			r := rand.New(rand.NewPCG(i, 2))
			for {
				select {
				case <-over:
					return
				default:
					work(t, other, r)
				}
			}
		})
	}
	acting.Wait()
	close(over)
	working.Wait()

	checkLanes(t, f)
	f.abandon(t)
	f.reap(t)
	must(t, f.Resume(t.Context(), f.viewer, f.id))
	f.runs(t)
	if waits := f.waits(t); len(waits) != 0 {
		t.Errorf("%v wait", waits)
	}
	checkLanes(t, f)
	checkSaid(t, f, shared)
}

// checkSaid compares what the log says was said with what persons were told.
func checkSaid(t *testing.T, f fixture, shared *told) {
	t.Helper()
	said := map[string]string{}
	for _, r := range f.log(t) {
		if r.Kind != string(session.KindUserMessage) {
			continue
		}
		if _, twice := said[r.RPCID]; twice {
			t.Errorf("%s was said twice", r.RPCID)
		}
		said[r.RPCID] = *r.Content
	}
	edited := map[string]bool{}
	for _, id := range shared.text {
		edited[id] = true
	}
	for _, id := range shared.ids {
		text, once := said[id]
		switch {
		case once == shared.deleted[id]:
			t.Errorf("%s: deleted %v, said %v", id, shared.deleted[id], once)
		case !once:
		case strings.Contains(text, " as edited ") && shared.text[text] != id:
			t.Errorf("%s says %q, which nobody was told was saved", id, text)
		case !strings.Contains(text, " as edited ") && edited[id]:
			t.Errorf("%s says %q, but an edit was saved", id, text)
		}
	}
	t.Logf("%d messages, %d deleted, %d edited", len(shared.ids), len(shared.deleted), len(edited))
}

// checkLanes folds the log's splices: what they leave in each lane is what
// waits there, and nothing comes in twice or leaves unseen.
func checkLanes(t *testing.T, f fixture) {
	t.Helper()
	lanes := map[string]map[string]bool{session.LaneNextTurn: {}, session.LaneNextStep: {}}
	f.pages(t, func(store.Page) {}) // seqs have no gap
	events, err := f.TurnLog().History(t.Context(), session.Lease{SessionID: f.id}, 1<<40)
	must(t, err)
	for _, e := range events {
		p, ok := e.Payload.(session.InboxSpliced)
		if !ok {
			continue
		}
		for _, id := range p.Removed {
			if !lanes[p.Lane][id] {
				t.Errorf("%d: %s leaves %s, where it is not", e.Seq, id, p.Lane)
			}
			delete(lanes[p.Lane], id)
		}
		for _, in := range p.Inserted {
			if lanes[session.LaneNextTurn][in.RequestID] || lanes[session.LaneNextStep][in.RequestID] {
				t.Errorf("%d: %s comes in twice", e.Seq, in.RequestID)
			}
			lanes[p.Lane][in.RequestID] = true
		}
	}
	for _, w := range f.queue(t).Waiting {
		if !lanes[w.Lane][w.RequestID] {
			t.Errorf("%s waits in %s, which the log does not say", w.RequestID, w.Lane)
		}
		delete(lanes[w.Lane], w.RequestID)
	}
	for lane, left := range lanes {
		if len(left) > 0 {
			t.Errorf("by the log %v wait in %s", slices.Collect(maps.Keys(left)), lane)
		}
	}
}
