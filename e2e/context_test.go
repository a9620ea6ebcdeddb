package e2e

import (
	"testing"

	"webshell/e2e/stage"
)

// A context row opens by the keyboard into a bounded box that scrolls and has
// real line breaks; its label is seen whole, opened and closed, on narrow
// screens too.
func TestAContextRowOpensInABoundedBox(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	session := c.talk("/context")
	c.until(session, "the turn's end", ended(1))
	b := openBrowser(t)
	b.signIn(s.link)
	type box struct {
		Shown, Whole, Lines float64
		Label, Wide         bool
	}
	for name, look := range map[string]stage.Look{"wide": stage.Wide, "narrow": stage.Narrow} {
		t.Run(name, func(t *testing.T) {
			b := &tab{t, b.ctx}
			b.load(s.url+"/sessions/"+session, look, true)
			const row = `#transcript [data-context-form=instructions]`
			b.focus(row + " > summary")
			b.press("Enter")
			b.waits(`document.querySelector("` + row + `").open`)
			got := eval[box](b, `(() => {
				const details = document.querySelector("`+row+`"), body = details.querySelector(".context-body");
				const label = details.querySelector(".context-label"), text = document.createRange();
				text.selectNodeContents(body.lastChild);
				return {
					shown: body.getBoundingClientRect().height, whole: body.scrollHeight,
					lines: new Set([...text.getClientRects()].map(r => Math.round(r.top))).size,
					label: label.checkVisibility() && label.scrollWidth <= label.clientWidth + 1 && label.innerText === "AGENTS.md, docs/STYLE.md",
					wide: document.documentElement.scrollWidth > innerWidth,
				};
			})()`)
			if got.Shown > 142 || got.Whole <= got.Shown || got.Lines < 4 || !got.Label || got.Wide {
				t.Errorf("opened: %+v", got)
			}
		})
	}
	s.interrupt()
}
