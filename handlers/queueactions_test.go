package handlers_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"golang.org/x/net/html"

	"webshell/handlers"
	"webshell/internal/session"
	"webshell/internal/turn"
	"webshell/internal/turn/turntest"
	"webshell/store"
)

// waiting sends a message that waits, and gives its request id.
func (s *site) waiting(session, text string) string {
	s.Helper()
	r, a := s.send(session, map[string]any{"text": text})
	if r.State != "queued" {
		s.Fatalf("it does not wait: %s", a)
	}
	return r.RequestID
}

// act asks for an action on a waiting message as a program does.
func (s *site) act(session, request string, fields map[string]any, out any) answer {
	s.Helper()
	return s.post("/sessions/"+session+"/queue/"+request, fields, out)
}

// queueOn is what waits by the page, in order.
func (s *site) queueOn(page string) []string {
	s.Helper()
	texts := []string{}
	for _, row := range all(parse(s.T, page), byTag("article")) {
		if hasAttr(row, "data-queue-row") {
			texts = append(texts, textOf(all(row, byClass("message-content"))[0]))
		}
	}
	return texts
}

func hasAttr(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func (s *site) openPage(session string) string {
	s.Helper()
	return s.request("GET", "/sessions/"+session, "", "", acceptHTML).body
}

// A program edits, steers, orders and deletes what waits.
func TestAProgramChangesTheQueue(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	running := s.turn(id, "runs")
	first, second, third := s.waiting(id, "look at @a now"), s.waiting(id, "2"), s.waiting(id, "3")
	var held struct {
		RequestID, Hold, HeldUntil, Content string
		Annotations                         []json.RawMessage
	}
	if a := s.act(id, first, map[string]any{"action": "hold"}, &held); a.StatusCode != http.StatusOK || held.RequestID != first || held.Content != "look at @a now" || held.HeldUntil == "" {
		t.Fatal(a)
	}
	path := "/sessions/" + id + "/queue/" + first
	edit := `{"text":"see @a","tags":[{"id":"f","serialized":"@a","start":4,"end":6}],"hold":"` + held.Hold + `"}`
	var saved struct {
		Content     string
		Annotations []struct{ Start int }
	}
	s.read(s.request("PATCH", path, "application/json", edit, acceptJSON), &saved)
	if saved.Content != "see @a" || len(saved.Annotations) != 1 || saved.Annotations[0].Start != 4 {
		t.Errorf("saved %+v", saved)
	}
	// Without tags, what the change left alone stays.
	s.read(s.request("PATCH", path, "application/json", `{"text":"please see @a"}`, acceptJSON), &saved)
	if len(saved.Annotations) != 1 || saved.Annotations[0].Start != 11 {
		t.Errorf("without tags %+v", saved)
	}
	if a := s.post("/sessions/"+id+"/queue/order", map[string]any{"requestIds": []string{third, first}}, nil); a.StatusCode != http.StatusOK {
		t.Error(a)
	}
	if a := s.act(id, second, map[string]any{"action": "steer", "turn": running.TurnID}, nil); a.StatusCode != http.StatusOK {
		t.Error(a)
	}
	if got, want := s.queueOn(s.openPage(id)), []string{"2", "3", "please see @a"}; !slices.Equal(got, want) {
		t.Errorf("waiting are %q", got)
	}
	for range 2 {
		if a := s.request("DELETE", "/sessions/"+id+"/queue/"+third, "", "", acceptJSON); a.StatusCode != http.StatusOK {
			t.Error(a)
		}
	}
	var sent struct{ Stopping bool }
	if a := s.act(id, first, map[string]any{"action": "send-now", "turn": uuid.NewString()}, &sent); a.StatusCode != http.StatusOK || sent.Stopping {
		t.Errorf("another turn is stopped: %s", a)
	}
	if s.act(id, first, map[string]any{"action": "send-now"}, &sent); !sent.Stopping {
		t.Error("the turn is not stopped")
	}
}

// What cannot be done is refused with the reason, and nothing has changed.
func TestRefusedQueueActions(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	over := s.turn(id, "runs")
	taken, waits, deleted, held := s.waiting(id, "taken"), s.waiting(id, "waits"), s.waiting(id, "deleted"), s.waiting(id, "held")
	if err := s.store.TurnLog().Finish(t.Context(), over.Lease, session.Completed, ""); err != nil {
		t.Fatal(err)
	}
	s.act(id, deleted, map[string]any{"action": "delete"}, nil)
	s.act(id, held, map[string]any{"action": "hold"}, nil)
	for _, c := range []struct {
		request string
		fields  map[string]any
		status  int
		code    string
	}{
		{taken, map[string]any{"action": "edit", "text": "x"}, 409, "already_taken"},
		{taken, map[string]any{"action": "delete"}, 409, "already_taken"},
		{deleted, map[string]any{"action": "edit", "text": "x"}, 409, "already_deleted"},
		{held, map[string]any{"action": "edit", "text": "x"}, 409, "edited_elsewhere"},
		{held, map[string]any{"action": "hold", "hold": uuid.NewString()}, 409, "edited_elsewhere"},
		{held, map[string]any{"action": "send-now"}, 409, "being_edited"},
		{waits, map[string]any{"action": "steer", "turn": over.TurnID}, 409, "no_turn"},
		{waits, map[string]any{"action": "edit", "text": " \n"}, 422, "blank"},
		{waits, map[string]any{"action": "edit", "text": strings.Repeat("x", 1<<20+1)}, 413, "too_large"},
		{waits, map[string]any{"action": "edit", "text": "x", "hold": "none"}, 400, "bad_request"},
		{waits, map[string]any{"action": "burn"}, 400, "bad_request"},
		{waits, map[string]any{}, 400, "bad_request"},
		{uuid.NewString(), map[string]any{"action": "delete"}, 404, "not_found"},
		{"nope", map[string]any{"action": "delete"}, 404, "not_found"},
	} {
		a := s.act(id, c.request, c.fields, nil)
		if code, _ := s.fault(a); a.StatusCode != c.status || code != c.code {
			t.Errorf("%v: %d %s, want %d %s", c.fields, a.StatusCode, code, c.status, c.code)
		}
	}
	for _, ids := range []any{nil, []string{}, []string{waits, waits}, []string{"nope"}, "text", make([]string, store.InboxLimit+1)} {
		if a := s.post("/sessions/"+id+"/queue/order", map[string]any{"requestIds": ids}, nil); a.StatusCode != http.StatusBadRequest {
			t.Errorf("order %v: %d", ids, a.StatusCode)
		}
	}
	if got, want := s.queueOn(s.openPage(id)), []string{"waits", "held"}; !slices.Equal(got, want) {
		t.Errorf("waiting are %q", got)
	}
}

// press is where a row's button sends, and what. One that belongs to another
// form brings none of the row's fields.
func press(t *testing.T, in *html.Node, button string) (action string, sent url.Values) {
	t.Helper()
	found := all(in, byAttr("data-queue-action", button))
	if len(found) != 1 || hasAttr(found[0], "disabled") {
		t.Fatalf("%d buttons %s, or it is disabled", len(found), button)
	}
	b := found[0]
	sent = url.Values{attr(b, "name"): {attr(b, "value")}}
	if attr(b, "form") != "" {
		return attr(b, "formaction"), sent
	}
	for _, field := range all(in, byAttr("type", "hidden")) {
		sent.Set(attr(field, "name"), attr(field, "value"))
	}
	return attr(all(in, byClass("queue-actions"))[0], "action"), sent
}

// The queue works without script: every button of a row is a button of a form,
// and an edit has a page.
func TestTheQueueWithoutScript(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	running := s.turn(id, "runs")
	r, _ := s.send(id, map[string]any{"text": "look at @a", "tags": []any{map[string]any{"id": "f", "serialized": "@a", "start": 8, "end": 10}}})
	second, third := s.waiting(id, "2"), s.waiting(id, "3")
	b := s.browser()
	b.signIn()
	pressOn := func(request, button string) answer {
		t.Helper()
		doc := parse(t, b.open("/sessions/"+id).body)
		row := all(doc, byAttr("data-request-id", request))[0]
		action, sent := press(t, row, button)
		a := b.submit(action, sent)
		if a.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", button, a)
		}
		return a
	}

	page := parse(t, pressOn(r.RequestID, "edit").body)
	form := all(page, byAttr("id", "queue-edit"))
	if len(form) != 1 || textOf(all(form[0], byTag("textarea"))[0]) != "look at @a" {
		t.Fatalf("%d forms to edit", len(form))
	}
	if row := all(page, byAttr("data-request-id", r.RequestID))[0]; !strings.Contains(textOf(row), "Being edited") {
		t.Errorf("the row says %q", textOf(row))
	}
	hold := attr(all(form[0], byAttr("name", "hold"))[0], "value")
	blank := b.submit(attr(form[0], "action"), url.Values{"action": {"edit"}, "hold": {hold}, "text": {" "}})
	if kept := all(parse(t, blank.body), byAttr("id", "queue-edit")); blank.StatusCode != http.StatusUnprocessableEntity || len(kept) != 1 {
		t.Errorf("a blank text: %s", blank)
	}
	edited := b.submit(attr(form[0], "action"), url.Values{"action": {"edit"}, "hold": {hold}, "text": {"please look\r\nat @a"}})
	row := all(parse(t, edited.body), byAttr("data-request-id", r.RequestID))[0]
	if textOf(all(row, byClass("message-content"))[0]) != "please look\nat @a" || len(all(row, byClass("chip"))) != 1 {
		t.Errorf("edited is %q", textOf(row))
	}
	late := b.submit(attr(form[0], "action"), url.Values{"action": {"edit"}, "hold": {hold}, "text": {"once more"}})
	if kept := all(parse(t, late.body), byAttr("name", "text")); late.StatusCode != http.StatusConflict || len(kept) != 1 || textOf(kept[0]) != "once more" {
		t.Errorf("an edit that comes too late: %s", late)
	}
	if a := b.open("/sessions/" + id + "?edit=" + r.RequestID + "&hold=" + hold); strings.Contains(a.body, `id="queue-edit"`) || !strings.Contains(a.body, "in another window") {
		t.Error("the page of an edit that is over still edits")
	}

	pressOn(third, "up")
	pressOn(third, "up")
	pressOn(third, "down")
	pressOn(second, "steer")
	if got, want := s.queueOn(b.open("/sessions/"+id).body), []string{"2", "please look\nat @a", "3"}; !slices.Equal(got, want) {
		t.Errorf("waiting are %q", got)
	}
	pressOn(second, "delete")
	pressOn(third, "send-now")
	if signals, err := s.store.TurnLog().Signals(t.Context(), running.Lease); err != nil || !signals.Stop {
		t.Errorf("the turn is not stopped: %+v, %v", signals, err)
	}
	if got, want := s.queueOn(b.open("/sessions/"+id).body), []string{"3", "please look\nat @a"}; !slices.Equal(got, want) {
		t.Errorf("waiting are %q", got)
	}
}

// Stop pauses the queue, which says so and offers to go on; its form names the
// turn that the page shows.
func TestStopAndResumeWithoutScript(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	running := s.turn(id, "runs")
	s.waiting(id, "waits")
	b := s.browser()
	b.signIn()
	doc := parse(t, b.open("/sessions/"+id).body)
	turns := all(all(doc, byAttr("id", "run-line"))[0], byAttr("name", "turn"))
	if len(turns) != 1 || attr(turns[0], "value") != running.TurnID || attr(turns[0], "form") != "stop" {
		t.Fatalf("%d names of a turn", len(turns))
	}
	if len(all(doc, byClass("queue-paused"))) != 0 {
		t.Error("the queue is paused before the stop")
	}
	page := parse(t, b.submit("/sessions/"+id+"/stop", form("turn", running.TurnID)).body)
	paused := all(page, byClass("queue-paused"))
	if len(paused) != 1 || !strings.Contains(textOf(paused[0]), "paused") {
		t.Fatalf("%d lines say that the queue is paused", len(paused))
	}
	page = parse(t, b.submit(attr(all(paused[0], byTag("form"))[0], "action"), nil).body)
	if len(all(page, byClass("queue-paused"))) != 0 {
		t.Error("the queue is still paused")
	}
	if a := b.submit("/sessions/"+id+"/stop", form("turn", "none")); a.StatusCode != http.StatusBadRequest {
		t.Errorf("a turn of no name: %d", a.StatusCode)
	}
}

// deaf is an agent that takes no messages while it works.
func deaf(o *handlers.Options) {
	o.Agents = map[string]turn.Backend{"demo": turntest.Script(func(ctx context.Context, _ turn.Input, _ *turn.Output) (session.Outcome, error) {
		<-ctx.Done()
		return session.Completed, nil
	})}
}

// Where the agent takes nothing while it works, steering says so, and the
// message waits on.
func TestAnAgentThatCannotBeSteered(t *testing.T) {
	t.Parallel()
	s := newSite(t, deaf)
	id := s.newSession()
	s.turn(id, "runs")
	if r, a := s.send(id, map[string]any{"text": "now", "mode": "steer"}); r.State != "queued" {
		t.Errorf("sent to steer: %s", a)
	}
	waits := s.waiting(id, "waits")
	a := s.act(id, waits, map[string]any{"action": "steer"}, nil)
	if code, _ := s.fault(a); a.StatusCode != http.StatusConflict || code != "cannot_steer" {
		t.Errorf("steered: %s", a)
	}
	doc := parse(t, s.openPage(id))
	for _, button := range all(all(doc, byAttr("id", "queue"))[0], byAttr("data-queue-action", "steer")) {
		if !hasAttr(button, "disabled") || !strings.Contains(attr(button, "title"), "takes no messages") {
			t.Errorf("the button says %q", attr(button, "title"))
		}
	}
	if composer := all(doc, byAttr("id", "composer"))[0]; hasAttr(composer, "data-steers") || len(all(composer, byClass("steer"))) != 0 {
		t.Error("the message box offers to steer")
	}
}

// A reader of the stream sees each change of the queue, also those that leave
// every message where it is.
func TestTheStreamFollowsTheQueue(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	running := s.turn(id, "runs")
	first := s.waiting(id, "1")
	r := s.follow(id, itoa(s.events(id)[len(s.events(id))-1].Seq))
	until := func(holds func(queue *html.Node) bool) {
		t.Helper()
		for !holds(parse(t, r.named("queue").data)) {
		}
	}
	until(func(q *html.Node) bool { return strings.Contains(textOf(q), "Stop and send") })
	s.act(id, first, map[string]any{"action": "hold"}, nil)
	until(func(q *html.Node) bool { return strings.Contains(textOf(q), "Being edited") })
	s.act(id, first, map[string]any{"action": "edit", "text": "one", "hold": s.held(id, first)}, nil)
	until(func(q *html.Node) bool { return strings.Contains(textOf(q), "one") })
	s.post("/sessions/"+id+"/stop", map[string]any{"turn": running.TurnID}, nil)
	until(func(q *html.Node) bool { return len(all(q, byClass("queue-paused"))) == 1 })
	if err := s.store.TurnLog().Finish(t.Context(), running.Lease, session.Cancelled, ""); err != nil {
		t.Fatal(err)
	}
	until(func(q *html.Node) bool { return strings.Contains(textOf(q), "Send now") })
	s.post("/sessions/"+id+"/queue/resume", nil, nil)
	until(func(q *html.Node) bool { return len(all(q, byTag("article"))) == 0 })
}

// held is the name of the edit that holds a message.
func (s *site) held(session, request string) string {
	s.Helper()
	q, err := s.store.Queue(s.Context(), s.owner, session)
	if err != nil {
		s.Fatal(err)
	}
	for _, w := range q.Waiting {
		if w.RequestID == request {
			return w.Hold
		}
	}
	s.Fatalf("%s does not wait", request)
	return ""
}

// Preferences are the person's, and kept on the server.
func TestPreferences(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser()
	b.signIn()
	chosen := func(page string) (values []string) {
		for _, option := range all(all(parse(t, page), byAttr("id", "preferences"))[0], byTag("option")) {
			if hasAttr(option, "selected") {
				values = append(values, attr(option, "value"))
			}
		}
		return values
	}
	if got := chosen(b.open("/").body); !slices.Equal(got, []string{"queue", "wait"}) {
		t.Errorf("at first %v", got)
	}
	b.submit("/preferences", form("enter", "steer"))
	if a := s.post("/preferences", map[string]any{"afterStop": "drain"}, nil); a.StatusCode != http.StatusNoContent {
		t.Error(a)
	}
	page := b.open("/").body
	if got := chosen(page); !slices.Equal(got, []string{"steer", "drain"}) {
		t.Errorf("chosen are %v", got)
	}
	if composer := all(parse(t, page), byAttr("id", "composer"))[0]; attr(composer, "data-enter") != "steer" || !hasAttr(composer, "data-steers") {
		t.Error("the message box does not know")
	}
	for _, body := range []map[string]any{{}, {"enter": "x"}, {"afterStop": 5}, {"after_stop": "wait"}} {
		if a := s.post("/preferences", body, nil); a.StatusCode != http.StatusBadRequest {
			t.Errorf("%v: %d", body, a.StatusCode)
		}
	}
}
