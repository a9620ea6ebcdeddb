package e2e

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// inSession opens a new session's page through a proxy, watched.
func inSession(t *testing.T) (s *server, p *proxy, c *client, session string, b *tab) {
	t.Helper()
	s = serve(t, dataDir(t))
	p = proxied(s)
	c = s.client()
	session = c.begin()
	b = openWatched(t)
	b.signIn(p.link())
	b.do(chromedp.Navigate(p.url + "/sessions/" + session))
	b.ready()
	return s, p, c, session, b
}

// An answer that is lost loses nothing: the message settles from the log, is
// sent no more and restored nowhere.
func TestALostAnswerSettlesFromTheLog(t *testing.T) {
	t.Parallel()
	s, p, c, session, b := inSession(t)
	sending := p.catch(posts)
	b.say("arrived")
	x := sending.next()
	x.arrive()
	b.waitsFor("arrived", "logged")
	x.lose()
	events := c.until(session, "the turn's end", ended(1))
	b.waits(`document.querySelector("#transcript [data-role=assistant]") !== null`)
	// The stream behind the answer: the answer alone settles it, then the log.
	p.stopStreams(true)
	b.say("ahead of the stream")
	second := sending.next()
	second.pass()
	b.waitsFor("ahead of the stream", "logged")
	p.stopStreams(false)
	b.waits(`document.querySelectorAll("#transcript [data-seq][data-request-id]:not(:has(> .row-actions))").length === 2`)
	w := b.watched()
	if len(w.Requests) != 2 {
		t.Errorf("sent in %d requests", len(w.Requests))
	}
	if left := b.written(); left != "" {
		t.Errorf("the message box has %q", left)
	}
	if got := contents(events); !slices.Equal(got, []string{"arrived"}) {
		t.Errorf("the log has %q", got)
	}
	s.interrupt()
}

// What nobody answers is tried again under its id, says so, and can be
// cancelled; what shows up later wins.
func TestWhatIsNotConfirmedIsTriedAgain(t *testing.T) {
	t.Parallel()
	s, p, c, session, b := inSession(t)
	sending := p.catch(posts)
	b.say("one")
	ids := make(map[string]bool)
	for i := range 4 {
		x := sending.next()
		ids[x.message().RequestID] = true
		switch i {
		case 0:
			x.lose()
		case 1:
			x.badGateway()
			b.waits(`document.querySelector("article[data-state=sending] .state")?.textContent === "Not confirmed yet. Trying again."`)
		case 2:
			x.refuse(http.StatusServiceUnavailable, "unavailable", "Later.")
		case 3:
			x.pass()
		}
	}
	b.waitsFor("one", "logged")
	if len(ids) != 1 {
		t.Errorf("sent under %d ids", len(ids))
	}
	c.until(session, "the turn's end", ended(1))

	// Cancelled on its way, but it had arrived.
	p.stopStreams(true)
	b.say("two")
	x := sending.next()
	x.arrive()
	b.act("two", "cancel")
	b.waitsFor("two", "failed")
	rows := b.rows()
	if last := rows[len(rows)-1]; !strings.Contains(last.Words, "You cancelled it.") || !slices.Equal(last.Actions, []string{"retry", "edit"}) {
		t.Errorf("%+v", last)
	}
	if back := b.written(); back != "two" {
		t.Errorf("the message box has %q", back)
	}
	p.stopStreams(false)
	b.waitsFor("two", "logged")
	if left := b.written(); left != "" {
		t.Errorf("a message that arrived is still offered: %q", left)
	}
	c.until(session, "both turns' ends", ended(2))

	// Cancelled and gone: Retry brings it there, once. What the person wrote
	// over it stays.
	b.say("three")
	third := sending.next()
	b.act("three", "cancel")
	b.waitsFor("three", "failed")
	b.typeText("!")
	sending.open()
	b.act("three", "retry")
	b.waitsFor("three", "logged")
	if left := b.written(); left != "three!" {
		t.Errorf("the message box has %q", left)
	}
	events := c.until(session, "three turns' ends", ended(3))
	if got := contents(events); !slices.Equal(got, []string{"one", "two", "three"}) {
		t.Errorf("the log has %q", got)
	}
	if id := messagesIn(events)[2].RPCID; id != third.message().RequestID {
		t.Errorf("Retry sent it under another id, %s", id)
	}
	b.watched()
	s.interrupt()
}

func TestOfflineThenOnlineDeliversOnceAndInOrder(t *testing.T) {
	t.Parallel()
	s, p, c, session, b := inSession(t)
	b.offline(true)
	p.goDown(true)
	for _, text := range []string{"one", "two", "three"} {
		b.say(text)
	}
	b.waits(`document.querySelector("article[data-state=sending] .state")?.textContent === "Not confirmed yet. Trying again."`)
	if rows := b.rows(); len(rows) != 3 {
		t.Errorf("%+v", rows)
	}
	p.goDown(false)
	b.offline(false)
	events := c.until(session, "all turns' ends", ended(3))
	if got := contents(events); !slices.Equal(got, []string{"one", "two", "three"}) {
		t.Errorf("the log has %q", got)
	}
	b.waits(`document.querySelectorAll("#transcript [data-state=logged]").length === 3`)
	b.watched()
	s.interrupt()
}

// Where the first message cannot begin a session the next one does.
func TestTheNextMessageBeginsTheSession(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	p := proxied(s)
	c := s.client()
	b := openWatched(t)
	b.signIn(p.link())
	b.ready()
	sending := p.catch(posts)
	b.say("refused")
	first := sending.next()
	b.say("accepted")
	b.say("and more")
	first.refuse(http.StatusUnprocessableEntity, "blank", "No.")
	second := sending.next()
	if second.request.URL.Path != "/sessions" || second.message().Text != "accepted" {
		t.Errorf("then %s %q", second.request.URL, second.message().Text)
	}
	// The session is begun, but nobody hears of it: the same request finds it again.
	second.arrive()
	second.lose()
	again := sending.next()
	if again.message().RequestID != second.message().RequestID {
		t.Error("another id")
	}
	again.pass()
	sending.open()
	b.waits(`document.querySelectorAll("[data-state=logged], [data-state=queued]").length === 2`)
	session := b.sessionOf()
	events := c.until(session, "both turns' ends", ended(2))
	if got := contents(events); !slices.Equal(got, []string{"accepted", "and more"}) {
		t.Errorf("the log has %q", got)
	}
	var home struct{ Sessions []struct{ ID string } }
	c.must("GET", "/", nil, &home)
	if len(home.Sessions) != 1 {
		t.Errorf("%d sessions were begun", len(home.Sessions))
	}
	b.waitsFor("refused", "failed")
	b.watched()
	s.interrupt()
}

// An answer that comes after the person went on to another session changes
// nothing there.
func TestALateAnswerStaysInItsSession(t *testing.T) {
	t.Parallel()
	s, p, c, session, b := inSession(t)
	elsewhere := c.begin()
	b.do(chromedp.Reload()) // its list has both
	b.ready()
	sending := p.catch(posts)
	b.say("for the first session")
	x := sending.next()
	b.do(chromedp.Click(chromedp.CSS(`.side-item[data-session="`+elsewhere+`"]`)), chromedp.WaitReady(chromedp.CSS(`.app[data-session="`+elsewhere+`"]`)))
	b.ready()
	x.pass()
	sending.open()
	c.until(session, "the turn's end", ended(1))
	b.say("for the second session")
	c.until(elsewhere, "the turn's end", ended(1))
	b.waitsFor("for the second session", "logged")
	if rows := b.rows(); len(rows) != 1 {
		t.Errorf("%+v", rows)
	}
	if left := b.written(); left != "" {
		t.Errorf("the message box has %q", left)
	}
	for id, want := range map[string]string{session: "for the first session", elsewhere: "for the second session"} {
		if got := contents(c.events(id)); !slices.Equal(got, []string{want}) {
			t.Errorf("the log has %q, want %q", got, want)
		}
	}
	s.interrupt()
}

// An action that is lost says so above the message box.
func TestALostActionIsSaid(t *testing.T) {
	t.Parallel()
	s, p, _, _, b := inSession(t)
	b.say("/slow 600")
	b.waits(`document.getElementById("run-line").hasAttribute("data-running")`)
	stopping := p.catch(func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/stop") })
	for _, lose := range []func(*exchange){(*exchange).lose, (*exchange).badGateway} {
		b.run(`document.getElementById("notice").replaceChildren()`)
		b.do(chromedp.Click(chromedp.CSS(".stop")))
		lose(stopping.next())
		b.waits(`document.getElementById("notice").textContent === "That did not work. Try again."`)
	}
	s.interrupt()
}
