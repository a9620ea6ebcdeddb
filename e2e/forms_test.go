package e2e

import (
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
)

// choose changes a setting as a person does.
func (b *tab) choose(id, value string) {
	b.Helper()
	b.run(`const s = document.getElementById(` + strconv.Quote(id) + `); s.focus(); s.value = ` + strconv.Quote(value) + `;
		s.dispatchEvent(new Event("change", {bubbles: true}))`)
}

// Theme and language change on the page where they are chosen, before signing in
// and after, and what was being written stays.
func TestSettingsInChromium(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	b := openBrowser(t)
	b.do(chromedp.Navigate(s.link), chromedp.WaitVisible(chromedp.CSS("#settings-theme")))
	b.choose("settings-theme", "dark")
	b.waits(`document.documentElement.dataset.theme === "dark" && getComputedStyle(document.body).backgroundColor === "rgb(22, 22, 20)"`)
	b.choose("settings-lang", "zh-CN")
	b.do(chromedp.WaitReady(chromedp.CSS(`html[lang="zh-CN"][data-theme="dark"]`))) // a page loaded anew
	b.signIn(s.link)
	b.do(chromedp.WaitReady(chromedp.CSS(`html[lang="zh-CN"]`)), chromedp.SendKeys(chromedp.CSS(`#composer [role="textbox"]`), "kept"))
	b.choose("settings-lang", "en")
	b.do(chromedp.WaitReady(chromedp.CSS(`html[lang="en"]`)))
	b.waits(`document.querySelector("#composer").textContent.includes("kept")`)
	b.choose("settings-theme", "")
	b.waits(`!("theme" in document.documentElement.dataset)`)
	s.interrupt()
}

// A question is answered, a turn stopped and run again without leaving the page.
func TestActionsStayOnThePage(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	b := openBrowser(t)
	b.signIn(s.link)
	ask := func(text string) string {
		t.Helper()
		var opened struct{ SessionID string }
		c.must("POST", "/sessions", map[string]any{"requestId": newMessage(1, 2).request, "text": text}, &opened)
		b.do(chromedp.Navigate(s.url + "/sessions/" + opened.SessionID))
		b.run(`window.here = true`)
		return opened.SessionID
	}
	session := ask("/ask")
	b.do(chromedp.Click(chromedp.CSS(`.answers .button-main`)))
	c.until(session, "the turn's end", ended(1))
	b.waits(`document.querySelector(".permission .answered") !== null && document.querySelector("#run-line").hidden && window.here`)

	session = ask("/slow 600")
	b.do(chromedp.Click(chromedp.CSS(`.stop`)))
	c.until(session, "the turn's end", ended(1))
	b.waits(`document.querySelector(".stop").hidden && window.here`)
	b.do(chromedp.Click(chromedp.CSS(`[data-role="notice"] form .button`)))
	c.until(session, "another turn", func(events []event) bool { return count(events, "turn/started") == 2 })
	b.waits(`!document.querySelector(".stop").hidden && window.here`)
	s.interrupt()
}
