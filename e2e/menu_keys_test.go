package e2e

import (
	"strings"

	"github.com/chromedp/chromedp"
)

func walkKeyboard(b *menuBox) {
	b.typeText("compare @mak")
	b.shows("Makefile", "src/Makefile")
	b.selects("Makefile")
	if role := get(b.tab, chromedp.Evaluate[string](`document.querySelector("#mention-menu [role=group]").getAttribute("aria-label")`)); role != "Files" {
		b.Errorf("the group is named %q", role)
	}
	if n := b.count(`#mention-menu [role=option][data-kind="file"]`); n != 2 {
		b.Errorf("%d options name their kind", n)
	}
	b.press("ArrowDown")
	b.selects("src/Makefile")
	b.press("ArrowDown")
	b.selects("Makefile")
	b.press("ArrowUp")
	b.selects("src/Makefile")
	b.press("PageUp")
	b.selects("Makefile")
	b.press("PageDown")
	b.selects("src/Makefile")
	b.press("Enter")
	b.closed()
	b.says("compare @src/Makefile ", "@src/Makefile")
	b.typeText(" with @mak") // the first space is the one that is there
	b.shows("Makefile", "src/Makefile")
	b.press("Tab")
	marks := b.says("compare @src/Makefile with @Makefile ", "@src/Makefile", "@Makefile")
	if marks[0].ID == marks[1].ID || marks[0].Kind != "file" || marks[0].Value != "src/Makefile" {
		b.Errorf("the chips are %+v", marks)
	}
	b.press("Enter")
	if m := b.sent(); m.text != "compare @src/Makefile with @Makefile " || len(m.annotations) != 2 || m.annotations[1].Start != 27 {
		b.Errorf("stored %+v", m)
	}
}

// The words of a chip that were typed before it stay words.
func walkOwnRange(b *menuBox) {
	b.typeText("@LICENSE.md")
	b.shows("LICENSE.md")
	b.press("Escape")
	b.typeText(" is @LIC")
	b.shows("LICENSE.md")
	b.press("Enter")
	marks := b.says("@LICENSE.md is @LICENSE.md ", "@LICENSE.md")
	if marks[0].Start != 15 {
		b.Errorf("the chip is at %d", marks[0].Start)
	}
}

func walkOddNames(b *menuBox) {
	for _, c := range []struct{ typed, value, form string }{
		{"notes", "my notes.txt", `@my\ notes.txt`},
		{`my\ no`, "my notes.txt", `@my\ notes.txt`},
		{"slash", `back\slash.txt`, `@back\\slash.txt`},
		{"计划", "😀 计划.md", `@😀\ 计划.md`},
		{"说明", "文档/说明.md", "@文档/说明.md"},
		{".qwen/set", ".qwen/settings.json", "@.qwen/settings.json"},
	} {
		b.typeText("@" + c.typed)
		b.shows(c.value)
		b.press("Enter")
		if marks := b.says(c.form+" ", c.form); marks[0].Value != c.value {
			b.Errorf("%s: the value is %q", c.typed, marks[0].Value)
		}
		b.clear()
	}
	b.typeText("@ignored")
	b.note("Nothing found")
	b.clear()
	b.typeText("@settings") // hidden names are found only where a dot asks for them
	b.note("Nothing found")
}

func walkFolders(b *menuBox) {
	b.typeText("@dee")
	b.selects("deep/")
	b.press("ArrowRight")
	b.shows("deep/", "deep/one/")
	b.press("ArrowDown", "Tab") // a folder is opened, as in a shell
	b.shows("deep/one/", "deep/one/two/")
	b.says("@deep/one/")
	b.press("Tab") // the folder that is open already is picked
	b.says("@deep/one/ ", "@deep/one/")
	b.clear()
	b.typeText("@deep/")
	b.shows("deep/", "deep/one/")
	b.press("ArrowDown", "Enter")
	b.says("@deep/one/ ", "@deep/one/")
	b.clear()
	b.typeText("@dee")
	b.selects("deep/")
	b.clickAt(b.middle(`#mention-menu [data-value="deep/"] .option-open`, 0, 0))
	b.shows("deep/", "deep/one/")
	b.says("@deep/")
	b.press("Backspace")
	b.selects("deep/")
	b.clear()
	b.typeText("@many/item")
	b.waits(`document.querySelectorAll("#mention-menu [role=option]").length === 40`)
	b.press("ArrowUp") // around the end
	b.selects("many/item39.txt")
	const seen = `(() => { const o = document.querySelector("#mention-menu [aria-selected=true]").getBoundingClientRect(), l = document.getElementById("mention-menu").getBoundingClientRect(); return o.top >= l.top && o.bottom <= l.bottom })()`
	if !get(b.tab, chromedp.Evaluate[bool](seen)) {
		b.Error("the selected option is not in view")
	}
}

func walkScripts(b *menuBox) {
	for _, c := range []struct{ before, typed, value, marked string }{
		{"看", "说", "文档/说明.md", "说"},
		{"看一下，", "明", "文档/说明.md", "明"},
		{"😀👩‍👩‍👧 ", "mak", "Makefile", "Mak"},
		{"😀", "计划", "😀 计划.md", "计划"},
		{"a line\n🇩🇪", "😀", "😀 计划.md", "😀"},
		{"(", "lic", "LICENSE.md", "LIC"},
		{"“", "lic", "LICENSE.md", "LIC"},
	} {
		b.typeText(c.before + "@" + c.typed)
		b.selects(c.value)
		const marked = `[...document.querySelectorAll("#mention-menu [aria-selected=true] mark")].map(m => m.textContent).join("|")`
		if got := get(b.tab, chromedp.Evaluate[string](marked)); got != c.marked {
			b.Errorf("%s@%s: marked is %q, want %q", c.before, c.typed, got, c.marked)
		}
		b.press("Enter")
		form := "@" + strings.ReplaceAll(c.value, " ", `\ `)
		b.says(c.before+form+" ", form)
		b.clear()
	}
}

func walkNoTrigger(b *menuBox) {
	for _, text := range []string{"me@mak", "me.too@mak", "1@mak"} {
		b.typeText(text[:1])
		b.asksNothing(func() { b.typeText(text[1:]) })
		b.clear()
	}
	b.typeText("/")
	b.waits(`!!document.querySelector("#command-menu [data-value=slow]")`) // known from now on: shown at once
	b.clear()
	for _, text := range []string{"see /slow", "x\n/slow", " /slow", "/home/me"} {
		b.typeText(text)
		b.closed()
		b.clear()
	}
	// What is pasted asks for nothing.
	b.asksNothing(func() { b.paste(map[string]string{"text/plain": "see @mak"}) })
	b.typeText("e")
	b.selects("Makefile")
	b.press("Enter")
	b.says("see @Makefile ", "@Makefile")
	// Nor does a caret that goes by a chip, or undo.
	b.asksNothing(func() { b.press("ArrowLeft", "ArrowLeft", "ArrowRight", "Control+z") })
	b.says("see @make")
}

func walkEscape(b *menuBox) {
	b.typeText("see @mak")
	b.selects("Makefile")
	b.press("Escape")
	b.closed()
	b.asksNothing(func() {
		b.typeText("e")
		b.press("Backspace", "Backspace")
	})
	b.typeText(" (@mak") // another token
	b.selects("Makefile")
	b.press("Escape")
	b.press("Backspace", "Backspace", "Backspace", "Backspace")
	b.typeText("@mak") // the same place, but another token too
	b.selects("Makefile")
	b.press("Home")
	b.closed()
	b.asksNothing(func() { b.press("End") })
	b.says("see @ma (@mak")
	b.press("Enter")
	if m := b.sent(); m.text != "see @ma (@mak" || len(m.annotations) != 0 {
		b.Errorf("stored %+v", m)
	}
}
