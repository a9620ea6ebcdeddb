package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/uuid"
)

// Copying on plain http under a name, where there is no navigator.clipboard: a
// message exactly, a selection in it exactly, code exactly, an answer as text.
func TestCopyingOnPlainHTTP(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t), "WEBSHELL_HOSTS=box.test")
	c := s.client()
	b := openBrowser(t, "box.test")
	b.signIn(strings.Replace(s.link, "127.0.0.1", "box.test", 1))
	const text = "  two  spaces, a\ttab, \U0001F600 and @src/Makefile\n\n<b>last</b> line\n"
	start := len([]rune("  two  spaces, a\ttab, \U0001F600 and ")) + 1 // the emoji is two units
	tags := json.RawMessage(fmt.Sprintf(`[{"id":"f","kind":"file","value":"src/Makefile","serialized":"@src/Makefile","start":%d,"end":%d}]`, start, start+13))
	var opened struct{ SessionID string }
	c.must("POST", "/sessions", map[string]any{"requestId": uuid.NewString(), "text": text, "tags": tags}, &opened)
	c.until(opened.SessionID, "the turn's end", ended(1))
	b.do(chromedp.Navigate(strings.Replace(s.url, "127.0.0.1", "box.test", 1) + "/sessions/" + opened.SessionID))
	b.connected()
	b.ready()
	if eval[bool](b, "isSecureContext || !!navigator.clipboard") {
		t.Fatal("this context is not the one to be tested")
	}
	const mine, answer = `article[data-role="user"]`, `article[data-role="assistant"]`
	if eval[int](b, `document.querySelectorAll('article[data-role="user"] .chip').length`) != 1 {
		t.Fatal("the message has no chip")
	}

	copied := func(button, want string) {
		t.Helper()
		b.run(fmt.Sprintf(`document.querySelector(%q).scrollIntoView({ block: "center" })`, button))
		b.do(chromedp.Click(chromedp.CSS(button)))
		b.waits(fmt.Sprintf(`document.querySelector(%q).title === "Copied"`, button))
		b.waits(`document.querySelector("#status").textContent.trim() === "Copied"`)
		if got := b.pasted(); got != want {
			t.Errorf("%s copies %q, want %q", button, got, want)
		}
	}
	copied(mine+" .copy", text)
	copied(answer+" .code .copy", text+"\n")
	copied(answer+" > .copy", fmt.Sprintf("This is what I received, %d bytes:\n\n%s", len(text), text))

	c.say(opened.SessionID, "/markdown")
	c.until(opened.SessionID, "the second turn's end", ended(2))
	b.waits(`document.querySelectorAll('article[data-role="assistant"]').length === 2 && document.querySelector("#run-line").hidden`)
	b.run(`document.querySelectorAll('article[data-role="assistant"] > .copy')[1].click()`)
	b.waits(`document.querySelector("#status").textContent.trim() === "Copied"`)
	sample := b.pasted()
	for _, part := range []string{
		"A sample of everything\n\n", "Lists\n\n- A list\n- with an item that has emphasis\n  - nested once\n    - nested twice\n      1. and a numbered list inside\n      2. with two items\n  - back again\n",
		"8. may begin anywhere\n   and an item may hold a second paragraph,\n   and code\n9. and go on.",
		"- [x] Write the sample", "  - [ ] with a nested task", "Left\tCentre\tRight\na\tb\t1\n", "> A quote over two lines.\n> \n> > A quote inside it.",
	} {
		if !strings.Contains(sample, part) {
			t.Errorf("the copied answer has no %q:\n%s", part, sample)
		}
	}

	b.run(`const range = document.createRange(); range.selectNodeContents(document.querySelector('article[data-role="user"] .message-content'))
		const selection = getSelection(); selection.removeAllRanges(); selection.addRange(range); document.activeElement.blur()`)
	b.press("Control+c")
	if got := b.pasted(); got != text {
		t.Errorf("the selected message copies %q, want %q", got, text)
	}
	s.interrupt()
}

// pasted is what the clipboard gives the message box, which is emptied again.
func (b *tab) pasted() string {
	b.Helper()
	b.focus(messageBox)
	b.press("Control+a", "Delete", "Control+v")
	text := b.written()
	b.press("Control+a", "Delete")
	return text
}

// What a screen reader is told of an answer: what it says, in portions, then
// that it is finished; a question, and what waits.
func TestAnnouncements(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	b := openBrowser(t)
	b.signIn(s.link)
	session := c.talk("hello")
	c.until(session, "the turn's end", ended(1))
	b.open(s, session)
	b.run(`globalThis.heard = []; globalThis.pieces = 0
		new MutationObserver(() => { const text = document.querySelector("#status").textContent.trim(); if (text) heard.push(text) }).observe(document.querySelector("#status"), { childList: true })
		new MutationObserver(() => pieces++).observe(document.querySelector("#transcript"), { childList: true, subtree: true, characterData: true })`)
	c.say(session, "/slow 3")
	c.say(session, "/ask")
	b.waits(`heard.includes("1 message waiting")`)
	b.waits(`heard.some((text) => text.endsWith("The answer is finished."))`)
	b.waits(`heard.some((text) => text.startsWith("The agent asks for permission."))`)
	heard := eval[[]string](b, "heard")
	all := strings.Join(heard, " ")
	for _, part := range []string{"The answer has started.", "Second 1 of 3:", "Second 3 of 3:", "Done."} {
		if strings.Count(all, part) == 0 {
			t.Errorf("%q was not said: %q", part, heard)
		}
	}
	if strings.Count(all, "Second 2 of 3:") != 1 {
		t.Errorf("said twice, or not: %q", heard)
	}
	if pieces := eval[int](b, "pieces"); len(heard) > pieces {
		t.Errorf("%d announcements for %d pieces", len(heard), pieces)
	}
	if live := eval[string](b, `document.querySelector("#transcript").ariaLive`); live != "off" {
		t.Errorf("the log itself is %s", live)
	}
	s.interrupt()
}

// A page that began as the start page becomes its session's: the list names it,
// with the title that the first message gave, and Back leads home again.
func TestTheStartPageBecomesASession(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	b := openBrowser(t)
	b.signIn(s.link)
	b.ready()
	b.say("plan the release")
	b.waits(`document.querySelector('#session-list [aria-current="page"] .side-title')?.textContent === "plan the release"`)
	b.waits(`document.title.startsWith("plan the release") && document.querySelector("#bar h1").textContent.trim() === "plan the release"`)
	b.waits(`document.querySelector('#transcript article[data-role="assistant"]') !== null && document.querySelector("#run-line").hidden`)
	if !strings.Contains(get(b, chromedp.Location()), "/sessions/") {
		t.Errorf("at %s", get(b, chromedp.Location()))
	}
	b.run(`document.documentElement.dataset.same = ""; history.back()`)
	b.do(chromedp.WaitReady(chromedp.CSS(`html:not([data-same]) .app[data-view="home"] #session-list .side-item`)))
	s.interrupt()
}
