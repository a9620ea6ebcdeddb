package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// loginLink is a fresh sign-in link, through the proxy.
func (p *proxy) loginLink() string {
	p.Helper()
	return strings.Replace(strings.TrimSpace(p.server.command("login-link")), p.server.url, p.url, 1)
}

// signOut ends the browser's sign-in, from another tab of it.
func (p *proxy) signOut(beside *tab) {
	p.Helper()
	other := failingTab(beside)
	other.do(chromedp.Navigate(p.url + "/"))
	if status := get(other, chromedp.Evaluate[int](`fetch("/logout", { method: "POST" }).then((answer) => answer.status)`, chromedp.EvalAwaitPromise)); status != http.StatusOK {
		p.Fatalf("signing out: %d", status)
	}
}

// A sign-in that ends while one writes and sends loses nothing: the message
// goes out once, with its chips, after signing in again in the same page.
func TestSigningInAgainInMidSentence(t *testing.T) {
	t.Parallel()
	s, p, c, session, b := inSession(t)
	b.run(`window.sameDocument = true`)
	b.focus(messageBox)
	b.insert("look at ")
	p.signOut(b)
	b.pasteChip("Makefile")
	b.typeText(" now")
	// The draft could not be stored: the page says so, and leaves the keys alone.
	b.waits(`document.querySelector("#signin[open]") !== null`)
	b.typeText(", please")
	b.press("Enter")
	const text = "look at @Makefile now, please"
	b.waitsFor(text, "sending")
	b.waits(`document.querySelector("article[data-state=sending] > .state")?.textContent === "Waits for you to sign in"`)
	b.typeText("and the next")
	if left := b.written(); left != "and the next" {
		t.Errorf("behind the dialog the message box has %q", left)
	}

	// What is no link, and a link that is used up, say so.
	link := "#signin input[name=link]"
	b.focus(link)
	b.insert("hello")
	b.press("Enter")
	b.waits(`document.querySelector(".signin-fault").textContent === "This is no sign-in link."`)
	b.run(`document.querySelector("` + link + `").value = ""`)
	b.insert(p.link())
	b.do(chromedp.Click(chromedp.CSS("#signin button")))
	b.waits(`document.querySelector(".signin-fault").textContent.includes("has expired or was used already")`)
	if len(messagesIn(c.events(session))) != 0 {
		t.Error("sent without a sign-in")
	}
	b.run(`document.querySelector("` + link + `").value = ""`)
	b.focus(link)
	b.insert(p.loginLink())
	// The Enter of an input method is not ours, nor the one that WebKit reports
	// after a composition: nothing is made of them by the browser.
	for _, of := range []string{"isComposing: true, keyCode: 13", "isComposing: false, keyCode: 229"} {
		if eval[bool](b, `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", bubbles: true, cancelable: true, `+of+` }))`) {
			t.Errorf("Enter with %s signs in", of)
		}
	}
	b.press("Enter")
	b.waits(`document.querySelector("#signin") === null`)
	events := c.until(session, "the turn's end", ended(1))
	said := messagesIn(events)
	if len(said) != 1 || said[0].Content != text || strings.Count(string(said[0].Annotations), `"type":"reference"`) != 1 {
		t.Errorf("the log has %+v", said)
	}
	if left := b.written(); left != "and the next" {
		t.Errorf("after signing in the message box has %q", left)
	}
	b.waitsForDraft(session, "and the next")
	b.waitsFor(text, "logged")
	if !get(b, chromedp.Evaluate[bool](`window.sameDocument === true && document.activeElement.getAttribute("role") === "textbox"`)) {
		t.Error("a document was loaded, or the focus is not in the message box")
	}
	b.watched()
	s.interrupt()
}

// What was written while signed out is there after a reload that led to the
// sign-in page.
func TestADraftOutlivesTheSignInPage(t *testing.T) {
	t.Parallel()
	s, p, _, session, b := inSession(t)
	p.signOut(b)
	b.focus(messageBox)
	b.insert("look at ")
	b.pasteChip("Makefile")
	b.waits(`document.querySelector("#signin[open]") !== null`)
	b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS(".command")))
	b.signIn(p.loginLink())
	b.do(chromedp.Navigate(p.url + "/sessions/" + session))
	b.ready()
	if left, chips := b.written(), b.count("#composer .chip"); left != "look at @Makefile" || chips != 1 {
		t.Errorf("the message box has %q with %d chips", left, chips)
	}
	b.waitsForDraft(session, "look at @Makefile")
	s.interrupt()
}

// Signing in in one tab is enough for the others.
func TestSigningInInAnotherTab(t *testing.T) {
	t.Parallel()
	s, p, c, session, b := inSession(t)
	p.signOut(b)
	b.say("waits for the other tab")
	b.waits(`document.querySelector("#signin[open]") !== null`)
	other := failingTab(b)
	other.signIn(p.loginLink())
	b.run(`window.dispatchEvent(new Event("focus"))`) // the person comes back to this tab
	b.waits(`document.querySelector("#signin") === null`)
	if got := contents(c.until(session, "the turn's end", ended(1))); !slices.Equal(got, []string{"waits for the other tab"}) {
		t.Errorf("the log has %q", got)
	}
	b.watched()
	s.interrupt()
}

// A reload, a second tab and a stream that comes back show every message in the
// same state.
func TestEveryViewShowsTheSameState(t *testing.T) {
	t.Parallel()
	s, p, c, session, b := inSession(t)
	b.say("/slow 600")
	b.waitsFor("/slow 600", "logged")
	b.say("queued one")
	b.say("queued two")
	b.settled(3)
	other := failingTab(b)
	other.watch()
	other.do(chromedp.Navigate(p.url + "/sessions/" + session))
	other.ready()
	same := func(when string, n int) {
		t.Helper()
		for _, tab := range []*tab{b, other} {
			tab.settled(n)
		}
		here, there := b.rows(), other.rows()
		if fmt.Sprint(here) != fmt.Sprint(there) {
			t.Errorf("%s:\n%+v\n%+v", when, here, there)
		}
		b.watched()
		b.do(chromedp.Reload())
		b.ready()
		if again := b.rows(); fmt.Sprint(again) != fmt.Sprint(there) {
			t.Errorf("%s, after a reload:\n%+v\n%+v", when, again, there)
		}
	}
	same("queued", 3)
	p.cutStreams()
	b.say("after the cut")
	same("after the streams came back", 4)
	// From here on every frame counts in both, for messages that others sent too.
	for _, tab := range []*tab{b, other} {
		tab.run(`for (const row of document.querySelectorAll("article[data-request-id]")) watch.followed.add(row.dataset.requestId)`)
	}
	c.skip(session)
	c.until(session, "all turns' ends", ended(4))
	for _, tab := range []*tab{b, other} {
		tab.waits(`document.querySelectorAll("#transcript [data-state=logged]").length === 4`)
	}
	same("in the log", 4)
	b.watched()
	other.watched()
	s.interrupt()
}
