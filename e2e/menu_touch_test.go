package e2e

import (
	"fmt"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// focused reports whether the message box has the focus.
func (b *menuBox) focused() bool {
	b.Helper()
	return get(b.tab, chromedp.Evaluate[bool](`document.activeElement === document.querySelector("`+menuInput+`")`))
}

func walkMouse(b *menuBox) {
	b.typeText("@")
	b.waits(`document.querySelectorAll("#mention-menu [role=option]").length > 6`)
	at := b.middle("#mention-menu [role=option]:nth-of-type(4)", -0.3, 0)
	b.press("Escape")
	b.mouse(input.DispatchMouseEventTypeMouseMoved, at, 0) // the pointer rests where a list will come
	b.clear()
	b.typeText("@")
	b.waits(`document.querySelectorAll("#mention-menu [role=option]").length > 6`)
	first := b.values()[0]
	b.selects(first)
	b.press("PageDown", "PageUp")                          // the list has scrolled under the pointer and back
	b.mouse(input.DispatchMouseEventTypeMouseMoved, at, 0) // browsers report that as a move to the same place
	b.selects(first)
	b.mouse(input.DispatchMouseEventTypeMouseMoved, point{at.X + 3, at.Y}, 0)
	hovered := get(b.tab, chromedp.Evaluate[string](fmt.Sprintf(`document.elementFromPoint(%f, %f).closest("[role=option]").dataset.value`, at.X, at.Y)))
	b.selects(hovered)
	if hovered == first {
		b.Errorf("the pointer is at the first option, %s", first)
	}
	b.clear()
	b.typeText("see @mak")
	b.shows("Makefile", "src/Makefile")
	b.clickAt(b.middle(`#mention-menu [data-value="src/Makefile"]`, 0, 0))
	b.closed()
	b.says("see @src/Makefile ", "@src/Makefile")
	if !b.focused() {
		b.Error("a click took the focus from the message box")
	}
	b.typeText("@mak")
	b.shows("Makefile", "src/Makefile")
	b.run(`document.getElementById("mention-menu").focus()`) // as assistive technology may
	if !b.focused() {
		b.Error("the list keeps the focus")
	}
	b.selects("Makefile")
	b.clear()
	b.typeText("@mak")
	b.shows("Makefile", "src/Makefile")
	b.clickAt(b.middle(".bar", 0, 0)) // elsewhere
	b.waits(`!document.querySelector(".menu")`)
	b.closed()
}

// touch puts a finger down, moves it, and takes it away.
func (b *menuBox) touch(path ...point) {
	b.Helper()
	send := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		if _, err := chromedp.Call(b.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points}); err != nil {
			b.Fatal(err)
		}
	}
	for i, at := range path {
		kind := input.DispatchTouchEventTypeTouchMove
		if i == 0 {
			kind = input.DispatchTouchEventTypeTouchStart
		}
		send(kind, &input.TouchPoint{X: at.X, Y: at.Y})
	}
	send(input.DispatchTouchEventTypeTouchEnd)
}

func (b *menuBox) tap(at point) {
	b.Helper()
	b.touch(at)
}

// walkTouch has a phone whose keyboard takes half of the screen.
func walkTouch(b *menuBox) {
	for _, width := range []int64{390, 320} {
		b.looks(width, 700, true)
		b.focusBox()
		b.typeText("@many/item")
		b.waits(`document.querySelectorAll("#mention-menu [role=option]").length === 40`)
		b.looks(width, 360, true)
		b.inside()
		same := fmt.Sprintf(`(() => { const m = document.querySelector(".menu").getBoundingClientRect(), c = document.getElementById("composer").getBoundingClientRect(); return Math.abs(m.left - c.left) < 1.5 && Math.abs(m.right - c.right) < 1.5 && m.width <= %d })()`, width)
		if !get(b.tab, chromedp.Evaluate[bool](same)) {
			b.Errorf("at %d the menu is not as wide as the composer", width)
		}
		if high := get(b.tab, chromedp.Evaluate[float64](`document.querySelector("#mention-menu [role=option]").getBoundingClientRect().height`)); high < 43.9 {
			b.Errorf("a line is %g px high", high)
		}
		list := b.middle("#mention-menu", 0, 0)
		var path []point
		for y := 40.0; y >= -40; y -= 8 {
			path = append(path, point{list.X, list.Y + y})
		}
		b.touch(path...)
		b.waits(`document.getElementById("mention-menu").scrollTop > 30`)
		b.says("@many/item") // which picked nothing
		list = b.middle("#mention-menu", 0, 0)
		value := get(b.tab, chromedp.Evaluate[string](fmt.Sprintf(`document.elementFromPoint(%f, %f).closest("[role=option]").dataset.value`, list.X, list.Y)))
		b.tap(list)
		b.waits(`!document.querySelector(".menu")`)
		b.says("@"+value+" ", "@"+value)
		if !b.focused() {
			b.Error("a tap took the focus from the message box, and the keyboard with it")
		}
		b.clear()
		b.typeText("@dee")
		b.selects("deep/")
		b.tap(b.middle(`#mention-menu [data-value="deep/"] .option-open`, 0, 0))
		b.shows("deep/", "deep/one/")
		b.clear()
	}
	b.typeText("/ask")
	b.waits(`!!document.querySelector("#command-menu [data-value=ask]")`)
	b.press("Enter") // breaks lines here: it may pick, and must not send
	b.says("/ask ", "/ask")
	b.clear()
}

// walkInputMethod writes Chinese with an input method while the menu is open.
func walkInputMethod(b *menuBox) {
	b.typeText("看@")
	b.waits(`document.querySelectorAll("#mention-menu [role=option]").length > 6`)
	first := b.values()[0]
	b.imeKey(input.DispatchKeyEventTypeRawKeyDown) // an arrow, or Enter, that is the input method's
	b.imeKey(input.DispatchKeyEventTypeKeyUp)
	b.selects(first)
	b.imeCompose("mak")
	b.shows("Makefile", "src/Makefile")
	b.press("ArrowDown") // chooses among candidates
	b.selects("Makefile")
	b.says("看@mak")
	b.imeCompose("shuo'ming")
	b.note("Nothing found")
	b.imeCommit("说明")
	b.shows("文档/说明.md")
	b.selects("文档/说明.md")
	b.press("Enter")
	b.says("看@文档/说明.md ", "@文档/说明.md")
	b.imeCompose("hao")
	b.imeCommit("好")
	b.says("看@文档/说明.md 好", "@文档/说明.md")
	b.clear()
	b.imeCompose("、") // what the slash key is
	b.imeCommit("、")
	b.waits(`!!document.querySelector("#command-menu [data-value=slow]")`)
	b.typeText("slo")
	b.selects("slow")
	b.press("Enter")
	b.says("/slow ", "/slow")
}

// walkSoftKeyboard composes every word, as keyboards on a phone do, and says
// 229 for every key.
func walkSoftKeyboard(b *menuBox) {
	b.looks(390, 700, true)
	b.focusBox()
	for _, word := range []string{"@", "@m", "@ma", "@mak"} {
		b.imeCompose(word)
	}
	b.shows("Makefile", "src/Makefile")
	b.tap(b.middle(`#mention-menu [data-value="src/Makefile"]`, 0, 0))
	b.waits(`!document.querySelector(".menu")`)
	b.says("@src/Makefile ", "@src/Makefile")
	b.imeCompose("and")
	b.imeCommit("and ")
	b.imeCompose("@lic")
	b.shows("LICENSE.md")
	b.tap(b.middle(`#mention-menu [role=option]`, 0, 0))
	b.waits(`!document.querySelector(".menu")`)
	b.says("@src/Makefile and @LICENSE.md ", "@src/Makefile", "@LICENSE.md")
}

// inside checks that the menu is in what is seen of the page, beside the line
// that is being written and not over it.
func (b *menuBox) inside() {
	b.Helper()
	const where = `(() => {
		const r = document.createRange(), s = getSelection()
		r.setStart(s.focusNode, Math.max(0, s.focusOffset - 1)); r.setEnd(s.focusNode, s.focusOffset)
		const line = r.getBoundingClientRect(), menu = document.querySelector(".menu").getBoundingClientRect(), v = visualViewport
		const [left, top] = [v.offsetLeft, v.offsetTop]
		const faults = []
		if (menu.left < left || menu.top < top || menu.right > left + v.width + 0.5 || menu.bottom > top + v.height + 0.5) faults.push("is outside of the window")
		if (menu.bottom > line.top + 1 && menu.top < line.bottom - 1) faults.push("is over the line")
		if (Math.min(Math.abs(menu.bottom - line.top), Math.abs(menu.top - line.bottom)) > 40) faults.push("is away from the line")
		if (menu.height < 30) faults.push("is too low")
		return faults.map(f => f + " " + JSON.stringify({ menu, line, width: v.width, height: v.height, left, top })).join()
	})()`
	b.waits(`!(` + where + `) || performance.now() > (window.menuDeadline ??= performance.now() + 5000)`)
	if fault := get(b.tab, chromedp.Evaluate[string](where)); fault != "" {
		b.Errorf("the menu %s", fault)
	}
	b.run(`delete window.menuDeadline`)
}

func walkPlacement(b *menuBox) {
	for _, size := range [][2]int64{{1280, 860}, {1280, 300}, {700, 500}, {320, 640}, {320, 260}} {
		b.looks(size[0], size[1], false)
		b.focusBox()
		for _, text := range []string{"@", "many words in front of what is written until the line is nearly at its end, or over it, or more @", "a\nb\nc\nd\ne\nf @", "@many/item"} {
			b.typeText(text)
			b.waits(`document.querySelectorAll("#mention-menu [role=option]").length > 1`)
			b.inside()
			b.clear()
		}
	}
	b.looks(1280, 860, false)
	b.typeText("اقرأ @")
	b.waits(`document.querySelectorAll("#mention-menu [role=option]").length > 1`)
	b.inside()
	if rows := get(b.tab, chromedp.Evaluate[float64](`document.getElementById("mention-menu").clientHeight / document.querySelector("#mention-menu [role=option]").offsetHeight`)); rows > 9 {
		b.Errorf("the list is %g lines high", rows)
	}
	// Zoomed with two fingers, only a part of the page is seen.
	if _, err := chromedp.Call(b.ctx, emulation.SetPageScaleFactor, emulation.SetPageScaleFactorParams{PageScaleFactor: 1.5}); err != nil {
		b.Fatal(err)
	}
	b.clear()
	b.typeText("@")
	b.waits(`document.querySelectorAll("#mention-menu [role=option]").length > 1`)
	b.inside()
}
