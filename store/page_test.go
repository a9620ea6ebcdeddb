package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"webshell/composer"
	"webshell/internal/session"
	"webshell/store"
)

// converse runs n turns of one question and one answer each, with the given
// number of tool calls.
func (f fixture) converse(t *testing.T, n, tools int) {
	t.Helper()
	for i := range n {
		f.send(t, fmt.Sprintf("question %d", i))
		turn := f.claim(t)
		events := make([]session.Event, 0, tools+1)
		for j := range tools {
			events = append(events, session.Event{Payload: session.ToolCall{ToolCallID: fmt.Sprint(j), Title: "tool", Status: session.ToolCompleted}})
		}
		events = append(events, session.Event{Content: fmt.Sprintf("answer %d", i), Payload: session.AssistantMessage{Turn: turn.TurnID, Block: 1}})
		if err := f.TurnLog().Append(t.Context(), turn.Lease, events...); err != nil {
			t.Fatal(err)
		}
		f.finish(t, turn, session.Completed)
	}
}

func (f fixture) page(t *testing.T, before int64) store.Page {
	t.Helper()
	p, err := f.Page(t.Context(), f.viewer, f.id, before)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func messages(p store.Page) int {
	n := 0
	for _, e := range p.Events {
		switch e.Payload.(type) {
		case session.UserMessage, session.AssistantMessage:
			n++
		}
	}
	return n
}

func TestPagesAreCutAtTurnsAndMissNothing(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.converse(t, 60, 1)
	before, seen := int64(0), 0
	for {
		p := f.page(t, before)
		if _, ok := p.Events[0].Payload.(session.UserMessage); !ok {
			t.Fatalf("a page begins with %s", p.Events[0].Kind())
		}
		if p.Turn != "" {
			t.Error("a page was cut inside a turn")
		}
		seen += messages(p)
		if !p.Earlier {
			if p.Events[0].Seq != 1 {
				t.Errorf("the first page begins at %d", p.Events[0].Seq)
			}
			break
		}
		if n := messages(p); n != 50 {
			t.Errorf("a page of %d messages", n)
		}
		before = p.Events[0].Seq
	}
	if seen != 120 {
		t.Errorf("%d of 120 messages on the pages", seen)
	}
}

func TestALongTurnIsCutWithItsRestReachable(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.converse(t, 2, 450)
	before, seen, cut := int64(0), map[int64]bool{}, 0
	for pages := 0; ; pages++ {
		if pages > 20 {
			t.Fatal("the pages do not end")
		}
		p := f.page(t, before)
		if len(p.Events) > 300 {
			t.Errorf("a page of %d events", len(p.Events))
		}
		for _, e := range p.Events {
			seen[e.Seq] = true
		}
		if p.Turn != "" {
			cut++
			state := session.NewState(p.Turn)
			for _, e := range p.Events {
				state.Apply(e)
			}
			if state.Nodes[0].Base().Turn != p.Turn {
				t.Error("a row of a cut turn is not tied to it")
			}
		}
		if !p.Earlier {
			break
		}
		before = p.Events[0].Seq
	}
	if cut < 2 || len(seen) != len(f.log(t)) {
		t.Errorf("%d cuts, %d of %d events", cut, len(seen), len(f.log(t)))
	}
}

// pages walks back through the whole log; look sees each page.
func (f fixture) pages(t *testing.T, look func(store.Page)) (seen int) {
	t.Helper()
	for before, more := int64(0), true; more; {
		p := f.page(t, before)
		for i, e := range p.Events {
			if e.Seq != p.Events[0].Seq+int64(i) {
				t.Fatalf("seq %d at place %d of a page that begins with %d", e.Seq, i, p.Events[0].Seq)
			}
		}
		if before != 0 && p.Events[len(p.Events)-1].Seq != before-1 {
			t.Fatalf("a page before %d ends with %d", before, p.Events[len(p.Events)-1].Seq)
		}
		seen += len(p.Events)
		look(p)
		before, more = p.Events[0].Seq, p.Earlier
	}
	return seen
}

func TestManyToolUpdatesAreNotReadAtOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.converse(t, 1, 0)
	f.send(t, "build it")
	turn := f.claim(t)
	f.append(t, turn.Lease, session.Event{Payload: session.ToolCall{ToolCallID: "x", Title: "tool", Status: session.ToolInProgress}})
	updates := make([]session.Event, 3000)
	for i := range updates {
		updates[i].Payload = session.ToolUpdate{ToolCallID: "x", Text: fmt.Sprint(i)}
	}
	for range 4 {
		f.append(t, turn.Lease, updates...)
	}
	most, inside := 0, 0
	seen := f.pages(t, func(p store.Page) {
		most = max(most, len(p.Events))
		if p.Turn == turn.TurnID {
			inside++
		}
	})
	if most > 5000 || inside != 2 || seen != len(f.log(t)) {
		t.Errorf("up to %d events a page, %d inside the turn, %d of %d in all", most, inside, seen, len(f.log(t)))
	}
}

func TestAPageIsBoundedInBytes(t *testing.T) {
	t.Parallel()
	f := setup(t)
	long := strings.Repeat("x", 4<<20)
	for i := range 4 {
		f.send(t, fmt.Sprint(i))
		turn := f.claim(t)
		f.append(t, turn.Lease, session.Event{Content: long, Payload: session.AssistantMessage{Turn: turn.TurnID, Block: 1}})
		if i == 3 {
			for range 5 {
				f.append(t, turn.Lease, session.Event{Content: long, Payload: session.AssistantThought{}})
			}
		}
		f.finish(t, turn, session.Completed)
	}
	var inside, turns int
	seen := f.pages(t, func(p store.Page) {
		size := 0
		for _, e := range p.Events {
			size += len(e.Content)
		}
		if size > 16<<20 {
			t.Errorf("a page of %d bytes", size)
		}
		switch _, begins := p.Events[0].Payload.(session.UserMessage); {
		case p.Turn != "":
			inside++
		case begins:
			turns++
		default:
			t.Errorf("a page begins with %s and is tied to no turn", p.Events[0].Kind())
		}
	})
	records, last, err := f.Records(t.Context(), f.viewer, f.id, 0, 1000)
	if err != nil || len(records) == 0 || records[len(records)-1].Seq == last {
		t.Errorf("%d of %d events were read at once, %v", len(records), last, err)
	}
	if inside != 1 || turns == 0 || int64(seen) != last {
		t.Errorf("%d pages begin inside a turn, %d with one; %d of %d events", inside, turns, seen, last)
	}
}

func TestEverythingIsTheViewersOwn(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "secret")
	turn := f.claim(t)
	ask := session.PermissionRequested{PermissionID: "p", Title: "?", Options: []session.PermissionOption{{OptionID: "y", Kind: session.AllowOnce}}}
	if err := f.TurnLog().Append(t.Context(), turn.Lease, session.Event{Payload: ask}); err != nil {
		t.Fatal(err)
	}
	if err := f.TurnLog().Piece(t.Context(), turn.Lease, session.Piece{Block: 1, N: 1, Kind: session.KindAssistantMessage, Text: "x"}); err != nil {
		t.Fatal(err)
	}
	waits := f.send(t, "waits").RequestID
	other := store.Viewer{UserID: uuid.NewString()}
	if err := f.sql(t, `insert into users (id, name) values ($1, 'other')`, other.UserID); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	refused := map[string]func(string) error{
		"session": func(id string) error { _, err := f.Session(ctx, other, id); return err },
		"records": func(id string) error { _, _, err := f.Records(ctx, other, id, 0, 10); return err },
		"submit": func(id string) error {
			_, err := f.Submit(ctx, other, store.Submission{SessionID: id, RequestID: uuid.NewString(), Message: composer.Message{Content: "x"}})
			return err
		},
		"hold":    func(id string) error { _, err := f.Hold(ctx, other, id, waits, "", lease); return err },
		"release": func(id string) error { return f.Release(ctx, other, id, waits, "") },
		"edit": func(id string) error {
			_, err := f.Edit(ctx, other, id, waits, "", func(m composer.Message) (composer.Message, error) { return m, nil })
			return err
		},
		"delete":   func(id string) error { return f.Delete(ctx, other, id, waits) },
		"order":    func(id string) error { return f.Order(ctx, other, id, []string{waits}) },
		"up":       func(id string) error { return f.MoveUp(ctx, other, id, waits) },
		"down":     func(id string) error { return f.MoveDown(ctx, other, id, waits) },
		"steer":    func(id string) error { return f.Steer(ctx, other, id, waits, "") },
		"send now": func(id string) error { _, err := f.SendNow(ctx, other, id, waits, ""); return err },
		"resume":   func(id string) error { return f.Resume(ctx, other, id) },
		"stop":     func(id string) error { _, err := f.Stop(ctx, other, id, ""); return err },
		"retry":    func(id string) error { return f.Retry(ctx, other, id) },
		"answer":   func(id string) error { return f.AnswerPermission(ctx, other, id, "p", "y") },
		"draft":    func(id string) error { return f.SaveDraft(ctx, other, store.Draft{SessionID: id, Text: "x"}) },
	}
	for name, do := range refused {
		for whose, id := range map[string]string{"another's": f.id, "nobody's": uuid.NewString()} {
			if err := do(id); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("%s on %s session: %v", name, whose, err)
			}
		}
	}
	p, err := f.Page(ctx, other, f.id, 0)
	if err != nil || len(p.Events)+len(p.Pieces) != 0 {
		t.Errorf("page: %d events, %d pieces, %v", len(p.Events), len(p.Pieces), err)
	}
	events, pieces, err := f.Follow(ctx, other, f.id, store.Cursor{})
	if err != nil || len(events)+len(pieces) != 0 {
		t.Errorf("follow: %d events, %d pieces, %v", len(events), len(pieces), err)
	}
	if list, err := f.Sessions(ctx, other, 10); err != nil || len(list) != 0 {
		t.Errorf("%d sessions, %v", len(list), err)
	}
	if q, err := f.Queue(ctx, other, f.id); err != nil || len(q.Waiting) != 0 || q.Paused {
		t.Errorf("queue: %+v, %v", q, err)
	}
	if signals, err := f.TurnLog().Signals(ctx, turn.Lease); err != nil || signals.Stop || len(signals.Answers) != 0 {
		t.Errorf("another person reached the turn: %+v, %v", signals, err)
	}
}

func TestPermissionsAreAnsweredOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.send(t, "hello")
	turn := f.claim(t)
	ask := session.PermissionRequested{PermissionID: "p 1/2", Title: "?", Options: []session.PermissionOption{
		{OptionID: "yes", Label: "Yes", Kind: session.AllowOnce}, {OptionID: "no", Label: "No", Kind: session.RejectOnce}}}
	if err := f.TurnLog().Append(t.Context(), turn.Lease, session.Event{Payload: ask}); err != nil {
		t.Fatal(err)
	}
	if info, err := f.Session(t.Context(), f.viewer, f.id); err != nil || !info.NeedsAnswer {
		t.Errorf("the session does not say that it needs an answer: %+v, %v", info, err)
	}
	answer := func(id, option string) error { return f.AnswerPermission(t.Context(), f.viewer, f.id, id, option) }
	for _, c := range []struct {
		id, option string
		want       error
	}{
		{"other", "yes", store.ErrNotFound},
		{"p 1/2", "perhaps", store.ErrNotFound},
		{"p 1/2", "no", nil},
		{"p 1/2", "no", nil},
		{"p 1/2", "yes", store.ErrAnswered},
	} {
		if err := answer(c.id, c.option); !errors.Is(err, c.want) {
			t.Errorf("%s %s: %v, want %v", c.id, c.option, err, c.want)
		}
	}
	signals, err := f.TurnLog().Signals(t.Context(), turn.Lease)
	if err != nil || signals.Answers["p 1/2"] != "no" {
		t.Errorf("signals %+v, %v", signals, err)
	}
	if n := strings.Count(strings.Join(f.kinds(t), " "), "permission/resolved"); n != 1 {
		t.Errorf("%d answers in the log", n)
	}
	if info, err := f.Session(t.Context(), f.viewer, f.id); err != nil || info.NeedsAnswer {
		t.Errorf("still needs an answer: %+v, %v", info, err)
	}
	ask.PermissionID = "withdrawn"
	taken := session.PermissionResolved{PermissionID: "withdrawn", Outcome: session.PermissionCancelled}
	if err := f.TurnLog().Append(t.Context(), turn.Lease, session.Event{Payload: ask}, session.Event{Payload: taken}); err != nil {
		t.Fatal(err)
	}
	if err := answer("withdrawn", "yes"); !errors.Is(err, store.ErrTurnOver) {
		t.Errorf("a question that was taken back: %v", err)
	}
	ask.PermissionID = "late"
	if err := f.TurnLog().Append(t.Context(), turn.Lease, session.Event{Payload: ask}); err != nil {
		t.Fatal(err)
	}
	f.finish(t, turn, session.Cancelled)
	if err := answer("late", "yes"); !errors.Is(err, store.ErrTurnOver) {
		t.Errorf("after the turn: %v", err)
	}
}

func TestRetryIsANewTurnOnTheSameMessage(t *testing.T) {
	t.Parallel()
	f := setup(t)
	if err := f.Retry(t.Context(), f.viewer, f.id); !errors.Is(err, store.ErrNoRetry) {
		t.Errorf("an empty session: %v", err)
	}
	f.send(t, "hello")
	first := f.claim(t)
	f.finish(t, first, session.Failed)
	for range 2 { // pressed twice
		if err := f.Retry(t.Context(), f.viewer, f.id); err != nil {
			t.Fatal(err)
		}
	}
	second := f.claim(t)
	if second.TurnID == first.TurnID || second.Message.Seq != first.Message.Seq {
		t.Errorf("second %+v, first %+v", second, first)
	}
	f.finish(t, second, session.Completed)
	if err := f.Retry(t.Context(), f.viewer, f.id); !errors.Is(err, store.ErrNoRetry) {
		t.Errorf("a completed turn: %v", err)
	}
	if n := strings.Count(strings.Join(f.kinds(t), " "), "user/message"); n != 1 {
		t.Errorf("%d bubbles", n)
	}
}

func TestDraftsKeepTextAndTags(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for _, id := range []string{"", f.id} {
		d := store.Draft{SessionID: id, Text: "  see @a\n", Tags: `[{"id":"f"}]`}
		if err := f.SaveDraft(t.Context(), f.viewer, d); err != nil {
			t.Fatal(err)
		}
		d.Text += "more"
		if err := f.SaveDraft(t.Context(), f.viewer, d); err != nil {
			t.Fatal(err)
		}
		if got, err := f.Draft(t.Context(), f.viewer, id); err != nil || got != d {
			t.Errorf("got %+v, %v", got, err)
		}
		if err := f.SaveDraft(t.Context(), f.viewer, store.Draft{SessionID: id, Tags: "[]"}); err != nil {
			t.Fatal(err)
		}
		if got, err := f.Draft(t.Context(), f.viewer, id); err != nil || got != (store.Draft{SessionID: id}) {
			t.Errorf("cleared, got %+v, %v", got, err)
		}
	}
}

func TestSignInLinksWorkOnceAndTokensUntilRevoked(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := context.Background()
	link, err := f.NewLoginLink(ctx, f.viewer, lease)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // looking spends nothing
		if valid, err := f.LoginLinkValid(ctx, link); err != nil || !valid {
			t.Fatalf("valid %v, %v", valid, err)
		}
	}
	if v, err := f.UseLoginLink(ctx, link); err != nil || v != f.viewer {
		t.Errorf("got %+v, %v", v, err)
	}
	if _, err := f.UseLoginLink(ctx, link); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a second use: %v", err)
	}
	expired, err := f.NewLoginLink(ctx, f.viewer, -lease)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.UseLoginLink(ctx, expired); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an expired link: %v", err)
	}

	token, err := f.NewToken(ctx, f.viewer, "ci")
	if err != nil || len(token) < 43 {
		t.Fatalf("%q, %v", token, err)
	}
	if _, err := f.NewToken(ctx, f.viewer, "ci"); !errors.Is(err, store.ErrNameTaken) {
		t.Errorf("a second token of the name: %v", err)
	}
	if v, err := f.TokenUser(ctx, token); err != nil || v != f.viewer {
		t.Errorf("got %+v, %v", v, err)
	}
	if list, err := f.Tokens(ctx, f.viewer); err != nil || len(list) != 1 || list[0].LastUsedAt == nil {
		t.Errorf("list %+v, %v", list, err)
	}
	// A full disk refuses the note of when a token was used, not the reader.
	if err := f.sql(t, `update tokens set last_used_at = null;
		create trigger no_room before update on tokens for each row execute function refuse_change()`); err != nil {
		t.Fatal(err)
	}
	if v, err := f.TokenUser(ctx, token); err != nil || v != f.viewer {
		t.Errorf("without room to write: %+v, %v", v, err)
	}
	if err := f.sql(t, `drop trigger no_room on tokens`); err != nil {
		t.Fatal(err)
	}
	if err := f.RevokeToken(ctx, f.viewer, "ci"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.TokenUser(ctx, token); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a revoked token: %v", err)
	}
	if err := f.RevokeToken(ctx, f.viewer, "ci"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("revoked twice: %v", err)
	}
}
