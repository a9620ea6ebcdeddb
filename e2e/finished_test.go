package e2e

import (
	"strings"
	"testing"
)

// watchFinished notes what is done to the finished parts of an answer that is
// being written: they may only become more. A part that has just become
// finished may be changed in the task that finishes it.
const watchFinished = `
	globalThis.redrawn = []
	globalThis.grown = 0
	globalThis.firstPart = null
	new MutationObserver((records) => {
		const fresh = new Set(records.flatMap((record) => [...record.addedNodes]))
		for (const { target, type, removedNodes } of records) {
			const element = target instanceof Element ? target : target.parentElement
			const done = element?.closest(".done")
			if (!done?.closest("article[data-open]")) continue
			if (target === done && type === "childList") {
				grown += removedNodes.length === 0
				firstPart ??= done.firstElementChild
				if (removedNodes.length > 0) redrawn.push("removed: " + [...removedNodes].map((node) => node.textContent.slice(0, 40)).join())
				continue
			}
			let part = target
			while (part.parentNode !== done && part !== done) part = part.parentNode
			if (!fresh.has(part)) redrawn.push(type + ": " + part.textContent.slice(0, 40))
		}
	}).observe(document.getElementById("transcript"), { childList: true, subtree: true, characterData: true, attributes: true })`

// What is finished of an answer is drawn once, however long the answer becomes.
func TestFinishedPartsAreDrawnOnce(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	b := openBrowser(t)
	b.signIn(s.link)
	session := c.talk("hello")
	c.until(session, "the turn's end", ended(1))
	b.open(s, session)
	b.ready()
	b.run(watchFinished)
	c.say(session, "/markdown")
	c.until(session, "the long answer's end", ended(2))
	b.waits(`document.querySelector("#run-line").hidden && !document.querySelector("[data-open]")`)
	if redrawn := eval[[]string](b, "redrawn"); len(redrawn) > 0 {
		t.Errorf("drawn again, %d times: %s", len(redrawn), strings.Join(redrawn[:min(5, len(redrawn))], "; "))
	}
	if grown := eval[int](b, "grown"); grown < 3 {
		t.Errorf("parts were finished in %d steps only", grown)
	}
	if !eval[bool](b, "firstPart.isConnected") {
		t.Error("the end of the answer draws it anew")
	}
	s.interrupt()
}
