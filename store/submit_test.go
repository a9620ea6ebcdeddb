package store_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"webshell/composer"
	"webshell/internal/session"
	"webshell/store"
	"webshell/store/storetest"
)

func TestSubmitLogsTextAndAnnotations(t *testing.T) {
	t.Parallel()
	f := setup(t)
	m, _, err := composer.Build("see @a \U0001F600", []byte(`[{"id":"f","kind":"file","value":"a","serialized":"@a","start":4,"end":6}]`))
	if err != nil {
		t.Fatal(err)
	}
	sub := store.Submission{SessionID: f.id, RequestID: uuid.NewString(), Message: m}
	r, err := f.Submit(t.Context(), f.viewer, sub)
	if err != nil {
		t.Fatal(err)
	}
	want := store.Receipt{SessionID: f.id, RequestID: sub.RequestID, State: store.StateLogged, Seq: 1, Message: m}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("got %+v, want %+v", r, want)
	}
	page, err := f.Page(t.Context(), f.viewer, f.id, 0)
	if err != nil || len(page.Events) != 1 {
		t.Fatalf("%d events, %v", len(page.Events), err)
	}
	e := page.Events[0]
	if e.Content != m.Content || !reflect.DeepEqual(e.Annotations, m.Annotations) || e.RPCID != sub.RequestID {
		t.Errorf("read back %+v", e)
	}
	if session.SourceKind(e.Source) != session.SourceUser {
		t.Errorf("source %s", e.Source)
	}
	info, err := f.Session(t.Context(), f.viewer, f.id)
	if err != nil || info.Title != "see @a \U0001F600" || !info.Running {
		t.Errorf("session %+v, %v", info, err)
	}
}

func TestARequestIDCountsOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	sub := f.message("one")
	first, err := f.Submit(t.Context(), f.viewer, sub)
	if err != nil {
		t.Fatal(err)
	}
	again, err := f.Submit(t.Context(), f.viewer, sub)
	if err != nil || !again.Replayed {
		t.Fatalf("again: %+v, %v", again, err)
	}
	again.Replayed = false
	if !reflect.DeepEqual(again, first) {
		t.Errorf("again %+v, first %+v", again, first)
	}
	sub.Message.Content = "two"
	if _, err := f.Submit(t.Context(), f.viewer, sub); !errors.Is(err, store.ErrRequestIDReused) {
		t.Errorf("another text: %v", err)
	}
	sub.Message = composer.Message{Content: "one", Annotations: []composer.Annotation{{
		Type: "reference", Start: 0, End: 3, Text: "one", Reference: &composer.Reference{ID: "x"}}}}
	if _, err := f.Submit(t.Context(), f.viewer, sub); !errors.Is(err, store.ErrRequestIDReused) {
		t.Errorf("other annotations: %v", err)
	}
	if got := f.kinds(t); !slices.Equal(got, []string{"user/message"}) {
		t.Errorf("log %v", got)
	}
}

func TestAQueuedRequestIDIsKnownAfterItsRowIsGone(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "first")
	sub := f.message("second")
	queued, err := f.Submit(t.Context(), f.viewer, sub)
	if err != nil || queued.State != store.StateQueued || queued.Seq != 0 {
		t.Fatalf("%+v, %v", queued, err)
	}
	f.finish(t, f.claim(t), session.Completed) // the second leaves the inbox
	if err := f.sql(t, `delete from inbox`); err != nil {
		t.Fatal(err)
	}
	again, err := f.Submit(t.Context(), f.viewer, sub)
	if err != nil || !again.Replayed || again.State != store.StateQueued || again.Message.Content != "second" {
		t.Errorf("%+v, %v", again, err)
	}
}

// Five times at once from two connections: one message.
func TestTheSameRequestAtOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	other, _ := storetest.Open(t, f.url, store.Options{})
	sub := f.message("hello")
	var wg sync.WaitGroup
	receipts := make([]store.Receipt, 5)
	for i := range receipts {
		s := []*store.Store{f.Store, other}[i%2]
		wg.Go(func() {
			var err error
			if receipts[i], err = s.Submit(t.Context(), f.viewer, sub); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	fresh := 0
	for _, r := range receipts {
		if !r.Replayed {
			fresh++
		}
		if r.Seq != 1 || r.State != store.StateLogged {
			t.Errorf("%+v", r)
		}
	}
	if fresh != 1 || len(f.log(t)) != 1 {
		t.Errorf("%d were fresh, %d events", fresh, len(f.log(t)))
	}
}

func TestTheFirstMessageOpensOneSession(t *testing.T) {
	t.Parallel()
	f := setup(t)
	sub := store.Submission{RequestID: uuid.NewString(), Message: composer.Message{Content: "hello"}}
	var wg sync.WaitGroup
	receipts := make([]store.Receipt, 5)
	for i := range receipts {
		wg.Go(func() {
			var err error
			if receipts[i], err = f.OpenSession(t.Context(), f.viewer, "demo", "", sub); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, r := range receipts {
		if r.SessionID != receipts[0].SessionID || r.SessionID == "" {
			t.Errorf("sessions %s and %s", r.SessionID, receipts[0].SessionID)
		}
	}
	sessions, err := f.Sessions(t.Context(), f.viewer, 10)
	if err != nil || len(sessions) != 2 { // and the fixture's
		t.Errorf("%d sessions, %v", len(sessions), err)
	}
	sub.Message.Content = "other"
	if _, err := f.OpenSession(t.Context(), f.viewer, "demo", "", sub); !errors.Is(err, store.ErrRequestIDReused) {
		t.Errorf("other text: %v", err)
	}
}

func TestAFullQueueRefuses(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "runs")
	for i := range store.InboxLimit {
		if r := f.send(t, fmt.Sprint(i)); r.State != store.StateQueued {
			t.Fatalf("%d: %s", i, r.State)
		}
	}
	refused := f.message("one too many")
	if _, err := f.Submit(t.Context(), f.viewer, refused); !errors.Is(err, store.ErrQueueFull) {
		t.Errorf("got %v", err)
	}
	f.finish(t, f.claim(t), session.Completed)
	if r, err := f.Submit(t.Context(), f.viewer, refused); err != nil || r.Replayed {
		t.Errorf("a refused request id did not count as new: %+v, %v", r, err)
	}
}

func TestAQueueOfLongMessagesIsFullEarlier(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "runs")
	// Text that compresses well counts as what it is when it is read.
	const wait = `insert into inbox (session_id, request_id, lane, content, annotations, source)
		select $1, gen_random_uuid(), 'next-turn', repeat('x', $2), '[]', '{}' from generate_series(2, $3)`
	if err := f.sql(t, wait, f.id, composer.MaxText, store.InboxBytes/composer.MaxText); err != nil {
		t.Fatal(err)
	}
	if r := f.send(t, strings.Repeat("x", composer.MaxText)); r.State != store.StateQueued {
		t.Fatalf("the last that has room is %s", r.State)
	}
	if _, err := f.Submit(t.Context(), f.viewer, f.message("short")); !errors.Is(err, store.ErrQueueFull) {
		t.Errorf("got %v", err)
	}
}

func TestTheQueueDrainsInOrder(t *testing.T) {
	t.Parallel()
	f := setup(t)
	want := []string{"0", "1", "2", "3", "4"}
	for _, text := range want {
		f.send(t, text)
	}
	var got []string
	for range want {
		turn := f.claim(t)
		got = append(got, turn.Message.Content)
		f.finish(t, turn, session.Completed)
	}
	if !slices.Equal(got, want) {
		t.Errorf("turns worked on %v", got)
	}
	if waiting := f.waits(t); len(waiting) != 0 {
		t.Errorf("%v wait", waiting)
	}
	page, err := f.Page(t.Context(), f.viewer, f.id, 0)
	if err != nil {
		t.Fatal(err)
	}
	lanes := map[string]string{}
	for _, e := range page.Events {
		if p, ok := e.Payload.(session.UserMessage); ok {
			lanes[e.Content] = p.Lane
		}
	}
	if lanes["0"] != "" || lanes["1"] != session.LaneNextTurn {
		t.Errorf("lanes %v", lanes)
	}
}

func TestConcurrentSendersKeepTheLogGapless(t *testing.T) {
	t.Parallel()
	f := setup(t)
	const senders, each = 8, 10
	var wg sync.WaitGroup
	for i := range senders {
		wg.Go(func() {
			for j := range each {
				if _, err := f.Submit(context.Background(), f.viewer, f.message(fmt.Sprintf("%d/%d", i, j))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	f.log(t) // checks seq
	turns := 0
	for {
		turn, claimed, err := f.TurnLog().Claim(t.Context(), "runner", lease)
		if err != nil {
			t.Fatal(err)
		}
		if !claimed {
			break
		}
		turns++
		f.finish(t, turn, session.Completed)
	}
	if turns != senders*each {
		t.Errorf("%d turns", turns)
	}
}

func TestOddTextIsStoredWhole(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"white space":    "  \t\n two\r\nlines \u00a0 ",
		"replaced NUL":   "a\uFFFDb",
		"astral":         "\U0001F600\u200D\U0001F468 \u0130 \uFB01 \u202Eabc",
		"quotes":         `'; drop table events; --"\`,
		"long":           strings.Repeat("x", composer.MaxText),
		"not normalised": "e\u0301 \u00e9",
	} {
		t.Run(name, func(t *testing.T) {
			f := setup(t)
			f.send(t, text)
			if got := f.log(t)[0].Content; got == nil || *got != text {
				t.Errorf("stored otherwise")
			}
			if got := f.claim(t).Message.Content; got != text {
				t.Errorf("the agent gets otherwise")
			}
		})
	}
}

func TestTheLogIsAppendOnlyAndTheViewReadOnly(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "hello")
	for _, sql := range []string{
		`update events set content = 'x'`,
		`delete from events`,
		`update messages set content = 'x'`,
		`delete from messages`,
		`insert into messages (session_id, seq) values (gen_random_uuid(), 1)`,
	} {
		if err := f.sql(t, sql); err == nil {
			t.Errorf("%s was done", sql)
		}
	}
	conn, err := pgx.Connect(t.Context(), f.url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	var role, content, annotations string
	if err := conn.QueryRow(t.Context(), `select role, content, annotations::text from messages`).Scan(&role, &content, &annotations); err != nil ||
		role != "user" || content != "hello" || annotations != "[]" {
		t.Errorf("%s %s %s %v", role, content, annotations, err)
	}
	if err := f.sql(t, `delete from sessions`); err != nil {
		t.Errorf("a session does not go with its log: %v", err)
	}
}
