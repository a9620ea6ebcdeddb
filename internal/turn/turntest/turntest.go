// Package turntest gives tests of backends a session, and a runner, on a real
// Postgres.
package turntest

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"webshell/composer"
	"webshell/internal/bus"
	"webshell/internal/session"
	"webshell/internal/turn"
	"webshell/store"
	"webshell/store/storetest"
)

// Deadline bounds each wait of a test.
const Deadline = 30 * time.Second

// Rig is one process' view of a database: its store and its bus.
type Rig struct {
	URL    string
	Store  *store.Store
	Viewer store.Viewer
	Bus    *bus.Bus
}

// New makes a database of the test's own.
func New(t testing.TB) *Rig {
	t.Helper()
	return Open(t, storetest.URL(t))
}

// Open opens another view of a database, as a second process has one: it is
// told of commits through Postgres alone.
func Open(t testing.TB, url string) *Rig {
	t.Helper()
	r := &Rig{URL: url, Bus: &bus.Bus{}}
	r.Store, r.Viewer = storetest.Open(t, url, store.Options{Wake: r.Bus.Wake})
	ctx, cancel := context.WithCancel(context.Background())
	done, listening := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		var once sync.Once
		store.Listen(ctx, url, slog.New(slog.DiscardHandler), r.Bus.Wake, func() {
			r.Bus.WakeAll()
			once.Do(func() { close(listening) })
		})
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	select {
	case <-listening:
	case <-time.After(Deadline):
		t.Fatal("no connection for notifications")
	}
	return r
}

// Start runs a runner until the test ends, or the returned function is called.
// Log, Owner and Subscribe are filled in where c leaves them out.
func (r *Rig) Start(t testing.TB, c turn.Config) (stop func()) {
	t.Helper()
	if c.Log == nil {
		c.Log = r.Store.TurnLog()
	}
	if c.Owner == "" {
		c.Owner = uuid.NewString()
	}
	if c.Subscribe == nil {
		c.Subscribe = r.Bus.Subscribe
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		turn.New(c).Run(ctx)
	}()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			select {
			case <-done:
			case <-time.After(Deadline):
				t.Error("the runner does not stop")
			}
		})
	}
	t.Cleanup(stop)
	return stop
}

// Session begins an empty session with an agent.
func (r *Rig) Session(t testing.TB, agent string) string {
	t.Helper()
	id, err := r.Store.NewSession(t.Context(), r.Viewer, agent, "")
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// Say submits a message, and Steer one for the running turn's next step.
func (r *Rig) Say(t testing.TB, sessionID, content string) store.Receipt {
	t.Helper()
	return r.submit(t, store.Submission{SessionID: sessionID, Message: composer.Message{Content: content}})
}

// Steer submits a message for the running turn's next step.
func (r *Rig) Steer(t testing.TB, sessionID, content string) store.Receipt {
	t.Helper()
	return r.submit(t, store.Submission{SessionID: sessionID, Message: composer.Message{Content: content}, Steer: true})
}

func (r *Rig) submit(t testing.TB, sub store.Submission) store.Receipt {
	t.Helper()
	sub.RequestID = uuid.NewString()
	receipt, err := r.Store.Submit(t.Context(), r.Viewer, sub)
	if err != nil {
		t.Fatal(err)
	}
	return receipt
}

// Log reads a session's whole log.
func (r *Rig) Log(t testing.TB, sessionID string) []session.Event {
	t.Helper()
	events, err := r.Store.TurnLog().History(t.Context(), session.Lease{SessionID: sessionID}, math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// Ended waits until so many turns of the session have ended, and returns its
// folded log.
func (r *Rig) Ended(t testing.TB, sessionID string, turns int) *session.State {
	t.Helper()
	return session.Fold("", r.Until(t, sessionID, func(log []session.Event) bool {
		return len(Of[session.TurnEnded](log)) >= turns
	}))
}

// Until waits for a condition on the session's log, and returns the log.
func (r *Rig) Until(t testing.TB, sessionID string, holds func(log []session.Event) bool) []session.Event {
	t.Helper()
	woken, cancel := r.Bus.Subscribe(sessionID)
	defer cancel()
	deadline := time.After(Deadline)
	for {
		log := r.Log(t, sessionID)
		if holds(log) {
			return log
		}
		select {
		case <-woken:
		case <-deadline:
			for _, e := range log {
				t.Logf("%d %s %q %+v", e.Seq, e.Kind(), e.Content, e.Payload)
			}
			t.Fatal("what the test waits for did not come")
		}
	}
}

// Of are the payloads of one type in a log, in order.
func Of[P session.Payload](log []session.Event) []P {
	var found []P
	for _, e := range log {
		if p, ok := e.Payload.(P); ok {
			found = append(found, p)
		}
	}
	return found
}

// Answer is the text of a log's answer: its assistant messages, joined.
func Answer(log []session.Event) string {
	var text string
	for _, e := range log {
		if e.Kind() == session.KindAssistantMessage {
			text += e.Content
		}
	}
	return text
}

// Outcome is how the session's last turn ended, and the message shown with it.
func Outcome(t testing.TB, log []session.Event) (session.Outcome, string) {
	t.Helper()
	ends := Of[session.TurnEnded](log)
	if len(ends) == 0 {
		t.Fatal("no turn has ended")
	}
	last := ends[len(ends)-1]
	return last.Outcome, last.Error
}

// Script is a backend of one function.
type Script func(ctx context.Context, in turn.Input, out *turn.Output) (session.Outcome, error)

// Describe says nothing of a script.
func (Script) Describe(context.Context, string) (turn.Description, error) {
	return turn.Description{}, nil
}

// Run calls the script.
func (s Script) Run(ctx context.Context, in turn.Input, out *turn.Output) (session.Outcome, error) {
	return s(ctx, in, out)
}
