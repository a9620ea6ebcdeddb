package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"webshell/composer"
	"webshell/internal/session"
	"webshell/store"
	"webshell/store/storetest"
)

func TestMain(m *testing.M) {
	store.EmptyDatabaseForTest(storetest.Empty)
	storetest.Main(m)
}

// fixture is a store with a session in it.
type fixture struct {
	*store.Store
	url    string
	viewer store.Viewer
	id     string
}

func setup(t *testing.T) fixture {
	t.Helper()
	url := storetest.URL(t)
	s, v := storetest.Open(t, url, store.Options{})
	id, err := s.NewSession(t.Context(), v, "demo", "")
	if err != nil {
		t.Fatal(err)
	}
	return fixture{s, url, v, id}
}

func (f fixture) message(text string) store.Submission {
	return store.Submission{SessionID: f.id, RequestID: uuid.NewString(), Message: composer.Message{Content: text}}
}

func (f fixture) send(t *testing.T, text string) store.Receipt {
	t.Helper()
	r, err := f.Submit(t.Context(), f.viewer, f.message(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lease is long enough that no test loses one by being slow.
const lease = time.Hour

func (f fixture) claim(t *testing.T) session.Turn {
	t.Helper()
	turn, claimed, err := f.TurnLog().Claim(t.Context(), "runner", lease)
	if err != nil || !claimed {
		t.Fatalf("claimed %v, %v", claimed, err)
	}
	return turn
}

func (f fixture) finish(t *testing.T, turn session.Turn, outcome session.Outcome) {
	t.Helper()
	if err := f.TurnLog().Finish(t.Context(), turn.Lease, outcome, ""); err != nil {
		t.Fatal(err)
	}
}

// log is the session's whole log; its seqs are checked to have no gap.
func (f fixture) log(t *testing.T) []store.Record {
	t.Helper()
	records, last, err := f.Records(t.Context(), f.viewer, f.id, 0, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range records {
		if r.Seq != int64(i+1) {
			t.Fatalf("event %d has seq %d", i+1, r.Seq)
		}
	}
	if last != int64(len(records)) {
		t.Fatalf("last is %d of %d events", last, len(records))
	}
	return records
}

func (f fixture) kinds(t *testing.T) []string {
	t.Helper()
	var kinds []string
	for _, r := range f.log(t) {
		kinds = append(kinds, r.Kind)
	}
	return kinds
}

// sql runs a statement as a person with psql would.
func (f fixture) sql(t *testing.T, query string, args ...any) error {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), f.url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	_, err = conn.Exec(t.Context(), query, args...)
	return err
}

func (f fixture) queue(t *testing.T) store.Queue {
	t.Helper()
	q, err := f.Queue(t.Context(), f.viewer, f.id)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// waits are the texts of what waits, in order.
func (f fixture) waits(t *testing.T) []string {
	t.Helper()
	texts := []string{}
	for _, w := range f.queue(t).Waiting {
		texts = append(texts, w.Message.Content)
	}
	return texts
}

// changes are what the log says of the queue's changes, in order.
func (f fixture) changes(t *testing.T) []string {
	t.Helper()
	changes := []string{}
	for _, e := range f.page(t, 0).Events {
		if p, ok := e.Payload.(session.InboxChanged); ok {
			changes = append(changes, p.Change)
		}
	}
	return changes
}

// runs takes turns until none is left, and says on what they worked.
func (f fixture) runs(t *testing.T) []string {
	t.Helper()
	texts := []string{}
	for {
		turn, claimed, err := f.TurnLog().Claim(t.Context(), "runner", lease)
		if err != nil {
			t.Fatal(err)
		}
		if !claimed {
			return texts
		}
		texts = append(texts, turn.Message.Content)
		f.finish(t, turn, session.Completed)
	}
}
