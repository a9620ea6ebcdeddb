package e2e

import (
	"fmt"
	"strings"

	"github.com/chromedp/chromedp"
)

// long is a text of 212 lines.
func long() string {
	var b strings.Builder
	for i := range 211 {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String() + "the end"
}

func (b *box) foldLine() string {
	b.Helper()
	return get(b.tab, chromedp.TextContent(chromedp.CSS("#message .pasted")))
}

func testFold(b *box) {
	b.rich(draft{})
	b.typeText("before ")
	b.paste(map[string]string{"text/plain": long()})
	b.typeText(" after")
	if got := b.foldLine(); got != "Pasted 212 lines" {
		b.Errorf("the fold reads %q", got)
	}
	if n := b.shown(".cm-line"); n != 1 {
		b.Errorf("%d lines are drawn", n)
	}
	b.sends(with("before "+long()+" after"), "Enter")
	b.paste(map[string]string{"text/plain": strings.Repeat("x", 4001)})
	if got := b.foldLine(); got != "Pasted 1 line" {
		b.Errorf("the fold reads %q", got)
	}
	b.press("Control+z")
	b.paste(map[string]string{"text/plain": strings.Repeat("line\n", 19) + "end"})
	if n := b.shown(".pasted"); n != 0 {
		b.Error("twenty lines are folded")
	}
}

func testFoldKeys(b *box) {
	b.rich(draft{})
	b.typeText("a")
	b.paste(map[string]string{"text/plain": long()})
	b.typeText("b")
	want := with("a" + long() + "b")
	for _, keys := range [][]string{
		{"ArrowLeft", "Backspace"}, {"ArrowLeft", "Delete"}, {"Control+End", "ArrowLeft", "Control+Backspace"}, {"ArrowLeft", "Control+Delete"},
	} {
		b.press(keys...)
		b.holds(want)
		if n := b.shown(".selected > .pasted"); n != 1 {
			b.Errorf("after %v the fold is not selected", keys)
		}
	}
	b.press("Control+Home", "ArrowRight", "ArrowRight", "1") // over it
	b.press("ArrowLeft", "ArrowLeft", "2")
	b.holds(with("a2" + long() + "1b"))
	b.press("Delete", "Delete") // the second one deletes what is selected
	b.holds(with("a21b"))
	b.press("Control+z")
	b.holds(with("a2" + long() + "1b"))
	if n := b.shown(".pasted"); n != 1 {
		b.Error("the fold did not come back")
	}
}

func testFoldOpened(b *box) {
	b.rich(draft{})
	b.typeText("a ")
	b.paste(map[string]string{"text/plain": long()})
	b.clickAt(b.middle("#message .pasted", 0, 0))
	b.waits(`document.querySelectorAll("#message .cm-line").length > 10`)
	b.typeText("new ")
	want := with("a new " + long())
	b.holds(want)
	b.press("Backspace")
	b.holds(with("a new" + long()))
	b.press(" ")
	b.holds(want)
	b.clickAt(b.middle("#message .pasted", 0, 0))
	b.waits(`document.querySelectorAll("#message .cm-line").length === 1`)
	b.press("Shift+ArrowLeft", "Enter") // Enter opens what is selected
	b.waits(`document.querySelectorAll("#message .cm-line").length > 10`)
	b.notSent(want)
	b.sends(want, "Enter")
}

func testFoldCopied(b *box) {
	b.rich(draft{})
	text := long()
	tags := []tag{license.at(len(units(text)) + 1)}
	whole := draft{Text: text + " @LICENSE", Tags: tags}
	b.paste(map[string]string{"text/plain": whole.Text, composerType: asJSON(whole)})
	b.holds(whole)
	b.press("Control+a", "Control+x")
	b.holds(with(""))
	b.press("Control+v")
	b.holds(whole)
	b.clickAt(b.middle("#message .pasted", 0, 0))
	b.press("Control+End")
	b.waits(`document.querySelectorAll("#message .chip").length === 1`)
	b.sends(whole, "Enter")
}

func testMegabyte(b *box) {
	line := "The quick brown fox jumps over the lazy dog, 0123456789 times.\n"
	text := strings.Repeat(line, (1<<20)/len(line)-1)
	b.rich(draft{})
	b.typeText("a ")
	b.paste(map[string]string{"text/plain": text})
	b.typeText(" b")
	b.holds(with("a " + text + " b"))
	// What is drawn does not grow with what is pasted, folded or open.
	if n := b.shown(".cm-line"); n != 1 {
		b.Errorf("%d lines are drawn", n)
	}
	b.clickAt(b.middle("#message .pasted", 0, 0))
	if n := b.shown(".cm-line"); n < 10 || n > 200 {
		b.Errorf("open, %d lines are drawn", n)
	}
	b.typeText("c")
	b.press("Control+End")
	b.typeText("d")
	want := with("a c" + text + " bd")
	b.holds(want)
	b.sends(want, "Enter")
}
