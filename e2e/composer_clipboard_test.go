package e2e

import (
	"github.com/chromedp/chromedp"
)

const composerType = "application/x-webshell-composer"

func testCopyPaste(b *box) {
	b.rich(with("see {}", makefile))
	b.press("Control+a", "Control+c", "Control+End", "Shift+Enter", "Control+v")
	b.holds(with("see {}\nsee {}", makefile, makefile))
	b.press("Control+z")
	b.holds(with("see {}\n", makefile))
	b.press("Control+v", "Control+v")
	b.sends(with("see {}\nsee {}see {}", makefile, makefile, makefile), "Enter")
}

func testCutPaste(b *box) {
	b.rich(with("a {} b", makefile))
	b.press("ArrowLeft", "ArrowLeft", "Shift+ArrowLeft", "Control+x")
	b.holds(with("a  b"))
	b.press("Control+End", "Control+v")
	b.holds(with("a  b{}", makefile))
	b.press("Control+z", "Control+z")
	b.holds(with("a {} b", makefile))
	b.press("Control+y", "Control+y")
	b.sends(with("a  b{}", makefile), "Enter")
}

func testCopyNothing(b *box) {
	b.rich(draft{Text: "one"})
	b.press("Shift+ArrowLeft", "Control+c", "Control+End", "Control+c", "Control+x")
	b.holds(with("one"))
	b.press("Control+v")
	b.holds(with("onee"))
}

func testHostilePaste(b *box) {
	b.rich(draft{})
	license := license.at(4)
	for _, payload := range []string{
		`{`, `null`, `[]`, `{"text":"see @LICENSE!","tags":[]}`, `{"text":5,"tags":5}`,
		`{"text":"see @LICENSE","tags":[{"id":"a","serialized":"@LICENSE","start":3,"end":11}]}`,
		`{"text":"see @LICENSE","tags":[{"id":5,"serialized":"@LICENSE","start":4,"end":12}]}`,
		`{"text":"see @LICENSE","tags":[{"id":"a","serialized":"@LICENSE"}]}`,
	} {
		b.paste(map[string]string{"text/plain": "see @LICENSE", composerType: payload})
		b.holds(with("see @LICENSE"))
		b.press("Control+a", "Backspace")
	}
	good := asJSON(draft{Text: "see @LICENSE", Tags: []tag{license}})
	b.paste(map[string]string{"text/plain": "see @LICENSE", composerType: good})
	b.sends(draft{Text: "see @LICENSE", Tags: []tag{license}}, "Enter")
}

func testPasteHTML(b *box) {
	b.rich(draft{})
	b.paste(map[string]string{"text/html": "<b>bold</b><img src=x onerror=alert(1)>", "text/plain": "<i>plain</i>"})
	b.holds(with("<i>plain</i>"))
	b.paste(map[string]string{"text/html": "<b>bold</b>"})
	b.holds(with("<i>plain</i>"))
}

func testFiles(b *box) {
	b.rich(draft{Text: "text"})
	seen := get(b.tab, chromedp.Evaluate[[]string](`(() => {
		const box = document.activeElement, seen = []
		for (const type of ["paste", "drop"]) {
			box.closest("form").addEventListener(type, () => seen.push(type))
			const data = new DataTransfer
			data.items.add(new File(["the file's text"], "a.txt", { type: "text/plain" }))
			const at = box.getBoundingClientRect()
			box.dispatchEvent(type === "paste"
				? new ClipboardEvent(type, { clipboardData: data, bubbles: true, cancelable: true })
				: new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true, clientX: at.x + 5, clientY: at.y + 5 }))
		}
		return seen
	})()`))
	if asJSON(seen) != `["paste","drop"]` {
		b.Errorf("the form saw %v", seen)
	}
	b.holds(with("text"))
}
