package e2e

import (
	"strings"
	"testing"

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
	b.program.interrupt()
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
