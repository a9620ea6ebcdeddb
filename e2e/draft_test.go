package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// stored is the draft that a fresh page of a session is drawn with, "" for the
// start page's.
func (b *tab) stored(session string) string {
	b.Helper()
	path := `"/"`
	if session != "" {
		path = quote("/sessions/" + session)
	}
	return get(b, chromedp.Evaluate[string](fmt.Sprintf(`fetch(%s, { headers: { Accept: "text/html" } }).then((page) => page.text())
		.then((html) => new DOMParser().parseFromString(html, "text/html").querySelector("textarea").defaultValue)`, path), chromedp.EvalAwaitPromise))
}

// waitsForDraft waits until the server has a draft.
func (b *tab) waitsForDraft(session, want string) {
	b.Helper()
	got := b.stored(session)
	for i := 0; got != want && i < 3000; i++ {
		got = b.stored(session)
	}
	if got != want {
		b.Fatalf("the draft on the server is %q, want %q", got, want)
	}
}

func TestADraftOutlivesThePage(t *testing.T) {
	t.Parallel()
	s, _, _, session, b := inSession(t)
	b.focus(messageBox)
	b.insert("see ")
	b.pasteChip("Makefile")
	b.waitsForDraft(session, "see @Makefile")
	b.typeText("!") // stored as the page goes
	b.do(chromedp.Reload())
	b.ready()
	if left := b.written(); left != "see @Makefile!" {
		t.Errorf("after a reload the message box has %q", left)
	}
	if n := b.count("#composer .chip"); n != 1 {
		t.Errorf("after a reload the message box has %d chips", n)
	}
	// What another tab stores leaves alone what is being written here.
	other := failingTab(b)
	other.do(chromedp.Navigate(get(b, chromedp.Location())))
	other.ready()
	other.focus(messageBox)
	other.typeText(" and there")
	other.waitsForDraft(session, "see @Makefile! and there")
	if left := b.written(); left != "see @Makefile!" {
		t.Errorf("another tab wrote into the message box: %q", left)
	}
	s.interrupt()
}

// A version of the draft that is stored late never brings back what was sent.
func TestALateDraftDoesNotBringBackWhatWasSent(t *testing.T) {
	t.Parallel()
	s, p, c, session, b := inSession(t)
	storing := p.catch(drafts)
	b.focus(messageBox)
	b.typeText("hello")
	late := storing.next()
	b.press("Enter")
	c.until(session, "the turn's end", ended(1))
	late.pass()
	storing.open()
	b.waitsForDraft(session, "")
	b.do(chromedp.Reload())
	b.ready()
	if left := b.written(); left != "" {
		t.Errorf("what was sent is back: %q", left)
	}
	b.waitsForDraft(session, "")
	s.interrupt()
}

// The start page's draft goes with the message that begins the session, and
// what is written next belongs to that, with its chips.
func TestTheDraftMovesFromTheStartPageToItsSession(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	p := proxied(s)
	b := openWatched(t)
	b.signIn(p.link())
	b.ready()
	b.focus(messageBox)
	b.typeText("the first")
	b.waitsForDraft("", "the first")
	sending := p.catch(posts)
	b.press("Enter")
	first := sending.next()
	b.typeText("the next: ")
	b.pasteChip("Makefile")
	b.waitsForDraft("", "the next: @Makefile")
	first.pass()
	b.waits(`document.querySelector(".app").dataset.session !== undefined`)
	b.waitsForDraft(b.sessionOf(), "the next: @Makefile")
	b.waitsForDraft("", "")
	b.watched()
	b.do(chromedp.Reload())
	b.ready()
	if left, chips := b.written(), b.count("#composer .chip"); left != "the next: @Makefile" || chips != 1 {
		t.Errorf("the session's message box has %q with %d chips", left, chips)
	}
	s.interrupt()
}

// What was not stored when one signs out is not there for the next person who
// signs in in the same tab.
func TestSigningOutLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	p := proxied(s)
	b := openWatched(t)
	b.signIn(p.link())
	b.ready()
	storing := p.catch(drafts)
	b.focus(messageBox)
	b.typeText("mine alone")
	storing.next()
	b.do(chromedp.Click(chromedp.CSS(`form[action$="/logout"] button`)), chromedp.WaitVisible(chromedp.CSS(".command")))
	b.signIn(p.loginLink())
	b.ready()
	if left := b.written(); left != "" {
		t.Errorf("the message box has %q", left)
	}
	storing.open()
	s.interrupt()
}

// Arrow keys bring back what was sent, from this tab and from elsewhere, with
// its chips, and the way down leads back to what was there.
func TestRecallBringsBackWhatWasSent(t *testing.T) {
	t.Parallel()
	s, p, c, session, b := inSession(t)
	m := newMessage(1, 2)
	c.must("POST", "/sessions/"+session+"/messages", map[string]any{"requestId": m.request, "text": m.text, "tags": m.tags}, nil)
	c.until(session, "the turn's end", ended(1))
	b.do(chromedp.Navigate(p.url + "/sessions/" + session))
	b.ready()
	b.say("from here")
	b.waitsFor("from here", "logged")
	b.waits(`watch.listed > 0`)
	steps := []struct{ key, want string }{
		{"ArrowUp", "from here"}, {"ArrowUp", m.text}, {"ArrowUp", m.text}, {"ArrowDown", "from here"}, {"ArrowDown", ""}, {"ArrowUp", "from here"}, {"ArrowUp", m.text},
	}
	for i, step := range steps {
		b.press(step.key)
		if left := b.written(); left != step.want {
			t.Fatalf("step %d, %s: the message box has %q, want %q", i, step.key, left, step.want)
		}
	}
	if n := b.count("#composer .chip"); n != 1 {
		t.Errorf("%d chips came back", n)
	}
	b.press("Enter")
	events := c.until(session, "the message again", func(events []event) bool { return len(messagesIn(events)) == 3 })
	said := messagesIn(events)
	if said[2].Content != m.text || strings.Count(string(said[2].Annotations), `"type":"reference"`) != 1 {
		t.Errorf("sent again: %+v", said[2])
	}
	b.watched()
	s.interrupt()
}
