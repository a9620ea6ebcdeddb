package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

// What waits is deleted, moved, sent and edited with the buttons of its row, and
// the queue that Stop has paused goes on when a person says so.
func TestTheButtonsOfTheQueue(t *testing.T) {
	t.Parallel()
	s, _, c, session, b := inSession(t)
	b.say("/slow 600")
	b.waits(`document.getElementById("run-line").hasAttribute("data-running")`)
	for _, text := range []string{"1", "2", "3"} {
		b.say(text)
	}
	b.waits(`document.querySelectorAll("#queue [data-state=queued]").length === 3`)
	b.run(`window.here = true; document.querySelector("#queue details").open = true`)
	press := func(text, action string) {
		t.Helper()
		b.run(fmt.Sprintf(`[...document.querySelectorAll("[data-queue-row]")]
			.find((row) => row.querySelector(".message-content").textContent === %q)
			.querySelector("[data-queue-action=%s]").click()`, text, action))
	}
	queue := func(want string) {
		t.Helper()
		b.waits(fmt.Sprintf(`[...document.querySelectorAll("#queue .message-content")].map((text) => text.textContent).join(" ") === %q`, want))
	}
	press("1", "delete")
	queue("2 3")
	press("3", "up")
	queue("3 2")
	b.do(chromedp.Click(chromedp.CSS(".stop")))
	b.waits(`document.querySelector("#queue[data-paused] .queue-paused button") !== null && window.here`)
	queue("3 2")
	press("2", "send-now")
	queue("3")
	press("3", "edit")
	b.do(chromedp.WaitReady(chromedp.CSS("#queue-edit")), chromedp.SendKeys(chromedp.CSS("#queue-text"), "changed: "))
	b.do(chromedp.Click(chromedp.CSS("#queue-edit [value=edit]")))
	b.do(chromedp.WaitReady(chromedp.CSS(`.app[data-connection="open"]:not(:has(#queue-edit))`)))
	queue("changed: 3")
	b.do(chromedp.Click(chromedp.CSS(".queue-paused button")))
	events := c.until(session, "all turns' ends", ended(3))
	if got, want := contents(events), []string{"/slow 600", "2", "changed: 3"}; !slices.Equal(got, want) {
		t.Errorf("said are %q", got)
	}
	s.interrupt()
}
