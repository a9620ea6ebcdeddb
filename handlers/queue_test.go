package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"webshell/internal/session"
)

// places is where a reader sees messages.
type places struct {
	*testing.T
	*screen
	queue []string
	seen  map[string]bool
}

func newPlaces(t *testing.T) *places {
	return &places{T: t, screen: newScreen(t), seen: map[string]bool{}}
}

// apply shows an event, and makes sure that no message that was seen is gone.
func (p *places) apply(m message) {
	p.T.Helper()
	p.screen.apply(m)
	if m.name == "queue" {
		p.queue = nil
		for _, row := range all(parse(p.T, m.data), byTag("article")) {
			p.queue = append(p.queue, attr(row, "id"))
		}
	}
	for _, key := range append(slices.Clone(p.queue), p.order...) {
		p.seen[key] = true
	}
	for key := range p.seen {
		if p.rows[key] == nil && !slices.Contains(p.queue, key) {
			p.T.Fatalf("%s is gone after a %s", key, m.name)
		}
	}
}

// A message that a turn takes is in the transcript before it leaves the queue,
// in every frame between.
func TestNoMessageIsGoneWhileItMoves(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	r := s.follow(id, "0")
	s.runner()
	const sent = 8
	for range sent {
		if _, a := s.send(id, map[string]any{"text": "hello"}); a.StatusCode != http.StatusCreated {
			t.Fatal(a)
		}
	}
	last := s.awaitNth(id, "turn/ended", sent)
	p := newPlaces(t)
	for p.cursor != itoa(last.Seq) || len(p.queue) > 0 {
		p.apply(r.next())
	}
	if len(p.seen) < sent {
		t.Errorf("%d of %d messages seen", len(p.seen), sent)
	}
}

// The same where more messages are taken at once than one read of the log holds.
func TestNoMessageIsGoneInALongBatch(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	turn := s.turn(id, "hello")
	const sent = 230
	for range sent {
		if r, a := s.send(id, map[string]any{"text": "and", "mode": "steer"}); r.State != "steering" {
			t.Fatal(a)
		}
	}
	r := s.follow(id, itoa(2+sent))
	p := newPlaces(t)
	p.apply(r.named("queue"))
	if len(p.queue) != sent {
		t.Fatalf("%d wait", len(p.queue))
	}
	if taken, err := s.store.TurnLog().TakeSteering(t.Context(), turn.Lease); err != nil || len(taken) != sent {
		t.Fatal(len(taken), err)
	}
	for len(p.queue) > 0 {
		p.apply(r.next())
	}
	if len(p.order) != sent {
		t.Errorf("%d rows", len(p.order))
	}
}

// The bar follows title, mode and model, and names the document.
func TestTheBarFollows(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	r := s.follow(id, "0")
	turn := s.turn(id, "compare the two")
	bar := func() *html.Node {
		t.Helper()
		return all(parse(t, r.named("bar").data), byAttr("id", "bar"))[0]
	}
	first := bar()
	if attr(first, "data-title") != "compare the two · WebShell" || !strings.Contains(textOf(first), "demo") {
		t.Errorf("%s: %s", attr(first, "data-title"), textOf(first))
	}
	page := parse(t, s.request("GET", "/sessions/"+id, "", "", acceptHTML).body)
	if title := textOf(all(page, byTag("title"))[0]); title != attr(first, "data-title") {
		t.Errorf("the page's title is %q", title)
	}
	if got, want := textOf(all(page, byAttr("id", "bar"))[0]), textOf(first); got != want {
		t.Errorf("the page's bar says %q, the stream's %q", got, want)
	}
	// What a batch changes comes once.
	s.append(turn, session.Event{Payload: session.ModeChanged{Mode: "plan"}}, session.Event{Payload: session.ModelChanged{Model: "big"}})
	if second := textOf(bar()); !strings.Contains(second, "plan") || !strings.Contains(second, "demo · big") {
		t.Errorf("%s", second)
	}
}
