package e2e

import (
	"strings"

	"github.com/chromedp/chromedp"
)

func testChipRemoved(b *box) {
	b.rich(with("a {}{} b", makefile, license))
	b.press("ArrowLeft", "ArrowLeft", "Backspace")
	b.holds(with("a {} b", makefile))
	b.press("Home", "ArrowRight", "ArrowRight", "Delete")
	b.holds(with("a  b"))
	b.press("Control+z")
	b.holds(with("a {} b", makefile))
	b.sends(with("a {} b", makefile), "Enter")
}

func testChipKeys(b *box) {
	b.rich(with("a{}b", makefile))
	b.press("ArrowLeft", "ArrowLeft")
	b.typeText("1")
	b.press("ArrowRight")
	b.typeText("2")
	b.holds(with("a1{}2b", makefile))
	if n := b.shown(`.chip[data-kind="file"][data-id="f1"]`); n != 1 {
		b.Errorf("%d chips name their kind and id", n)
	}
	b.press("ArrowLeft", "Shift+ArrowLeft")
	if n := b.shown(".selected > .chip"); n != 1 {
		b.Errorf("%d chips are drawn as selected", n)
	}
	b.typeText("x")
	b.holds(with("a1x2b"))
	b.press("Control+z")
	b.holds(with("a1{}2b", makefile))
	b.press("Home", "Control+Delete")
	if got := b.draft(); strings.Contains(got.Text, "Makefile") && len(got.Tags) != 1 {
		b.Errorf("deleting a word left half a chip: %s", asJSON(got))
	}
}

func testChipClicked(b *box) {
	b.rich(with("see {} and {}", makefile, license))
	if high := get(b.tab, chromedp.Evaluate[float64](`document.querySelector("#message .chip").getBoundingClientRect().height`)); high > 30 {
		b.Errorf("a chip is %.0f px high: it does not stand on one line", high)
	}
	b.clickAt(b.middle("#message .chip .chip-face", 0, 0))
	b.waits(`document.querySelectorAll("#message .selected > .chip").length === 1`)
	b.press("Delete")
	b.holds(with("see  and {}", license))
}

func testChipEdges(b *box) {
	b.rich(with("{}", makefile))
	b.typeText("after")
	b.press("Home")
	b.typeText("before")
	b.holds(with("before{}after", makefile))
	b.sends(with("before{}after", makefile), "Enter")
}

func testChipAfterEmoji(b *box) {
	b.rich(with("😀{}👩‍👩‍👧‍👦{}🚀", makefile, license))
	if n := b.shown(".chip"); n != 2 {
		b.Errorf("%d chips are drawn", n)
	}
	b.press("ArrowLeft", "ArrowLeft")
	b.typeText("日")
	b.press("Home")
	b.insert("🇨🇳")
	b.sends(with("🇨🇳😀{}👩‍👩‍👧‍👦日{}🚀", makefile, license), "Enter")
}

func testEqualChips(b *box) {
	// What was typed first has the same words, and is no chip.
	b.rich(with("@LICENSE {} {}", license, license))
	b.clickAt(b.middle("#message .chip .chip-remove", 0, 0))
	b.holds(with("@LICENSE  {}", license))
	b.waits(`document.querySelector("#status").textContent.includes("@LICENSE")`)
	b.press("Control+z")
	b.holds(with("@LICENSE {} {}", license, license))
	b.press("Control+End", "Backspace")
	b.holds(with("@LICENSE {} ", license))
	b.press("Control+z")
	b.sends(with("@LICENSE {} {}", license, license), "Enter")
	if n := b.count("#message .chip-remove:is(button, [tabindex]), #message .chip-remove:not([aria-hidden])"); n != 0 {
		b.Errorf("%d remove buttons are in the way of the keyboard", n)
	}
}

func testFixedChip(b *box) {
	no := false
	fixed := tag{ID: "host", Kind: "session", Label: "Ticket", Value: "T-1", Serialized: "ticket T-1", Removable: &no}
	b.rich(with("a {}{} b", fixed, makefile))
	if n := b.shown(".chip-remove"); n != 1 {
		b.Errorf("%d chips have a remove button", n)
	}
	b.press("ArrowLeft", "ArrowLeft", "Backspace", "Backspace", "!")
	b.holds(with("a !{} b", fixed))
	b.press("Delete", "?")
	b.holds(with("a !{}? b", fixed))
	b.press("Control+a", "Backspace")
	b.holds(with("{}", fixed))
	b.press("Control+a", "x")
	b.holds(with("{}x", fixed))
	b.press("Control+a", "Control+x")
	b.holds(with("{}", fixed))
	b.press("Control+z")
	b.holds(with("{}x", fixed))
	b.sends(with("{}x", fixed), "Enter") // sending takes it along
}

func testChipDragged(b *box) {
	b.rich(with("{} one two", makefile))
	b.drag(b.middle("#message .chip .chip-face", 0, 0), b.middle("#message .cm-line", 0.49, 0))
	b.holds(with(" one two{}", makefile))
	b.press("Control+z")
	b.holds(with("{} one two", makefile))
	b.press("Control+y")
	if n := b.shown(".chip"); n != 1 {
		b.Errorf("%d chips are drawn", n)
	}
	b.sends(with(" one two{}", makefile), "Enter")
	b.do(chromedp.WaitVisible(chromedp.CSS(`article[data-role="user"] .chip`)))
}
