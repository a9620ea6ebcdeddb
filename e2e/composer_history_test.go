package e2e

import (
	"github.com/chromedp/chromedp"
)

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
