package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// impatient makes a page take four seconds of silence for forty.
const impatient = `
	const later = globalThis.setTimeout
	globalThis.setTimeout = (f, ms, ...rest) => later(f, ms === 40000 ? 4000 : ms, ...rest)`

// streamsOf are requests for a session's stream.
func streamsOf(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/stream") }

const connection = `document.querySelector(".app").dataset.connection`

// line is what the dock says about the connection.
const line = `(document.querySelector(".connection:not([hidden])")?.textContent ?? "")`

// Whatever befalls the connection, the answer goes on where it was: nothing is
// missing, nothing is doubled, and the page says so only while it lasts.
func TestTheStreamSurvivesTheNetwork(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	p := proxied(s)
	c := s.client()
	b := failingTab(openBrowser(t))
	if _, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: impatient}); err != nil {
		t.Fatal(err)
	}
	b.signIn(p.link())
	session := c.talk("/slow 600")
	b.do(chromedp.Navigate(p.url + "/sessions/" + session))
	b.connected()
	b.grows()
	b.run("globalThis.same = true")

	p.cutStreams()
	b.grows()

	p.goDown(true)
	b.waits(line + ` !== ""`)
	p.goDown(false)
	b.grows()
	b.waits(line + ` === ""`)

	p.stopStreams(true)
	b.waits(connection + ` !== "open"`) // noticed by itself
	p.stopStreams(false)
	b.grows()

	b.offline(true)
	p.cutStreams() // the browser leaves open what is open
	b.waits(line + ` !== ""`)
	b.offline(false)
	b.grows()
	b.waits(line + ` === ""`)

	if !eval[bool](b, "globalThis.same === true") {
		t.Error("a document was loaded")
	}
	b.settles(c, session, 1)
	s.interrupt()
}

// A slow line shows the answer late, and whole.
func TestASlowLineShowsTheAnswer(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	b := openBrowser(t)
	b.signIn(s.link)
	session := c.talk("/slow 600")
	b.open(s, session)
	b.conditions(network.Conditions{Latency: 400, DownloadThroughput: 8 << 10, UploadThroughput: 4 << 10})
	b.grows()
	b.ready()
	b.say("sent on a slow line")
	b.waitsFor("sent on a slow line", "queued")
	b.grows()
	b.settles(c, session, 2)
	s.interrupt()
}

// A sign-in that ends in mid-answer asks for another one, and then the answer
// goes on in the same document.
func TestSigningInAgainInMidAnswer(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	b := failingTab(openBrowser(t))
	b.signIn(s.link)
	session := c.talk("/slow 600")
	b.open(s, session)
	b.grows()
	b.run(`globalThis.same = true; fetch("/logout", { method: "POST", redirect: "manual" })`)
	b.waits(`!!document.querySelector("#signin[open]")`)
	if got := eval[string](b, connection); got != "signed-out" {
		t.Errorf("the stream is %s", got)
	}
	link := strings.TrimSpace(s.command("login-link"))
	b.focus("#signin input")
	b.insert(link)
	b.press("Enter")
	b.waits(`!document.querySelector("#signin")`)
	b.grows()
	if !eval[bool](b, "globalThis.same === true") {
		t.Error("a document was loaded")
	}
	b.settles(c, session, 1)
	s.interrupt()
}

// A log that lost what the page shows (a restored backup) has the page loaded
// anew; one that was deleted says so.
func TestALogOfAnotherPast(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	p := proxied(s)
	c := s.client()
	b := failingTab(openBrowser(t))
	b.signIn(p.link())
	session := s.seed(c, 5)
	b.do(chromedp.Navigate(p.url + "/sessions/" + session))
	b.connected()
	b.ready()
	b.focus(messageBox)
	b.insert("a draft")
	b.run(`document.documentElement.dataset.same = ""`)
	db := s.database(t.Context())
	defer db.Close(t.Context())
	streams := p.catch(streamsOf)
	p.cutStreams()
	streams.next().refuse(409, "cursor_ahead", "")
	streams.open()
	b.do(chromedp.WaitReady(chromedp.CSS(`html:not([data-same]) .app[data-connection="open"]`)))
	b.ready()
	if got := b.written(); got != "a draft" {
		t.Errorf("the draft reads %q", got)
	}
	if _, err := db.Exec(t.Context(), "delete from sessions where id = $1", session); err != nil {
		t.Fatal(err)
	}
	p.cutStreams()
	b.waits(connection + ` === "gone"`)
	b.waits(line + ` !== ""`)
	s.interrupt()
}

// settles stops the answer, waits for the end of so many turns, and compares
// what is shown with what a fresh page shows.
func (b *tab) settles(c *client, session string, turns int) {
	b.Helper()
	c.skip(session)
	events := c.until(session, "the turns' ends", ended(turns))
	last := events[len(events)-1].Seq
	b.waits(fmt.Sprintf(`Number(document.querySelector(".app").dataset.cursor) >= %d`, last))
	lived := eval[string](b, shownRows)
	b.do(chromedp.Reload())
	b.connected()
	if fresh := eval[string](b, shownRows); fresh != lived {
		b.Errorf("shown:\n%s\nfresh:\n%s", lived, fresh)
	}
}

// networkRules are what the browser does to the network. Its releases differ in
// where they want to know that there is none; each ignores the other's place.
type networkRules struct {
	Offline bool                  `json:"offline"`
	Rules   []*network.Conditions `json:"matchedNetworkConditions"`
}

var emulate = cdp.Command[networkRules, cdp.Empty]{Method: network.CommandEmulateNetworkConditionsByRule}

func (b *tab) conditions(c network.Conditions) {
	b.Helper()
	if _, err := chromedp.Call(b.ctx, emulate, networkRules{c.Offline, []*network.Conditions{&c}}); err != nil {
		b.Fatal(err)
	}
}

// offline takes the browser from the network, and tells it.
func (b *tab) offline(off bool) {
	b.Helper()
	b.conditions(network.Conditions{Offline: off, DownloadThroughput: -1, UploadThroughput: -1})
	state := network.OverrideNetworkStateParams{Offline: off, DownloadThroughput: -1, UploadThroughput: -1}
	if _, err := chromedp.Call(b.ctx, network.OverrideNetworkState, state); err != nil {
		b.Fatal(err)
	}
}
