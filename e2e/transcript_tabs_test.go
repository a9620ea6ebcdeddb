package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// Eight pages of one browser, each with a running answer, over HTTP/1.1 with its
// six connections: all go on, and from each one can send.
func TestEightTabsStayUsable(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	b := openBrowser(t)
	b.signIn(s.link)
	session := c.talk("/slow 600")
	var tabs []*tab
	for range 8 {
		next := newTab(t, b.ctx)
		next.do(chromedp.Navigate(s.url + "/sessions/" + session))
		next.ready()
		tabs = append(tabs, next)
	}
	for i, each := range tabs {
		text := fmt.Sprintf("from tab %d", i)
		each.grows()
		each.say(text)
		each.waitsFor(text, "queued")
	}
	for _, each := range tabs {
		each.waits(fmt.Sprintf(`document.querySelectorAll("#queue [data-queue-row]").length === %d`, len(tabs)))
		each.grows()
		each.leave()
	}
	s.interrupt()
}

// hide makes a page believe that nobody looks at it, or that somebody does
// again: a headless browser shows every page.
const hide = `
	Object.defineProperty(document, "visibilityState", { configurable: true, get: () => %q })
	document.dispatchEvent(new Event("visibilitychange"))`

// A hidden tab gives its stream back, tells in its title that it is needed, and
// is up to date when it is looked at.
func TestAHiddenTab(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	b := openBrowser(t)
	b.signIn(s.link)
	session := c.talk("hello")
	c.until(session, "the turn's end", ended(1))
	b.open(s, session)
	title := eval[string](b, "document.title")
	b.run(fmt.Sprintf(hide, "hidden"))
	c.say(session, "/ask")
	b.waits(fmt.Sprintf(`document.title.endsWith(%q) && document.title !== %q`, title, title))
	b.waits(connection + ` === "paused"`)
	b.run(fmt.Sprintf(hide, "visible"))
	b.connected()
	b.waits(fmt.Sprintf(`document.title === %q && document.querySelectorAll("[data-waiting]").length === 1`, title))
	s.interrupt()
}
