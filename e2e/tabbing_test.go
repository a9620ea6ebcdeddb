package e2e

import (
	"errors"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"webshell/e2e/stage"
)

// stops lists what Tab has to reach, in the order of the page, and counts it.
// The way to the end of the page is there only away from it.
const stops = `(() => {
	const can = "a[href], button, summary, select, textarea, input:not([type=hidden]), [tabindex], [role=textbox]";
	const all = window.stops = [...document.querySelectorAll(can)].filter(e => (e.tabIndex >= 0 || e.isContentEditable) && !e.disabled && !e.matches(".jump") && e.checkVisibility({visibilityProperty: true}));
	return all.length;
})()`

// stop is where the focus is.
type stop struct {
	Number int // in the order of stops; -1 is what may come in between, -2 the page itself
	Name   string
	Seen   bool // in the window, with nothing before it
	Ring   bool // and it shows
}

// here describes where the focus is. A ring is an outline of two pixels, or the
// message box' own edge.
const here = `(() => {
	const e = document.activeElement;
	if (e === document.body) return {number: -2};
	const r = e.getBoundingClientRect();
	// Lines of a link have their own boxes; what is seen of a high one will do.
	const seen = [...e.getClientRects()].some(r => [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.1], [0.5, 0.9]].some(([x, y]) => {
		const top = document.elementFromPoint(r.left + r.width * x, r.top + r.height * y);
		return top !== null && (e.contains(top) || top.contains(e) && top.closest("#composer") !== null);
	}));
	const rings = e => { const s = getComputedStyle(e); return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= (e.matches(".composer") ? 1 : 2) };
	const between = e.matches(".jump") || ["auto", "scroll"].some(v => [getComputedStyle(e).overflowY, getComputedStyle(e).overflowX].includes(v));
	return {
		number: window.stops?.includes(e) ? window.stops.indexOf(e) : between ? -1 : -3,
		name: e.localName + (e.id && "#" + e.id) + "." + e.className + " " + e.textContent.trim().slice(0, 30),
		seen, ring: rings(e) || e.matches("#composer [role=textbox], #composer textarea") && rings(e.closest(".composer")),
	};
})()`

// TestTheKeyboardReachesEverything goes through pages with Tab: everything is
// reached, in the page's order, is in view with the focus to be seen, and after
// the last comes the page's end.
func TestTheKeyboardReachesEverything(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	session := c.talk("/context")
	c.say(session, "/tool")
	c.say(session, "/markdown")
	c.say(session, "/ask")
	c.until(session, "the question", func(events []event) bool { return count(events, "permission/requested") == 1 })
	c.say(session, "waits")
	c.say(session, "waits too")
	forced := stage.Wide.With("dark", "en")
	forced.Forced = true
	browser := openBrowser(t)
	browser.signIn(s.link)
	for name, test := range map[string]struct {
		look   stage.Look
		script bool
	}{
		"wide":   {stage.Wide, true},
		"narrow": {stage.Narrow, true},
		"plain":  {stage.Wide.With("dark", "zh-CN"), false},
		"forced": {forced, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := &tab{t, browser.ctx}
			b.load(s.url+"/sessions/"+session, test.look, test.script)
			b.walk(eval[int](b, stops))
		})
	}
	s.interrupt()
}

// load opens a page in a look, and waits for its scripts where it has any.
func (b *tab) load(url string, look stage.Look, script bool) {
	b.Helper()
	if err := errors.Join(stage.AllowScript(b.ctx, script), look.Speak(b.ctx)); err != nil {
		b.Fatal(err)
	}
	b.do(chromedp.Navigate(url))
	if script {
		b.waits(`document.querySelector(".cm-content") !== null`)
	}
	if err := look.Show(b.ctx); err != nil {
		b.Fatal(err)
	}
}

// walk presses Tab from the page's beginning to its end.
func (b *tab) walk(all int) {
	b.Helper()
	if all < 20 {
		b.Fatalf("only %d things to reach", all)
	}
	next := 0
	for pressed := 0; pressed < 2*all; pressed++ {
		b.press("Tab")
		at := eval[stop](b, here)
		switch at.Number {
		case -1: // a box that browsers let be scrolled with the keys, or the way to the end
		case -2, 0:
			if at.Number == 0 && next == 0 {
				next = 1
				break
			}
			if next != all {
				b.Errorf("after %d of %d the page ends", next, all)
			}
			return
		case next:
			next++
		default:
			b.Errorf("%d comes after %d: %s", at.Number, next-1, at.Name)
			next = at.Number + 1
		}
		if !at.Seen || !at.Ring {
			b.Errorf("focus on %s: in view %t, a ring %t", at.Name, at.Seen, at.Ring)
		}
	}
	b.Errorf("Tab does not come to an end; at %+v", eval[stop](b, here))
}

// The first Tab offers a way past the list of sessions, to the message box.
func TestSkippingToTheMessageBox(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	browser := openBrowser(t)
	browser.signIn(s.link)
	for _, script := range []bool{true, false} {
		t.Run(fmt.Sprintf("script %t", script), func(t *testing.T) {
			b := &tab{t, browser.ctx}
			b.load(s.url+"/", stage.Wide, script)
			b.press("Tab")
			if at := eval[stop](b, here); !eval[bool](b, `document.activeElement.matches(".skip")`) || !at.Seen {
				t.Fatalf("the first Tab leads to %+v", at)
			}
			b.press("Enter")
			b.waits(`document.activeElement.matches("#composer [role=textbox], #composer textarea")`)
		})
	}
	s.interrupt()
}

// On a narrow screen the list of sessions is a drawer, which a button opens and
// Escape closes; the focus goes in, and comes back.
func TestTheDrawerWithTheKeyboard(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	b := openBrowser(t)
	b.signIn(s.link)
	b.load(s.url+"/", stage.Narrow, true)
	b.press("Tab", "Tab")
	if !eval[bool](b, `document.activeElement.matches("#bar [popovertarget]")`) {
		t.Fatalf("the second Tab leads to %+v", eval[stop](b, here))
	}
	b.press("Enter")
	b.waits(`document.querySelector("#sessions").matches(":popover-open")`)
	b.press("Tab")
	if !eval[bool](b, `document.activeElement.closest("#sessions") !== null`) {
		t.Errorf("in the open drawer Tab leads to %+v", eval[stop](b, here))
	}
	b.press("Escape")
	b.waits(`!document.querySelector("#sessions").matches(":popover-open") && document.activeElement.matches("#bar [popovertarget]")`)
	s.interrupt()
}

// Who asks the system for less motion gets none.
func TestNothingMovesForWhoAsksForThat(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	session := c.talk("/slow 600")
	c.until(session, "the turn's start", func(e []event) bool { return count(e, "turn/started") == 1 })
	b := openBrowser(t)
	b.signIn(s.link)
	const moving = `[...new Set([
		...document.getAnimations().filter(a => a.timeline instanceof DocumentTimeline && a.playState === "running").map(a => a.animationName ?? "transition"),
		...[...document.querySelectorAll("*")].filter(e => getComputedStyle(e).transition.split(",").some(t => parseFloat(t.split(" ")[1]) > 0)).map(e => "transition of " + e.localName),
		...["html", ".side-list"].filter(s => getComputedStyle(document.querySelector(s)).scrollBehavior !== "auto"),
	])].join()`
	b.load(s.url+"/sessions/"+session, stage.Wide, true)
	b.waits(`document.querySelector("#run-line").checkVisibility()`)
	if got := eval[string](b, moving); got == "" {
		t.Error("nothing moves anyway")
	}
	still := stage.Wide
	still.Still = true
	if err := still.Show(b.ctx); err != nil {
		t.Fatal(err)
	}
	if got := eval[string](b, moving); got != "" {
		t.Errorf("what moves: %s", got)
	}
	s.interrupt()
}
