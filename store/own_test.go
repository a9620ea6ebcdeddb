package store_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"webshell/internal/session"
	"webshell/store"
)

func TestOwnMessagesAreThePersonsAlone(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "first")
	turn := f.claim(t)
	steering := f.message("steers")
	steering.Steer = true
	if _, err := f.Submit(t.Context(), f.viewer, steering); err != nil {
		t.Fatal(err)
	}
	if _, err := f.TurnLog().TakeSteering(t.Context(), turn.Lease); err != nil {
		t.Fatal(err)
	}
	// What others said is not the person's, whatever its kind.
	if err := f.TurnLog().Append(t.Context(), turn.Lease,
		session.Event{Source: []byte(`{"kind":"robot"}`), Content: "imported", Payload: session.UserMessage{}},
		session.Event{Source: []byte(`{"kind":"user"}`), Content: "added", Payload: session.ContextMessage{}},
		session.Event{Content: "answer", Payload: session.AssistantMessage{Turn: turn.TurnID, Block: 1}},
	); err != nil {
		t.Fatal(err)
	}
	f.send(t, "waits")
	list, more, err := f.OwnMessages(t.Context(), f.viewer, f.id, 0, 10)
	if err != nil || more {
		t.Fatal(more, err)
	}
	var said []string
	for _, m := range list {
		said = append(said, m.Message.Content)
	}
	if strings.Join(said, " ") != "steers first" || list[0].RequestID != steering.RequestID || list[1].Seq != 1 || list[1].At.IsZero() {
		t.Errorf("%+v", list)
	}
	stranger := store.Viewer{UserID: uuid.NewString()}
	for _, c := range []struct {
		viewer store.Viewer
		id     string
	}{{stranger, f.id}, {f.viewer, uuid.NewString()}} {
		if list, _, err := f.OwnMessages(t.Context(), c.viewer, c.id, 0, 10); !errors.Is(err, store.ErrNotFound) || list != nil {
			t.Errorf("%v, %v", list, err)
		}
	}
}

func TestOwnMessagesComeInPages(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.converse(t, 7, 3)
	var said []string
	before, pages := int64(0), 0
	for more := true; more; pages++ {
		list, m, err := f.OwnMessages(t.Context(), f.viewer, f.id, before, 3)
		if err != nil || len(list) == 0 {
			t.Fatal(len(list), err)
		}
		for _, o := range list {
			said = append(said, strings.TrimPrefix(o.Message.Content, "question "))
		}
		before, more = list[len(list)-1].Seq, m
	}
	if strings.Join(said, "") != "6543210" || pages != 3 {
		t.Errorf("%v in %d pages", said, pages)
	}
}

// Large messages are not all read at once.
func TestOwnMessagesAreBounded(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for range 6 {
		f.send(t, strings.Repeat("x", 1<<20))
		f.finish(t, f.claim(t), session.Completed)
	}
	list, more, err := f.OwnMessages(t.Context(), f.viewer, f.id, 0, 200)
	if err != nil || !more || len(list) < 4 || len(list) > 5 {
		t.Errorf("%d messages, more %v, %v", len(list), more, err)
	}
}

func TestSessionsToWatch(t *testing.T) {
	t.Parallel()
	f := setup(t)
	if list, err := f.SessionsToWatch(t.Context(), f.viewer, nil); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	if list, err := f.SessionsToWatch(t.Context(), f.viewer, []string{f.id, uuid.NewString()}); err != nil || len(list) != 1 || list[0].Running {
		t.Errorf("%v, %v", list, err)
	}
	f.send(t, "hello")
	if list, err := f.SessionsToWatch(t.Context(), f.viewer, nil); err != nil || len(list) != 1 || list[0].ID != f.id || !list[0].Running {
		t.Errorf("%v, %v", list, err)
	}
	if list, err := f.SessionsToWatch(t.Context(), store.Viewer{UserID: uuid.NewString()}, []string{f.id}); err != nil || len(list) != 0 {
		t.Errorf("a stranger: %v, %v", list, err)
	}
}
