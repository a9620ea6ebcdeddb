package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// beside opens the same session in another tab of the browser.
func (b *tab) beside(address string) *tab {
	b.Helper()
	other := failingTab(b)
	other.watch()
	other.do(chromedp.Navigate(address))
	other.ready()
	return other
}

// outboxHolds waits until the browser has so many messages in the outbox.
func (b *tab) outboxHolds(messages int) {
	b.Helper()
	b.run(`const look = () => {
		const opening = indexedDB.open("webshell")
		opening.onsuccess = () => {
			const counting = opening.result.transaction("outbox").objectStore("outbox").count()
			counting.onsuccess = () => {
				window.kept = counting.result
				opening.result.close()
				setTimeout(look, 20)
			}
		}
	}
	look()`)
	b.waits(fmt.Sprintf("window.kept === %d", messages))
}

// A tab that is closed with messages under way leaves them to the next one:
// what the server does not have is sent, what it has is not sent again.
func TestAClosedTabLosesNothing(t *testing.T) {
	t.Parallel()
	s, p, c, session, b := inSession(t)
	address := p.url + "/sessions/" + session
	sending := p.catch(posts)
	b.say("arrived, and nobody heard")
	first := sending.next()
	first.arrive()
	b.waitsFor("arrived, and nobody heard", "logged")
	b.outboxHolds(0)
	b.say("never left")
	b.waits("window.kept === 1")
	b.leave()
	first.lose()

	next := b.beside(address)
	sending.next().pass()
	next.waitsFor("never left", "logged")
	next.waitsFor("arrived, and nobody heard", "logged")
	events := c.until(session, "both turns' end", ended(2))
	if got := contents(events); !slices.Equal(got, []string{"arrived, and nobody heard", "never left"}) {
		t.Errorf("the log has %q", got)
	}
	next.watched()

	// Nothing is left for a third one.
	sending.open()
	next.leave()
	third := b.beside(address)
	if w := third.watched(); len(w.Requests) != 0 {
		t.Errorf("%d requests from a page with nothing to send", len(w.Requests))
	}
	s.interrupt()
}

// The first message of all has no session yet.
func TestAFirstMessageOutlivesTheStartPage(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	p := proxied(s)
	c := s.client()
	b := openWatched(t)
	b.signIn(p.link())
	b.ready()
	sending := p.catch(posts)
	b.say("the first")
	x := sending.next()
	x.arrive() // the session begins, and the page does not hear of it
	b.outboxHolds(1)
	b.leave()
	x.lose()
	next := b.beside(p.url)
	next.waitsFor("the first", "sending")
	sending.next().pass()
	next.waitsFor("the first", "logged")
	next.waits(`location.pathname.startsWith("/sessions/")`)
	if got := contents(c.until(next.sessionOf(), "the turn's end", ended(1))); !slices.Equal(got, []string{"the first"}) {
		t.Errorf("the log has %q", got)
	}
	next.watched()
	s.interrupt()
}

// A message that failed is there after a reload, with its reason and buttons.
func TestAFailedMessageOutlivesItsPage(t *testing.T) {
	t.Parallel()
	s, p, c, session, b := inSession(t)
	address := p.url + "/sessions/" + session
	sending := p.catch(posts)
	b.say("refused")
	sending.next().refuse(http.StatusUnprocessableEntity, "blank", "The server wants something else.")
	b.waitsFor("refused", "failed")
	b.outboxHolds(1)
	before := b.rows()
	b.do(chromedp.Reload())
	b.ready()
	b.waitsFor("refused", "failed")
	if rows := b.rows(); len(rows) != 1 || rows[0].Words != before[0].Words || rows[0].ID != before[0].ID || !slices.Equal(rows[0].Actions, before[0].Actions) {
		t.Errorf("before %+v, after a reload %+v", before, rows)
	}
	// A tab beside it leaves the message to the one that has it.
	other := b.beside(address)
	other.focus(messageBox)
	other.press("Control+a") // the draft holds what failed
	other.say("from beside")
	sending.next().pass()
	other.waitsFor("from beside", "logged")
	if rows := other.rows(); len(rows) != 1 {
		t.Errorf("the tab beside shows %+v", rows)
	}
	b.act("refused", "retry")
	sending.next().pass()
	b.waitsFor("refused", "logged")
	other.waitsFor("refused", "logged")
	if got := contents(c.until(session, "both turns' end", ended(2))); !slices.Equal(got, []string{"from beside", "refused"}) {
		t.Errorf("the log has %q", got)
	}
	s.interrupt()
}

// Signing out asks, and then leaves nothing of what was not sent.
func TestSigningOutForgetsWhatWasNotSent(t *testing.T) {
	t.Parallel()
	s, p, c, session, b := inSession(t)
	sending := p.catch(posts)
	b.say("mine")
	sending.next().refuse(http.StatusUnprocessableEntity, "blank", "")
	b.waitsFor("mine", "failed")
	b.outboxHolds(1)
	asked := chromedp.Events(b.ctx, page.JavascriptDialogOpening)
	b.run(`setTimeout(() => document.querySelector("form[action$='/logout'] button").click())`)
	for dialog, err := range asked {
		if err != nil {
			t.Fatal(err)
		}
		if dialog.Message != "1 message in this browser was not sent. Signing out deletes it. Sign out?" {
			t.Errorf("asks %q", dialog.Message)
		}
		if _, err := chromedp.Call(b.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true}); err != nil {
			t.Fatal(err)
		}
		break
	}
	b.do(chromedp.WaitReady(chromedp.CSS(`body:not(:has(#composer))`)))
	b.signIn(p.loginLink())
	b.do(chromedp.Navigate(p.url + "/sessions/" + session))
	b.ready()
	b.focus(messageBox)
	b.press("Control+a") // the draft holds what failed
	b.say("another's")
	sending.next().pass()
	b.waitsFor("another's", "logged")
	if rows := b.rows(); len(rows) != 1 {
		t.Errorf("after another sign-in: %+v", rows)
	}
	if got := contents(c.until(session, "the turn's end", ended(1))); !slices.Equal(got, []string{"another's"}) {
		t.Errorf("the log has %q", got)
	}
	s.interrupt()
}

// Where a browser forbids storage all works, for as long as the page lives.
func TestWithoutStorage(t *testing.T) {
	t.Parallel()
	s, p, _, _, b := inSession(t)
	forbid := page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		IDBFactory.prototype.open = () => { throw new DOMException("forbidden", "SecurityError") }
		for (const name of ["getItem", "setItem", "removeItem"]) Storage.prototype[name] = () => { throw new DOMException("forbidden", "SecurityError") }`}
	if _, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, forbid); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Reload())
	b.ready()
	sending := p.catch(posts)
	b.say("hello")
	sending.next().lose()
	sending.next().pass()
	b.waitsFor("hello", "logged")
	b.watched()
	s.interrupt()
}

// What was left behind in a session goes out from any page.
func TestAnotherPageSendsWhatWasLeftBehind(t *testing.T) {
	t.Parallel()
	s, p, c, session, b := inSession(t)
	address := p.url + "/sessions/" + session
	sending := p.catch(posts)
	b.say("never left")
	first := sending.next()
	b.outboxHolds(1)
	b.leave()
	first.lose()

	home := b.beside(p.url)
	sending.next().pass()
	if got := contents(c.until(session, "the turn's end", ended(1))); !slices.Equal(got, []string{"never left"}) {
		t.Errorf("the log has %q", got)
	}
	home.outboxHolds(0)
	home.waits(`location.pathname === "/"`)

	// One that is refused is said there, and shown where it belongs.
	again := home.beside(address)
	home.leave()
	again.say("refused")
	second := sending.next()
	again.outboxHolds(1)
	again.leave()
	second.lose()
	home = again.beside(p.url)
	sending.next().refuse(http.StatusUnprocessableEntity, "blank", "The server wants something else.")
	home.waits(`document.querySelector("#notice").textContent.includes("another conversation")`)
	home.do(chromedp.Navigate(address))
	home.ready()
	home.waitsFor("refused", "failed")
	s.interrupt()
}
