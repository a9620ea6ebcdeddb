package store_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"webshell/composer"
	"webshell/internal/session"
	"webshell/store"
)

// record is an event of a log from elsewhere.
func record(kind, content, body string) store.Record {
	r := store.Record{Kind: kind, At: time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC), Body: json.RawMessage(body)}
	if content != "" {
		r.Content = &content
	}
	return r
}

// asked is a message that a person sent elsewhere.
func asked(requestID, content string) store.Record {
	r := record("user/message", content, `{}`)
	r.Source, r.RPCID = session.UserSource(requestID), requestID
	return r
}

func log(records ...store.Record) []store.Record {
	for i := range records {
		records[i].Seq = int64(i + 1)
	}
	return records
}

// imported is the fixture with the log in place of its session.
func (f fixture) imported(t *testing.T, records ...store.Record) fixture {
	t.Helper()
	id, fresh, err := f.Import(t.Context(), f.viewer, "demo", log(records...))
	if err != nil || !fresh {
		t.Fatalf("%v, %v", fresh, err)
	}
	f.id = id
	return f
}

func TestAnImportedSessionGoesOn(t *testing.T) {
	t.Parallel()
	requestID := uuid.NewString()
	records := []store.Record{asked(requestID, "question"), record("turn/started", "", `{"turn":"t","message":1}`), record("assistant/message", "answer", `{"turn":"t"}`), record("turn/ended", "", `{"turn":"t","outcome":"completed"}`)}
	f := setup(t).imported(t, records...)
	f.send(t, "and then?")
	turn := f.claim(t)
	f.finish(t, turn, session.Completed)
	if kinds := strings.Join(f.kinds(t), " "); kinds != "user/message turn/started assistant/message turn/ended user/message turn/started turn/ended" {
		t.Errorf("logged %s", kinds)
	}
	// The same log again leaves what was said since.
	id, fresh, err := f.Import(t.Context(), f.viewer, "demo", log(records...))
	if id != f.id || fresh || err != nil || len(f.log(t)) != 7 {
		t.Errorf("again: %s %v, %v, %d events", id, fresh, err, len(f.log(t)))
	}
}

func TestAnImportedRequestIDCountsAsUsed(t *testing.T) {
	t.Parallel()
	requestID := uuid.NewString()
	f := setup(t).imported(t, asked(requestID, "question"))
	sub := store.Submission{SessionID: f.id, RequestID: requestID, Message: composer.Message{Content: "question"}}
	if r, err := f.Submit(t.Context(), f.viewer, sub); err != nil || !r.Replayed || r.Seq != 1 {
		t.Errorf("the same message: %+v, %v", r, err)
	}
	sub.Message.Content = "another"
	if _, err := f.Submit(t.Context(), f.viewer, sub); !errors.Is(err, store.ErrRequestIDReused) {
		t.Errorf("another message: %v", err)
	}
	if n := len(f.log(t)); n != 1 {
		t.Errorf("%d events", n)
	}
}

func TestAnImportedTitle(t *testing.T) {
	t.Parallel()
	f := setup(t)
	long := strings.Repeat("words and ", 40)
	for want, records := range map[string][]store.Record{
		"":                            {record("x", "said", `{}`)},
		"the question":                {record("x", "", `{}`), asked(uuid.NewString(), "\n the question \nmore")},
		"Its own":                     {asked(uuid.NewString(), "the question"), record("session/titled", "", `{"title":"Its own"}`)},
		session.TitleFrom(long):       {record("session/titled", "", `{"title":"`+long+`"}`)},
		"with \ufffd":                 {record("session/titled", "", `{"title":"with \u0000"}`)},
		"the question of somebody":    {record("user/message", "a producer", `{}`), asked(uuid.NewString(), "the question of somebody")},
		strings.Repeat("x", 60) + "…": {asked(uuid.NewString(), strings.Repeat("x", 100))},
	} {
		g := f.imported(t, records...)
		if info, err := f.Session(t.Context(), f.viewer, g.id); err != nil || info.Title != want || info.Running || info.LastSeq != int64(len(records)) {
			t.Errorf("want %q, session is %+v, %v", want, info, err)
		}
	}
}

// TestAnImportEndsWhatNobodyRuns: a log that was written in the middle of a turn
// is closed, and the turn can be run again here.
func TestAnImportEndsWhatNobodyRuns(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for name, middle := range map[string]store.Record{
		"a turn":     record("turn/started", "", `{"turn":"t","message":1}`),
		"a call":     record("tool/call", "", `{"toolCallId":"c","status":"pending"}`),
		"a question": record("permission/requested", "", `{"permissionId":"p","options":[{"optionId":"o","label":"Yes"}]}`),
	} {
		records := []store.Record{asked(uuid.NewString(), name), middle}
		g := f.imported(t, records...)
		last := g.log(t)[len(records)]
		if last.Kind != "turn/ended" || !strings.Contains(string(last.Body), `"interrupted"`) {
			t.Errorf("%s: ends with %s %s", name, last.Kind, last.Body)
		}
		if id, fresh, err := f.Import(t.Context(), f.viewer, "demo", log(records...)); id != g.id || fresh || err != nil {
			t.Errorf("%s again: %s %v, %v", name, id, fresh, err)
		}
		if err := g.Retry(t.Context(), f.viewer, g.id); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		turn := g.claim(t)
		if turn.SessionID != g.id || turn.Message.Content != name {
			t.Errorf("%s: the turn answers %q", name, turn.Message.Content)
		}
		f.finish(t, turn, session.Completed)
	}
	// Nothing to run again: it completed, or no person asked.
	for name, records := range map[string][]store.Record{
		"completed": {asked(uuid.NewString(), "x"), record("turn/ended", "", `{"outcome":"completed"}`)},
		"nobody":    {record("turn/started", "", `{"turn":"t"}`)},
	} {
		g := f.imported(t, records...)
		if err := g.Retry(t.Context(), f.viewer, g.id); !errors.Is(err, store.ErrNoRetry) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAnImportIsWholeOrNothing: what cannot be written leaves no session.
func TestAnImportIsWholeOrNothing(t *testing.T) {
	t.Parallel()
	f := setup(t)
	id := uuid.NewString()
	if _, _, err := f.Import(t.Context(), f.viewer, "demo", log(asked(id, "one"), asked(id, "two"))); err == nil {
		t.Error("a request id was logged twice")
	}
	sessions, err := f.Sessions(t.Context(), f.viewer, 10)
	if err != nil || len(sessions) != 1 {
		t.Errorf("%d sessions, %v", len(sessions), err)
	}
}

// TestImportStoresWhatPostgresTakes: JSON that jsonb refuses or expands.
func TestImportStoresWhatPostgresTakes(t *testing.T) {
	t.Parallel()
	r := record("x", "a\x00b", `{"a":"\u0000\ud800","b":1e100000}`)
	r.Source = json.RawMessage(`"\u0000"`)
	g := setup(t).imported(t, r)
	got := g.log(t)[0]
	if *got.Content != "a\ufffdb" || string(got.Source) != "\"\ufffd\"" || string(got.Body) != "{\"a\": \"\ufffd\ufffd\", \"b\": \"1e100000\"}" {
		t.Errorf("stored as %q %s %s", *got.Content, got.Source, got.Body)
	}
}
