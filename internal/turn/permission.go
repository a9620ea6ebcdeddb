package turn

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"

	"webshell/internal/session"
)

// Bounds of a question's options.
const maxOptions = 32

// questions are those of one turn. They have a lock of their own: an answer
// must get through while a write waits for the database.
type questions struct {
	mu      sync.Mutex
	waiting map[string]chan string // permission id → the option selected
	asked   map[string]bool
}

func (q *questions) ask(id string) (<-chan string, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.asked[id] {
		return nil, fmt.Errorf("the turn has asked with the permission id %q before", id)
	}
	if q.asked == nil {
		q.asked, q.waiting = map[string]bool{}, map[string]chan string{}
	}
	answer := make(chan string, 1)
	q.asked[id], q.waiting[id] = true, answer
	return answer, nil
}

// answered passes on each answer that somebody waits for.
func (q *questions) answered(answers map[string]string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for id, option := range answers {
		if answer, ok := q.waiting[id]; ok {
			answer <- option
			delete(q.waiting, id)
		}
	}
}

func (q *questions) forget(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.waiting, id)
}

// Permission asks the person and waits for the answer, for as long as it
// takes. When ctx or the turn ends first, the answer is cancelled, without an
// error: tell the agent so. An empty PermissionID is filled in; a given one is
// unique within the turn. The answer is logged where the person gives it.
func (o *Output) Permission(ctx context.Context, p session.PermissionRequested) (session.PermissionResolved, error) {
	if p.PermissionID == "" {
		p.PermissionID = rand.Text()
	}
	cancelled := session.PermissionResolved{PermissionID: p.PermissionID, Outcome: session.PermissionCancelled}
	body, err := session.EncodePayload(p)
	switch {
	case err != nil:
		return cancelled, err
	case len(body) > maxBody:
		return cancelled, fmt.Errorf("%s of %d bytes: %w", p.EventKind(), len(body), ErrTooLarge)
	}
	if err := checkOptions(p.Options); err != nil {
		return cancelled, err
	}
	answer, err := o.questions.ask(p.PermissionID)
	if err != nil {
		return cancelled, err
	}
	defer o.questions.forget(p.PermissionID)
	if err := o.logOne(session.Event{Payload: p}, len(body)); err != nil {
		return cancelled, err
	}

	select {
	case option := <-answer:
		return session.PermissionResolved{PermissionID: p.PermissionID, Outcome: session.PermissionSelected, OptionID: option}, nil
	case <-o.turn.Done():
	case <-ctx.Done():
	}
	if o.turn.Err() == nil {
		select {
		case option := <-answer: // it came first
			return session.PermissionResolved{PermissionID: p.PermissionID, Outcome: session.PermissionSelected, OptionID: option}, nil
		default:
		}
		// The agent withdrew the question while the turn goes on. Where the
		// turn ends, that closes the question in the log.
		return cancelled, o.logOne(session.Event{Payload: cancelled}, 0)
	}
	if cause := context.Cause(o.turn); errors.Is(cause, session.ErrFenced) {
		return cancelled, cause
	}
	return cancelled, nil
}

// checkOptions: an answer is an option's id, so each needs one of its own.
func checkOptions(options []session.PermissionOption) error {
	if len(options) == 0 || len(options) > maxOptions {
		return fmt.Errorf("a question has 1 to %d options, not %d", maxOptions, len(options))
	}
	seen := map[string]bool{}
	for _, o := range options {
		if o.OptionID == "" || seen[o.OptionID] {
			return fmt.Errorf("the option id %q is empty or used twice", o.OptionID)
		}
		seen[o.OptionID] = true
	}
	return nil
}
