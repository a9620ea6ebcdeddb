package e2e

import (
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// imeEnter is the Enter that a person confirms a candidate with, as the browser
// reports it while the composition runs.
func (b *tab) imeEnter() {
	b.Helper()
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
		b.dispatch(input.DispatchKeyEventParams{Type: kind, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13})
	}
}

// lateEnter is the Enter that ends a composition in WebKit's order: after the
// end, in the same task.
func (b *tab) lateEnter() {
	b.Helper()
	b.run(`
		const box = document.activeElement
		box.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }))
		box.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true }))
		box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", keyCode: 13, bubbles: true, cancelable: true }))
		box.dispatchEvent(new KeyboardEvent("keyup", { key: "Enter", code: "Enter", keyCode: 13, bubbles: true }))
	`)
}

func testPlainCompositionEnter(b *box) {
	release := b.plain(draft{})
	b.imeCompose("に")
	b.imeEnter()
	b.imeCommit("日本")
	b.lateEnter()
	b.notSent(with("日本"))
	b.sends(with("日本"), "Enter")
	release()
	b.untilRich()
}

func testCompositionEnter(b *box) {
	b.rich(draft{})
	b.imeCompose("に")
	b.imeCompose("にほ")
	b.imeEnter()
	b.imeCommit("日本")
	b.notSent(with("日本"))
	b.imeCompose("ご")
	b.imeCommit("語")
	b.lateEnter()
	b.notSent(with("日本語"))
	b.sends(with("日本語"), "Enter")
}

func testCompositionDelays(b *box) {
	release := b.plain(with("{} ", makefile))
	b.imeCompose("に")
	release()
	b.waits(`performance.getEntriesByType("resource").some(entry => /\/editor[^/]*\.js$/.test(entry.name) && entry.responseEnd > 0)`)
	b.imeCompose("にほん")
	if b.count("textarea#message") != 1 {
		b.Error("the textarea was taken away in the middle of a word")
	}
	b.imeCommit("日本")
	b.waits(`document.activeElement.matches("#message.cm-content")`)
	b.imeCompose("ご")
	b.imeCommit("語")
	b.sends(with("{} 日本語", makefile), "Enter")
}

func testCompositionBesideChip(b *box) {
	b.rich(with("{}", makefile))
	b.imeCompose("に")
	b.imeCompose("にほ")
	b.imeCommit("日本")
	b.holds(with("{}日本", makefile))
	b.press("Home")
	b.imeCompose("は")
	b.imeCommit("葉")
	b.holds(with("葉{}日本", makefile))
	b.press("ArrowRight")
	b.imeCompose("x")
	b.imeCommit("")
	b.holds(with("葉{}日本", makefile))
	if n := b.shown(".chip"); n != 1 {
		b.Errorf("%d chips are drawn", n)
	}
	b.sends(with("葉{}日本", makefile), "Enter")
}

func testCompositionSentByButton(b *box) {
	b.rich(draft{})
	b.typeText("a ")
	b.imeCompose("にほん")
	b.do(chromedp.Click(chromedp.CSS(".send")))
	if got := b.logged(1)[0]; got.Text != "a にほん" {
		b.Errorf("the log has %q", got.Text)
	}
	b.waits(`document.activeElement.id === "message"`)
	b.holds(with(""))
}
