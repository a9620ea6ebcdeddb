package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/google/uuid"
)

// boxTests are what a person does in the message box. Each has a session of
// its own; they share a program and a browser.
var boxTests = []struct {
	name string
	test func(*box)
}{
	{"the textarea works before the editor has come", testPlainSends},
	{"the textarea keeps the tags of a draft", testPlainTags},
	{"the editor takes over text, caret, selection and focus", testTakeOver},
	{"the editor takes over a long text's place", testTakeOverScrolled},
	{"the textarea stays where the editor cannot be had", testEditorFails},
	{"an input method delays the editor", testCompositionDelays},
	{"an input method's Enter does not send from the textarea", testPlainCompositionEnter},
	{"an input method's Enter does not send from the editor", testCompositionEnter},
	{"an input method beside a chip", testCompositionBesideChip},
	{"what is being composed is sent by the button", testCompositionSentByButton},
	{"what the textbox says about itself", testRole},
	{"keys that send and keys that do not", testKeysThatSend},
	{"blank messages are not sent", testBlank},
	{"Tab leaves the box", testTab},
	{"text goes out as it came in", testExact},
	{"undo never brings sent text back", testUndoAfterSend},
	{"undo and redo", testUndoRedo},
	{"the box grows and then scrolls", testGrows},
	{"each line has its own direction", testDirections},
	{"a text that is too large is kept", testTooLarge},
	{"recall with the arrow keys", testRecall},

	{"Stop is there while a turn runs", testStop},

	{"one key removes a chip whole", testChipRemoved},
	{"keys step over a chip and select it", testChipKeys},
	{"a click selects a chip", testChipClicked},
	{"typing at a chip's edges stays outside", testChipEdges},
	{"offsets after emoji", testChipAfterEmoji},
	{"one of two equal chips", testEqualChips},
	{"a chip that a host wants kept", testFixedChip},
	{"a chip is dragged", testChipDragged},
	{"a reload keeps chips", testReload},

	{"copy and paste make a second chip", testCopyPaste},
	{"cut, paste and undo", testCutPaste},
	{"copying with nothing selected does nothing", testCopyNothing},
	{"pasted tags are not trusted", testHostilePaste},
	{"HTML is never read", testPasteHTML},
	{"files are left to others", testFiles},

	{"a long paste folds", testFold},
	{"keys beside a fold harm nothing", testFoldKeys},
	{"a fold opens, is edited, and closes", testFoldOpened},
	{"a fold is copied as what it holds", testFoldCopied},
	{"a megabyte", testMegabyte},

	{"with a finger Enter breaks the line", testTouch},
}

func TestComposer(t *testing.T) {
	t.Parallel()
	b := openBox(t)
	for _, one := range boxTests {
		t.Run(one.name, func(t *testing.T) { one.test(b.in(t)) })
	}
	b.do(chromedp.Navigate("about:blank"))
	b.program.interrupt()
}

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

func testStop(b *box) {
	b.rich(draft{})
	if get(b.tab, chromedp.Evaluate[bool](`document.querySelector(".stop").checkVisibility()`)) {
		b.Error("Stop is shown, and nothing runs")
	}
	b.client.must("POST", "/sessions/"+b.session+"/messages", map[string]any{"requestId": uuid.NewString(), "text": "/slow 600"}, nil)
	b.waits(`document.querySelector(".stop").checkVisibility()`)
	b.typeText("meanwhile")
	b.do(chromedp.Click(chromedp.CSS(".stop")))
	b.waits(`!document.querySelector(".stop").checkVisibility()`)
	b.holds(with("meanwhile"))
}

func testRole(b *box) {
	b.rich(draft{})
	for name, want := range map[string]string{
		"role": "textbox", "aria-multiline": "true", "aria-autocomplete": "list", "aria-label": "Message", "aria-describedby": "composer-hint",
		"spellcheck": "true", "autocorrect": "on", "enterkeyhint": "enter",
	} {
		if got := get(b.tab, chromedp.AttributeValue(chromedp.CSS("#message"), name)); got.Value != want {
			b.Errorf("%s is %q, want %q", name, got.Value, want)
		}
	}
	if got := get(b.tab, chromedp.TextContent(chromedp.CSS(".cm-placeholder"))); got != "Write a message" {
		b.Errorf("the placeholder reads %q", got)
	}
	if n := b.count(`[role="textbox"], textarea:not([hidden])`); n != 1 {
		b.Errorf("%d text boxes", n)
	}
}

func testKeysThatSend(b *box) {
	b.rich(draft{})
	b.typeText("one")
	b.press("Shift+Enter")
	b.typeText("  two")
	b.press("Shift+Enter")
	b.typeText("three")
	b.holds(draft{Text: "one\n  two\nthree", Tags: []tag{}})
	b.sends(draft{Text: "one\n  two\nthree", Tags: []tag{}}, "Enter")
	b.typeText("four")
	b.sends(draft{Text: "four", Tags: []tag{}}, "Control+Enter")
	b.typeText("five")
	b.do(chromedp.Click(chromedp.CSS(".send")))
	if got := b.logged(3)[2]; got.Text != "five" {
		b.Errorf("the log has %q", got.Text)
	}
	b.waits(`document.activeElement.id === "message"`) // one can go on writing
}

func testBlank(b *box) {
	b.rich(draft{})
	b.press("Enter")
	for _, blank := range []string{" ", "\n", " \t\u00a0\u3000\n "} {
		b.paste(map[string]string{"text/plain": blank})
	}
	b.press("Enter")
	b.notSent(draft{Text: " \n \t\u00a0\u3000\n ", Tags: []tag{}})
}

func testTab(b *box) {
	b.rich(draft{})
	b.typeText("a")
	b.press("Tab")
	if get(b.tab, chromedp.Evaluate[bool](`document.activeElement.id === "message"`)) {
		b.Error("Tab stays in the box")
	}
	b.press("Shift+Tab")
	b.waits(`document.activeElement.id === "message"`)
	b.holds(draft{Text: "a", Tags: []tag{}})
}

func testExact(b *box) {
	text := "\n\n  <tag a=\"b\">&amp; &lt;\n\tif x {\n\t\treturn\u00a0\"é\"  \n\t}\n</tag>\n```go\nfunc main() {}\n```\n1. a\n   - b\\\n\r\nCR\rLF\u2028sep\u200bzero\ufeff שלום 👩‍👩‍👧‍👦 e\u0301  \n\n"
	b.rich(draft{})
	b.paste(map[string]string{"text/plain": text})
	b.sends(draft{Text: text, Tags: []tag{}}, "Enter")
	b.rich(draft{Text: text})
	b.holds(draft{Text: text, Tags: []tag{}})
	b.sends(draft{Text: text, Tags: []tag{}}, "Enter")
	b.rich(draft{})
	const typed = "<b>  indented\n\n\tx &amp; y\n```\nfence\n```"
	b.typeText(strings.ReplaceAll(typed, "\t", "    "))
	b.sends(draft{Text: strings.ReplaceAll(typed, "\t", "    "), Tags: []tag{}}, "Enter")
}

func testUndoAfterSend(b *box) {
	b.rich(with("see {} ", makefile))
	b.typeText("now")
	b.sends(with("see {} now", makefile), "Enter")
	b.press("Control+z", "Control+z", "Control+Shift+z", "Control+y")
	b.holds(with(""))
	b.typeText("next")
	b.press("Control+z")
	b.holds(with(""))
	b.press("Control+z")
	b.holds(with(""))
	b.press("Control+y")
	b.holds(with("next"))
}

func testUndoRedo(b *box) {
	b.rich(with("a {} b", makefile))
	b.press("ArrowLeft", "ArrowLeft", "Backspace")
	b.holds(with("a  b"))
	b.press("Control+z")
	b.holds(with("a {} b", makefile))
	b.press("Control+Shift+z")
	b.holds(with("a  b"))
	b.press("Control+z", "Control+y")
	b.holds(with("a  b"))
	b.press("Control+z")
	b.sends(with("a {} b", makefile), "Enter")
}

func testGrows(b *box) {
	b.rich(draft{})
	const height = `document.querySelector(".cm-editor").getBoundingClientRect().height`
	low := get(b.tab, chromedp.Evaluate[float64](height))
	b.typeText("1\n2\n3\n4\n5")
	grown := get(b.tab, chromedp.Evaluate[float64](height))
	if grown < low*1.5 {
		b.Errorf("with five lines it is %.0f px high, empty %.0f", grown, low)
	}
	b.typeText(strings.Repeat("\nx", 30))
	most := get(b.tab, chromedp.Evaluate[float64]("innerHeight * 0.4 + 1"))
	if full := get(b.tab, chromedp.Evaluate[float64](height)); full > most || full < grown {
		b.Errorf("with 35 lines it is %.0f px high, the most is %.0f", full, most)
	}
	b.waits(`(() => { const s = document.querySelector(".cm-scroller"); return s.scrollTop > 0 && s.scrollTop + s.clientHeight > s.scrollHeight - 40 })()`)
	wide := strings.Repeat("wide ", 100)
	b.press("Control+a")
	b.typeText(wide)
	if get(b.tab, chromedp.Evaluate[bool](`(() => { const s = document.querySelector(".cm-scroller"); return s.scrollWidth > s.clientWidth })()`)) {
		b.Error("a long line is not wrapped")
	}
}

func testDirections(b *box) {
	b.rich(draft{Text: "left\nשלום עולם\n123 مرحبا"})
	got := get(b.tab, chromedp.Evaluate[string](`[...document.querySelectorAll("#message .cm-line")].map(line => getComputedStyle(line).direction).join()`))
	if got != "ltr,rtl,rtl" {
		b.Errorf("the lines go %s", got)
	}
	b.press("Control+Home", "ArrowDown", "Home")
	b.typeText("א")
	b.holds(draft{Text: "left\nאשלום עולם\n123 مرحبا", Tags: []tag{}})
	b.press("ArrowLeft") // in a line from right to left this goes on in the text
	b.typeText("ב")
	b.holds(draft{Text: "left\nאשבלום עולם\n123 مرحبا", Tags: []tag{}})
}

func testTooLarge(b *box) {
	b.rich(draft{})
	most := get(b.tab, chromedp.Evaluate[int](`Number(document.querySelector("#composer").dataset.maxBytes)`))
	if most != 1<<20 {
		b.Errorf("the form takes %d bytes", most)
	}
	b.run(`document.querySelector("#composer").dataset.maxBytes = "3000"`)
	text := strings.Repeat("漢", 1001) // of three bytes each
	b.paste(map[string]string{"text/plain": text})
	b.press("Enter")
	words := get(b.tab, chromedp.TextContent(chromedp.CSS(`.composer-error[role="alert"]`)))
	if !strings.Contains(words, "too large") {
		b.Errorf("it says %q", words)
	}
	b.notSent(with(text))
	b.press("Backspace")
	b.sends(with(strings.TrimSuffix(text, "漢")), "Enter")
	if n := b.count(".composer-error"); n != 0 {
		b.Error("the words are still there")
	}
}

func testRecall(b *box) {
	b.rich(with("one {}", makefile))
	b.sends(with("one {}", makefile), "Enter")
	b.typeText("two\nlines")
	b.sends(with("two\nlines"), "Enter")
	b.press("ArrowUp")
	b.holds(with("two\nlines"))
	b.press("ArrowUp") // moves to the first line
	b.holds(with("two\nlines"))
	b.press("ArrowUp")
	b.holds(with("one {}", makefile))
	if n := b.shown(".chip"); n != 1 {
		b.Errorf("%d chips are drawn", n)
	}
	b.press("ArrowUp")
	b.holds(with("one {}", makefile))
	b.press("ArrowDown")
	b.holds(with("two\nlines"))
	b.press("ArrowDown")
	b.holds(with(""))
	b.press("ArrowUp", "Escape")
	b.holds(with(""))
	b.press("ArrowUp", "ArrowUp", "ArrowUp", "End", "!")
	b.holds(with("one {}!", makefile))
	b.press("ArrowUp", "ArrowDown", "Escape") // it was changed: it stays
	b.holds(with("one {}!", makefile))
	b.press("Control+z", "Control+z", "Control+z")
	b.holds(with("one {}", makefile))
	b.sends(with("one {}", makefile), "Enter")
}

func testReload(b *box) {
	b.rich(with("see {} ", makefile))
	b.typeText("and 😀 ")
	want := with("see {} and 😀 ", makefile)
	b.holds(want)
	b.keeps(" and 😀 ")
	b.do(chromedp.Reload())
	b.untilRich()
	b.holds(want)
	b.sends(want, "Enter")
	b.do(chromedp.Reload())
	b.untilRich()
	b.holds(with(""))
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
