package handlers_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"webshell/internal/session"
	"webshell/store"
)

func TestAStreamedTurnIsTheReloadedOne(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"hello", "/markdown", "/think", "/tool", "/context", "/fail"} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			id := s.newSession()
			r := s.follow(id, "0")
			s.send(id, map[string]any{"text": text})
			s.runner()
			ended := s.await(id, "turn/ended")
			screen := newScreen(t)
			for screen.cursor != strconv.FormatInt(ended.Seq, 10) {
				screen.apply(r.next())
			}
			if got, want := screen.text(), s.reloaded(id); got != want {
				t.Errorf("streamed:\n%s\nreloaded:\n%s", got, want)
			}
		})
	}
}

// turn claims the session's turn, to write its events by hand.
func (s *site) turn(id, text string) session.Turn {
	s.Helper()
	s.send(id, map[string]any{"text": text})
	t, claimed, err := s.store.TurnLog().Claim(s.Context(), "test", time.Hour)
	if err != nil || !claimed {
		s.Fatalf("%v %v", claimed, err)
	}
	return t
}

func (s *site) piece(t session.Turn, block, n int, text string) {
	s.Helper()
	p := session.Piece{Turn: t.TurnID, Block: block, N: n, Kind: session.KindAssistantMessage, Text: text}
	if err := s.store.TurnLog().Piece(s.Context(), t.Lease, p); err != nil {
		s.Fatal(err)
	}
}

func (s *site) append(t session.Turn, events ...session.Event) {
	s.Helper()
	if err := s.store.TurnLog().Append(s.Context(), t.Lease, events...); err != nil {
		s.Fatal(err)
	}
}

func TestPiecesOfAnOpenBlockAreFollowedAndResumed(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	turn := s.turn(id, "hello") // events 1 and 2
	r := s.follow(id, "0")
	screen := newScreen(t)
	until := func(r *reader, cursor string) {
		t.Helper()
		for screen.cursor != cursor {
			screen.apply(r.next())
		}
	}
	s.piece(turn, 1, 1, "one *two*")
	until(r, "2.1")
	s.piece(turn, 1, 2, "\n\nthree")
	until(r, "2.2")
	if got := screen.text(); got != "hello one two three" {
		t.Errorf("on screen: %q", got)
	}
	// Something else is logged while the block is open: pairs go on in order.
	s.send(id, map[string]any{"text": "waits"})
	until(r, "3")
	s.piece(turn, 1, 3, " four")
	until(r, "3.3")
	r.cancel()

	// A reader that lost the connection goes on, whichever way it says where.
	s.piece(turn, 1, 4, " five")
	resumed := s.follow(id, "0", header("Last-Event-ID", "3.3"))
	until(resumed, "3.4")
	if got := screen.text(); got != "hello one two three four five" {
		t.Errorf("resumed: %q", got)
	}
	if got := s.reloaded(id); got != screen.text() {
		t.Errorf("reloaded in mid-answer: %q", got)
	}
	nothingNew := s.follow(id, "3.4")
	s.append(turn, session.BlockEvent(session.Piece{Turn: turn.TurnID, Block: 1, Kind: session.KindAssistantMessage}, "one *two*\n\nthree four five"))
	if m := nothingNew.row(); m.id != "4" {
		t.Errorf("a reader that had everything got %+v", m)
	}
	until(resumed, "4")
	if got := screen.text(); got != "hello one two three four five" {
		t.Errorf("closed: %q", got)
	}
	// A block that opens later is sent whole to a reader whose cursor was
	// taken in the one before.
	s.piece(turn, 2, 1, "nothing")
	late := s.follow(id, "3.4")
	for m := late.next(); m.id != "4.1"; m = late.next() {
	}
}

func TestReplayBeginsAfterTheLaterCursor(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	turn := s.turn(id, "hello")
	for i := range 5 {
		s.append(turn, session.Event{Content: "x" + strconv.Itoa(i), Payload: session.AssistantMessage{Turn: turn.TurnID, Block: i + 1}})
	}
	for _, c := range []struct{ after, last, want string }{
		{"0", "", "1"}, {"3", "", "4"}, {"2", "5", "6"}, {"5", "2", "6"}, {"2.7", "2", "3"}, {"", "6", "7"},
	} {
		r := s.follow(id, c.after, func(r *http.Request) {
			if c.last != "" {
				r.Header.Set("Last-Event-ID", c.last)
			}
		})
		if m := r.cursor(); m.id != c.want {
			t.Errorf("after %q, Last-Event-ID %q: begins with %s", c.after, c.last, m.id)
		}
		r.cancel()
	}
	for _, bad := range []string{"x", "-1", "1.", "1.x", ".5", "1.-2", "1.2.3", "99999999999999999999"} {
		if a := s.request("GET", "/sessions/"+id+"/stream?after="+bad, "", "", acceptJSON); a.StatusCode != http.StatusBadRequest {
			t.Errorf("after=%s: %d", bad, a.StatusCode)
		}
	}
	if a := s.request("GET", "/sessions/"+id+"/stream?after=999", "", "", acceptJSON); a.StatusCode != http.StatusConflict {
		t.Errorf("a cursor from another log: %d", a.StatusCode)
	}
}

// A change of a row that was on the page already reaches a reader that began
// after it.
func TestALateReaderSeesChangesOfEarlierRows(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	turn := s.turn(id, "hello")
	s.append(turn, session.Event{Payload: session.ToolCall{ToolCallID: "a", Title: "Read", Status: session.ToolInProgress}})
	r := s.follow(id, "3")
	s.append(turn, session.Event{Payload: session.ToolUpdate{ToolCallID: "a", Status: session.ToolCompleted, Text: "the output"}})
	m := r.row()
	if m.id != "4" || !strings.Contains(m.data, `id="e-3"`) || !strings.Contains(m.data, "the output") {
		t.Errorf("%+v", m)
	}
}

func TestEventsFromAnotherProcessArrive(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	ctx, cancel := context.WithCancel(t.Context())
	listening, done := make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(done)
		store.Listen(ctx, s.dbURL, discard(), s.bus.Wake, func() {
			s.bus.WakeAll()
			listening <- struct{}{}
		})
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	<-listening
	id := s.newSession()
	r := s.follow(id, "0")
	other := s.otherStore()
	if _, err := other.Submit(t.Context(), s.owner, submission(id, "from elsewhere")); err != nil {
		t.Fatal(err)
	}
	if m := r.row(); !strings.Contains(m.data, "from elsewhere") {
		t.Errorf("%+v", m)
	}
}

func TestARevokedCredentialEndsItsStreams(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	b := s.browser()
	b.signIn()
	token := s.follow(id, "0")
	cookie := s.follow(id, "0", anonymous, func(r *http.Request) {
		for _, c := range b.client.Jar.Cookies(mustURL(t, s.server.URL)) {
			r.AddCookie(c)
		}
	})
	if err := s.store.RevokeToken(t.Context(), s.owner, "test"); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(10 * time.Second) // five, and what a busy machine takes
	b.submit("/logout", nil)
	if !token.ended(time.Until(deadline)) || !cookie.ended(time.Until(deadline)) {
		t.Error("a stream outlived its credential")
	}
}

// The queue comes whole, so that it comes once for all that changed it, and to
// every reader: one that was cut may have missed a change.
func TestACatchUpDrawsTheQueueOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	s.turn(id, "hello")
	const waiting = 20
	for range waiting {
		s.send(id, map[string]any{"text": "waits"})
	}
	r := s.follow(id, "0")
	var drawn []message
	for m := r.next(); m.id != itoa(2+waiting); m = r.next() {
		drawn = append(drawn, m)
	}
	queues := 0
	for _, m := range drawn {
		if m.name == "queue" {
			queues++
		}
	}
	if queues > 0 {
		t.Errorf("the queue was drawn %d times before its last change", queues)
	}
	for _, after := range []int{1 + waiting, 2 + waiting} {
		m := s.follow(id, itoa(after)).named("queue")
		if len(all(parse(t, m.data), byAttr("data-state", "queued"))) != waiting {
			t.Errorf("after %d: %s", after, m.data)
		}
	}
}

// Each event has its cursor, so that a reader can tell when one is missing.
func TestEveryEventHasItsCursor(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	s.turn(id, "hello")
	for range 3 {
		s.send(id, map[string]any{"text": "waits"})
	}
	r := s.follow(id, "0")
	for seq := 1; seq <= 5; seq++ {
		if m := r.cursor(); m.id != itoa(seq) {
			t.Fatalf("cursor %s, want %d", m.id, seq)
		}
	}
}

// Whether an answer is being written reads the same on the page and on the
// stream: a question that waits says so itself.
func TestTheRunLineIsThePages(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	turn := s.turn(id, "hello")
	r := s.follow(id, "0")
	hidden := func(doc *html.Node) bool {
		for _, a := range all(doc, byAttr("id", "run-line"))[0].Attr {
			if a.Key == "hidden" {
				return true
			}
		}
		return false
	}
	check := func(when string, seq int64, want bool) {
		t.Helper()
		m := r.next()
		for m.id != itoa(seq) {
			m = r.next()
		}
		page := parse(t, s.request("GET", "/sessions/"+id, "", "", acceptHTML).body)
		if m.name != "status" || hidden(parse(t, m.data)) != want || hidden(page) != want {
			t.Errorf("%s: %s, page hidden: %v", when, m.name, hidden(page))
		}
	}
	check("running", 2, false)
	s.append(turn, session.Event{Payload: session.PermissionRequested{PermissionID: "p", Title: "?", Options: []session.PermissionOption{{OptionID: "y", Label: "Yes"}}}})
	check("asking", 3, true)
	s.append(turn, session.Event{Payload: session.PermissionResolved{PermissionID: "p", Outcome: session.PermissionSelected, OptionID: "y"}})
	check("answered", 4, false)
	if err := s.store.TurnLog().Finish(t.Context(), turn.Lease, session.Completed, ""); err != nil {
		t.Fatal(err)
	}
	check("ended", 5, true)
}

func TestClosingTheServerEndsStreams(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	r := s.follow(s.newSession(), "0")
	s.server.Config.Handler.(interface{ Close() }).Close()
	if !r.ended(15 * time.Second) {
		t.Error("the stream did not end")
	}
}

// No text can end an event early: a reader gets back one event each.
func TestTextCannotBreakOutOfTheStream(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	hostile := "a\n\nevent: row\ndata: <script>alert(1)</script>\nid: 99\n\n\r\rid: 98\r\n: x\r"
	turn := s.turn(id, "hello")
	s.append(turn,
		session.Event{Source: json.RawMessage(`{"kind":"a\n\nid: 97\n\n"}`), Content: hostile, Payload: session.ContextMessage{}},
		session.Event{Content: hostile, Payload: session.AssistantMessage{Turn: turn.TurnID, Block: 1}},
		session.Event{Payload: session.ToolCall{ToolCallID: hostile, Title: hostile, Status: hostile, Input: json.RawMessage(`{"a":"\n\nid: 96\n\n"}`)}},
		session.Event{Payload: session.Unknown{Name: session.Kind("x\n\nid: 95\n\n"), Body: json.RawMessage(`{}`)}},
	)
	r := s.follow(id, "0")
	for want := 1; want <= 6; want++ {
		m := r.next()
		for m.id == "" {
			m = r.next()
		}
		if m.id != strconv.Itoa(want) || strings.Contains(m.data, "<script>") {
			t.Fatalf("event %d came as %+v", want, m)
		}
	}
}

func TestTheFirstByteComesAtOnceAndSilenceIsFilled(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	r := s.follow(s.newSession(), "0")
	select {
	case c := <-r.comments:
		if c != "open" {
			t.Errorf("first comment %q", c)
		}
	case <-time.After(30 * time.Second):
		t.Error("nothing came")
	}
	select {
	case c := <-r.comments:
		if c != "ping" {
			t.Errorf("comment %q", c)
		}
	case <-time.After(time.Minute):
		t.Error("no ping came")
	}
}
