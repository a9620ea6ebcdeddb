package e2e

import (
	"fmt"

	"github.com/chromedp/chromedp"

	"webshell/e2e/stage"
)

// What axe-core does not look for, or not as it is seen.

// small are the targets that a finger or a pointer would miss: at least 24
// pixels each way (WCAG 2.2, 2.5.8), 40 for a finger. Links and buttons in a text
// are as high as its lines.
func small(b *tab, look stage.Look) []string {
	b.Helper()
	least := 24
	if look.Touch {
		least = 40
	}
	const script = `[...document.querySelectorAll("a[href], button, summary, select, textarea, input:not([type=hidden]), [role=textbox], [role=option]")]
		.filter(e => e.checkVisibility({visibilityProperty: true}) && !e.closest(".vh, .skip") && !e.matches(":disabled, .cm-line *, p a, li > a:not(.side-item), td a, h2 a"))
		.map(e => [e, e.getBoundingClientRect()]).filter(([, r]) => r.width && (Math.round(r.width) < %[1]d || Math.round(r.height) < %[1]d))
		.map(([e, r]) => "a target is " + Math.round(r.width) + " by " + Math.round(r.height) + " px, at least %[1]d are wanted: " + e.localName + (e.id && "#" + e.id) + [...e.classList].map(c => "." + c).join(""))`
	return get(b, chromedp.Evaluate[[]string](fmt.Sprintf(script, least)))
}

// broad says whether the page has to be scrolled sideways (WCAG 2.2, 1.4.10).
func broad(b *tab, look stage.Look) []string {
	b.Helper()
	if width := get(b, chromedp.Evaluate[int64](`document.documentElement.scrollWidth`)); width > look.Width {
		return []string{fmt.Sprintf("the page is %d px wide, the window %d", width, look.Width)}
	}
	return nil
}

// faint are texts that cannot be read in the system's colours. axe-core reads
// the colours that the style sheet wanted, not those that are drawn.
func faint(b *tab, look stage.Look) []string {
	b.Helper()
	if !look.Forced {
		return nil
	}
	const script = `(() => {
		const parts = c => c.match(/[\d.]+/g).map(Number);
		const light = c => parts(c).slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
			.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
		const ground = e => {
			for (; e; e = e.parentElement) {
				const c = getComputedStyle(e).backgroundColor;
				if ((parts(c)[3] ?? 1) > 0.5) return c;
			}
			return matchMedia("(prefers-color-scheme: dark)").matches ? "rgb(0, 0, 0)" : "rgb(255, 255, 255)";
		};
		const faint = new Set();
		const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		while (texts.nextNode()) {
			const e = texts.currentNode.parentElement;
			if (!texts.currentNode.data.trim() || !e.checkVisibility({visibilityProperty: true, opacityProperty: true}) || e.closest(".vh, .skip")) continue;
			const [a, b] = [getComputedStyle(e).color, ground(e)];
			const [x, y] = [light(a), light(b)];
			if ((Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05) < 4.5) faint.add("a text cannot be read, " + a + " on " + b + ": " + e.localName + "." + e.className);
		}
		return [...faint];
	})()`
	return get(b, chromedp.Evaluate[[]string](script))
}
