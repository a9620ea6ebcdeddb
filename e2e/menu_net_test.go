package e2e

import (
	"context"
	"net/url"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
)

// menuGate holds a page's requests until they are let through.
type menuGate struct {
	*menuBox
	paused chan *fetch.EventRequestPaused
	stop   context.CancelFunc
}

// hold stops all requests to an address of the menus'.
func (b *menuBox) hold(path string) *menuGate {
	b.Helper()
	ctx, cancel := context.WithCancel(b.ctx)
	b.Cleanup(cancel)
	g := &menuGate{b, make(chan *fetch.EventRequestPaused), cancel}
	events := chromedp.Events(ctx, fetch.RequestPaused)
	go func() {
		defer close(g.paused)
		for e, err := range events {
			if err != nil {
				return
			}
			select {
			case g.paused <- &e:
			case <-ctx.Done():
				return
			}
		}
	}()
	if _, err := chromedp.Call(b.ctx, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*" + path + "*"}}}); err != nil {
		b.Fatal(err)
	}
	return g
}

// open lets all requests through from now on.
func (g *menuGate) open() {
	g.Helper()
	g.stop()
	if _, err := chromedp.Call(g.ctx, fetch.Disable, cdp.Empty{}); err != nil {
		g.Fatal(err)
	}
}

// next is the next request that is held. It names the page's session.
func (g *menuGate) next() (id fetch.RequestID, query string) {
	g.Helper()
	e, ok := <-g.paused
	if !ok {
		g.Fatal("the tab is closed")
	}
	u, err := url.Parse(e.Request.URL)
	if err != nil {
		g.Fatal(err)
	}
	if session := u.Query().Get("session"); session != g.session {
		g.Errorf("%s is asked for the session %q, want %q", u.Path, session, g.session)
	}
	return e.RequestID, u.Query().Get("q")
}

// asksNothing does something that must not ask for a menu: the next request
// is one that the page sends afterwards, later than any menu would.
func (b *menuBox) asksNothing(do func()) {
	b.Helper()
	g := b.hold("/mentions")
	do()
	b.run(`setTimeout(() => fetch("/mentions?q=afterwards&session=` + b.session + `"), 100)`)
	id, query := g.next()
	if query != "afterwards" {
		b.Errorf("%q was asked for", query)
	}
	if err := g.pass(id); err != nil {
		b.Fatal(err)
	}
	g.open()
	b.closed()
}

// until is the request for a query; those before it are never answered.
func (g *menuGate) until(query string) fetch.RequestID {
	g.Helper()
	for {
		if id, q := g.next(); q == query {
			return id
		}
	}
}

// pass lets a request through. One that the page gave up is gone.
func (g *menuGate) pass(id fetch.RequestID) error {
	_, err := chromedp.Call(g.ctx, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: id})
	return err
}

// answer gives an answer in the server's place.
func (g *menuGate) answer(id fetch.RequestID, status int64, json string) {
	g.Helper()
	header := []*fetch.HeaderEntry{{Name: "Content-Type", Value: "application/json"}}
	if _, err := chromedp.Call(g.ctx, fetch.FulfillRequest, fetch.FulfillRequestParams{RequestID: id, ResponseCode: status, ResponseHeaders: header, Body: []byte(json)}); err != nil {
		g.Fatal(err)
	}
}

// walkLateAnswers types faster than the server answers.
func walkLateAnswers(b *menuBox) {
	g := b.hold("/mentions")
	b.typeText("@")
	first, _ := g.next()
	b.note("Loading")
	b.closedButFor("Loading")
	b.typeText("mak")
	last := g.until("mak")
	if err := g.pass(last); err != nil {
		b.Fatal(err)
	}
	b.shows("Makefile", "src/Makefile")
	if err := g.pass(first); err == nil {
		b.Error("the first question was not given up")
	}
	b.shows("Makefile", "src/Makefile")
	b.typeText("efile") // what is shown fits still, and stays while the answer is on its way
	b.shows("Makefile", "src/Makefile")
	b.press("ArrowDown")
	b.selects("src/Makefile")
	if err := g.pass(g.until("makefile")); err != nil {
		b.Fatal(err)
	}
	b.selects("src/Makefile")
	b.typeText("x") // and now it does not
	b.waits(`!document.querySelector("#mention-menu:not([hidden])")`)
	g.open()
	b.clear()
}

// closedButFor checks that there is no listbox for assistive technology.
func (b *menuBox) closedButFor(note string) {
	b.Helper()
	if get(b.tab, chromedp.Evaluate[bool](`!!document.querySelector("#mention-menu:not([hidden])") || document.querySelector("`+menuInput+`").hasAttribute("aria-activedescendant")`)) {
		b.Errorf("there is a list beside %q", note)
	}
}

// walkHeldEnter presses Enter before the answer is there.
func walkHeldEnter(b *menuBox) {
	b.typeText("see @x")
	b.waits(`!!document.querySelector(".menu")`)
	b.press("Backspace", "Backspace")
	g := b.hold("/mentions")
	b.typeText("@mak")
	b.press("Enter")
	b.says("see @mak")
	if err := g.pass(g.until("mak")); err != nil {
		b.Fatal(err)
	}
	b.waits(`new FormData(document.getElementById("composer")).get("text") === "see @Makefile "`)
	b.typeText("@zzz")
	b.press("Enter") // finds nothing to pick: then it is the Enter that sends
	if err := g.pass(g.until("zzz")); err != nil {
		b.Fatal(err)
	}
	g.open()
	if m := b.sent(); m.text != "see @Makefile @zzz" || len(m.annotations) != 1 {
		b.Errorf("stored %+v", m)
	}
}

// walkLateCommands sends a command before the list of them is there: the agent
// gets the same text.
func walkLateCommands(b *menuBox) {
	g := b.hold("/commands")
	b.do(chromedp.Reload())
	b.focusBox()
	b.typeText("/think")
	b.press("Enter")
	if m := b.sent(); m.text != "/think" || len(m.annotations) != 0 {
		b.Errorf("stored %+v", m)
	}
	g.open()
}

func walkFailures(b *menuBox) {
	g := b.hold("/mentions")
	b.typeText("@")
	for _, answer := range []string{`{"groups":5}`, `[]`, `{"groups":[{"items":[],"error":"Not now."}]}`, `{"groups":[{"items":[{"tag":{"id":5},"title":"x"}]},null,5]}`} {
		want := "The list could not be loaded. Type on to try again."
		if strings.Contains(answer, "Not now.") {
			want = "Not now."
		} else if strings.Contains(answer, "tag") {
			want = "Nothing found"
		}
		id, _ := g.next()
		g.answer(id, 200, answer)
		b.note(want)
		b.typeText("m")
	}
	// A name that is markup is a name.
	id, _ := g.next()
	g.answer(id, 200, `{"groups":[{"provider":"p","label":"<b>P</b>","items":[{"tag":{"id":"<img src=x onerror=alert(1)>","kind":"file","value":"<i>"},"title":"<img src=x onerror=alert(1)>mmmm`+"\u202e"+`","detail":"<b>d</b>","matches":[[0,4],[2,9],[28,32]]}]}]}`)
	b.shows("<i>")
	const drawn = `(() => { const o = document.querySelector("#mention-menu [role=option]"); return [o.querySelector("img, b, i") === null, o.textContent, [...o.querySelectorAll("mark")].map(m => m.textContent).join("|")].join("\n") })()`
	if got := get(b.tab, chromedp.Evaluate[string](drawn)); got != "true\n<img src=x onerror=alert(1)>mmmm⟨U+202E⟩ <b>d</b>\n<img|mmmm" {
		b.Errorf("drawn is %q", got)
	}
	// What is not whole yet is asked for again.
	b.typeText("a")
	id, _ = g.next()
	g.answer(id, 200, `{"groups":[{"provider":"files","label":"Files","partial":true,"items":[]}]}`)
	b.note("Not everything has been searched. Type on to narrow it down.")
	id, _ = g.next()
	g.answer(id, 200, `{"groups":[{"provider":"files","label":"Files","items":[{"tag":{"id":"f","kind":"file","value":"found"},"title":"found"}]}]}`)
	b.shows("found")
	g.open()
	b.clear()
}

func walkAnnounced(b *menuBox) {
	b.typeText("@mak")
	b.shows("Makefile", "src/Makefile")
	b.waits(`document.getElementById("status").textContent.trim() === "2 results"`)
	b.typeText("zzz")
	b.waits(`document.getElementById("status").textContent.trim() === "Nothing found"`)
	b.clear()
}
