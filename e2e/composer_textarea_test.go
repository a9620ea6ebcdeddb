package e2e

import (
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

func testPlainSends(b *box) {
	release := b.plain(draft{})
	b.typeText("first\nsecond")
	b.sends(with("first\nsecond"), "Enter")
	b.press("Control+z", "Control+z")
	b.holds(with(""))
	b.typeText("third")
	b.press("Control+z", "Control+Shift+z")
	b.sends(with("third"), "Control+Enter")
	b.typeText("with the button")
	b.do(chromedp.Click(chromedp.CSS(".send")))
	if got := b.logged(3)[2]; got.Text != "with the button" {
		b.Errorf("the log has %q", got.Text)
	}
	b.press("Enter") // nothing to send
	release()
	b.untilRich()
	b.holds(with(""))
	if n := len(b.logged(3)); n != 3 {
		b.Errorf("%d messages were sent", n)
	}
}

func testPlainTags(b *box) {
	release := b.plain(with("see {} and {} now", makefile, license))
	b.holds(with("see {} and {} now", makefile, license))
	b.press("Control+Home")
	b.insert("😀 ")
	b.holds(with("😀 see {} and {} now", makefile, license))
	b.run(`const box = document.activeElement, at = box.value.indexOf("LICENSE"); box.setSelectionRange(at, at)`)
	b.press("x")
	b.holds(with("😀 see {} and @xLICENSE now", makefile))
	release()
	b.untilRich()
	b.holds(with("😀 see {} and @xLICENSE now", makefile))
	if n := b.shown(".chip"); n != 1 {
		b.Errorf("%d chips are drawn", n)
	}
	b.sends(with("😀 see {} and @xLICENSE now", makefile), "Enter")
}

func testTakeOver(b *box) {
	release := b.plain(with("one two {} three", makefile))
	b.run(`document.activeElement.setSelectionRange(4, 7, "backward")`)
	release()
	b.waits(`document.activeElement.matches("#message.cm-content")`)
	if b.count("textarea#message") != 0 || b.count(`#composer textarea[name="text"][hidden]`) != 1 {
		b.Error("the textarea is not what it should be: in the form, unseen, without the id")
	}
	b.press("Shift+ArrowLeft") // from the selection's head, which is its start
	b.typeText("X")
	b.holds(with("oneX {} three", makefile))
}

func testTakeOverScrolled(b *box) {
	lines := strings.Repeat("a line\n", 300)
	release := b.plain(draft{Text: lines + "end"})
	b.run(`const box = document.activeElement; box.setSelectionRange(0, 0); box.scrollTop = 0; box.scrollTop = 900`)
	release()
	b.waits(`document.activeElement.matches("#message.cm-content")`)
	b.waits(`Math.abs(document.querySelector(".cm-scroller").scrollTop - 900) < 50`)
	b.typeText("X")
	b.holds(draft{Text: "X" + lines + "end", Tags: []tag{}})
}

func testEditorFails(b *box) {
	failing := *b
	failing.tab = openTab(b.T, b.ctx, true)
	b = &failing
	if _, err := chromedp.Call(b.ctx, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*/editor*.js"}}}); err != nil {
		b.Fatal(err)
	}
	b.uncached(true)
	go func() {
		for request, err := range chromedp.Events(b.ctx, fetch.RequestPaused) {
			if err != nil {
				return // the tab is closed
			}
			_, _ = chromedp.Call(b.ctx, fetch.FailRequest, fetch.FailRequestParams{RequestID: request.RequestID, ErrorReason: network.ErrorReasonFailed})
		}
	}()
	b.show(with("{} ", makefile))
	b.waits(`performance.getEntriesByType("resource").some(entry => /\/editor[^/]*\.js$/.test(entry.name))`)
	b.typeText("one\ntwo")
	b.sends(with("{} one\ntwo", makefile), "Enter")
	if b.count("textarea#message") != 1 {
		b.Error("the textarea is gone")
	}
}

func testTouch(b *box) {
	for _, on := range []bool{true, false} {
		if _, err := chromedp.Call(b.ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: on}); err != nil {
			b.Fatal(err)
		}
		if !on {
			break
		}
		release := b.plain(draft{})
		if !get(b.tab, chromedp.Evaluate[bool](`matchMedia("(pointer: coarse)").matches`)) {
			b.Fatal("the browser does not emulate a finger")
		}
		b.typeText("one")
		b.press("Enter")
		b.typeText("two")
		b.notSent(with("one\ntwo"))
		release()
		b.untilRich()
		b.press("Control+End", "Enter")
		b.typeText("three")
		b.notSent(with("one\ntwo\nthree"))
		b.do(chromedp.Tap(chromedp.CSS(".send")))
		if got := b.logged(1)[0]; got.Text != "one\ntwo\nthree" {
			b.Errorf("the log has %q", got.Text)
		}
		b.waits(`document.querySelectorAll('article[data-role="user"]').length === 1`)
		b.typeText("four")
		b.press("Control+Enter")
		if got := b.logged(2)[1]; got.Text != "four" {
			b.Errorf("the log has %q", got.Text)
		}
	}
}
