package e2e

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// atEnd tells whether the page is scrolled to its end.
const atEnd = `(() => { const d = document.scrollingElement; return d.scrollHeight - d.clientHeight - d.scrollTop < 2 })()`

// rowsShown is how many rows there are.
const rowsShown = `document.querySelectorAll("#transcript article").length`

// holdRow scrolls a row to the middle of the window, and notes after each frame
// from then on how far it has moved.
const holdRow = `
	const row = document.querySelectorAll("#transcript article")[%d]
	row.scrollIntoView({ block: "center" })
	globalThis.moved = 0
	globalThis.held = null
	let from = null
	const frames = new MessageChannel()
	frames.port1.onmessage = () => {
		const top = row.getBoundingClientRect().top
		if (from === null) {
			from = top
			held = row
		}
		if (held !== row) return
		moved = Math.max(moved, Math.abs(top - from))
		requestAnimationFrame(() => frames.port2.postMessage(null))
	}
	// Rows that come into view for the first time find their size in a frame of their own.
	requestAnimationFrame(() => requestAnimationFrame(() => frames.port2.postMessage(null)))`

// inOrder tells whether each row of the log is there once, in its order.
const inOrder = `(() => {
	const rows = [...document.querySelectorAll("#transcript article")]
	const seqs = rows.map((row) => Number(row.dataset.seq)).filter((seq) => seq > 0)
	return new Set(rows.map((row) => row.id)).size === rows.length && seqs.every((seq, i) => i === 0 || seq > seqs[i - 1])
})()`

// withoutAnchoring makes a browser that does not keep in place what is in view
// when something above changes, as Safari does not.
const withoutAnchoring = `
	const supports = CSS.supports.bind(CSS)
	CSS.supports = (...about) => about.join(":").includes("overflow-anchor") ? false : supports(...about)
	addEventListener("DOMContentLoaded", () => {
		const sheet = new CSSStyleSheet()
		sheet.replaceSync("* { overflow-anchor: none !important }")
		document.adoptedStyleSheets.push(sheet)
	})`

// watchShifts notes what moves in the rows without being scrolled.
const watchShifts = `
	globalThis.shifts = []
	new PerformanceObserver((list) => {
		for (const shift of list.getEntries()) for (const { node, previousRect, currentRect } of shift.sources) {
			const row = (node instanceof Element ? node : node?.parentElement)?.closest("#transcript article")
			if (row) shifts.push(row.id + " from " + previousRect.y + " to " + currentRect.y)
		}
	}).observe({ type: "layout-shift" })`

// before are requests for older rows.
func before(r *http.Request) bool { return r.URL.Query().Has("before") }

// An older page comes above the row that the reader looks at, which stays where
// it is in every frame, also while an answer grows at the end, in browsers with
// and without anchoring of their own.
func TestOlderPagesComeInPlace(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	p := proxied(s)
	c := s.client()
	browser := openBrowser(t)
	browser.signIn(p.link())
	const turns = 120
	for name, script := range map[string]string{"anchoring": "", "without": withoutAnchoring} {
		t.Run(name, func(t *testing.T) {
			session := s.seed(c, turns)
			c.say(session, "/slow 600")
			b := failingTab(browser)
			b.T = t
			if script != "" {
				if _, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
					t.Fatal(err)
				}
			}
			b.do(chromedp.Navigate(p.url + "/sessions/" + session))
			b.connected()
			b.waits(atEnd)
			b.grows()
			b.waits(atEnd)
			older := p.catch(before)
			for loaded := 0; eval[bool](b, `!!document.querySelector("a.older")`); loaded++ {
				rows := eval[int](b, rowsShown)
				b.run(fmt.Sprintf(holdRow, 3))
				b.waits("held !== null")
				request := older.next()
				b.grows()
				if loaded == 0 {
					request.badGateway()
					b.waits(`document.querySelector("a.older").hasAttribute("data-failed")`)
					b.run(`document.querySelector("a.older").focus({ preventScroll: true }); document.activeElement.click()`) // a mouse would have to scroll there
					older.next().pass()
					b.waits(`document.activeElement.matches("a.older:not([data-failed])")`)
				} else {
					request.pass()
				}
				b.waits(fmt.Sprintf("%s > %d", rowsShown, rows+20))
				b.grows()
				if moved := eval[float64](b, "moved"); moved > 1 {
					t.Errorf("page %d: the row in view moved by %v px", loaded, moved)
				}
			}
			older.open()
			if n := eval[int](b, `document.querySelectorAll("#transcript article[data-role=user]").length`); n != turns+1 {
				t.Errorf("%d messages, want %d", n, turns+1)
			}
			if !eval[bool](b, inOrder) {
				t.Error("rows are doubled or out of order")
			}
			c.must("POST", "/sessions/"+session+"/stop", nil, nil)
			b.leave()
		})
	}
	s.interrupt()
}

// A page that has been open for long keeps its old rows, and stays at its end.
func TestAPageThatGrowsForLong(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	b := openBrowser(t)
	b.signIn(s.link)
	const turns = 200
	session := s.seed(c, 5)
	b.open(s, session)
	for at := 5; at < turns; at += 39 {
		s.log(session, at, at+39)
		b.waits(fmt.Sprintf("%s === %d", rowsShown, 2*(at+39)))
	}
	b.waits(atEnd)
	if !eval[bool](b, inOrder) {
		t.Error("rows are doubled or out of order")
	}
	if eval[int](b, `document.querySelectorAll("#transcript > .behind > article").length`) < 100 {
		t.Error("no row was left behind")
	}
	s.interrupt()
}

// The page goes along with an answer only at its end; who reads further up is
// left alone, and told.
func TestScrollingFollowsOnlyAtTheEnd(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	b := openBrowser(t)
	b.signIn(s.link)
	session := s.seed(c, 10)
	c.say(session, "/slow 600")
	b.open(s, session)
	b.run(watchShifts)
	b.grows()
	b.waits(atEnd)
	// Blocks close and others open meanwhile: what stands already stays.
	b.waits(fmt.Sprintf(`document.querySelectorAll('[data-role="assistant"]').length > %d`, eval[int](b, `document.querySelectorAll('[data-role="assistant"]').length`)+2))
	if shifts := eval[[]string](b, "shifts"); len(shifts) > 0 {
		t.Errorf("rows moved: %q", shifts)
	}
	if eval[bool](b, `getComputedStyle(document.querySelector(".jump")).visibility === "visible"`) {
		t.Error("at the end there is nothing to jump to")
	}
	covered := `(() => {
		const rows = document.querySelectorAll("#transcript article")
		return rows[rows.length - 1].getBoundingClientRect().bottom > document.querySelector(".dock").getBoundingClientRect().top + 20
	})()`
	if eval[bool](b, covered) {
		t.Error("the composer covers the last line")
	}

	at := b.middle("#transcript article:nth-last-of-type(3)", 0, 0)
	b.wheel(at, -120)
	b.waits("!" + atEnd)
	b.waits(`document.querySelector(".jump").hasAttribute("data-new")`)
	y := eval[float64](b, "scrollY")
	b.grows()
	b.grows()
	if now := eval[float64](b, "scrollY"); now != y {
		t.Errorf("the reader was moved from %v to %v", y, now)
	}
	b.do(chromedp.Click(chromedp.CSS(".jump")))
	b.waits(atEnd)
	b.waits(`!document.querySelector(".jump").hasAttribute("data-away")`)
	b.grows()
	b.waits(atEnd)

	// A small step up is a step up: the page does not pull back.
	b.wheel(at, -20)
	b.waits("!" + atEnd)
	b.grows()
	if eval[bool](b, atEnd) {
		t.Error("the page pulled the reader back to its end")
	}
	// What the person sends is shown.
	b.ready()
	b.say("my own")
	b.waits(atEnd)
	s.interrupt()
}

// wheel turns the mouse's wheel over a place, by so many pixels.
func (b *tab) wheel(at point, down float64) {
	b.Helper()
	// The protocol wants both directions, and a zero would be left out.
	event := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: at.X, Y: at.Y, DeltaX: 1e-9, DeltaY: down}
	if _, err := chromedp.Call(b.ctx, input.DispatchMouseEvent, event); err != nil {
		b.Fatal(err)
	}
}
