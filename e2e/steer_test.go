package e2e

import (
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

// captioned is whether the message with a text says that it steers.
func (b *tab) captioned(text string) bool {
	b.Helper()
	return get(b, chromedp.Evaluate[bool](`(() => {
		const row = [...document.querySelectorAll("article[data-request-id]")].find((row) => row.querySelector(".message-content").textContent === `+quote(text)+`)
		const caption = row?.querySelector(":scope > .caption:not([hidden])")
		return row?.dataset.steering !== undefined && caption?.textContent.trim() === "Steering"
	})()`))
}

// A message that enters the running turn says so from its first frame on, when
// it is in the log, and after a reload. What is queued does not.
func TestSteering(t *testing.T) {
	t.Parallel()
	s, p, c, session, b := inSession(t)
	b.say("/slow 20")
	b.waits(`document.querySelector("#composer[data-running][data-steers]") !== null`)
	sending := p.catch(posts)
	b.focus(messageBox)
	b.insert("look here")
	b.press("Control+Enter")
	b.waitsFor("look here", "sending")
	if !b.captioned("look here") {
		t.Error("on its way it does not say that it steers")
	}
	x := sending.next()
	sending.open()
	x.pass()
	b.say("and then this")
	b.waitsFor("look here", "logged")
	b.waitsFor("and then this", "queued")
	for range 2 {
		if !b.captioned("look here") || b.captioned("and then this") {
			t.Errorf("captions: %v, %v", b.captioned("look here"), b.captioned("and then this"))
		}
		b.watched()
		b.do(chromedp.Reload())
		b.ready()
	}
	events := c.until(session, "both turns' end", ended(2))
	if got := contents(events); !slices.Equal(got, []string{"/slow 20", "look here", "and then this"}) {
		t.Errorf("the log has %q", got)
	}
	s.interrupt()
}

// Actions stand in their places while a message is on its way, and work once
// the server has it.
func TestQueueActionsWaitForTheServersRow(t *testing.T) {
	t.Parallel()
	s, p, c, session, b := inSession(t)
	b.say("/slow 600")
	b.waits(`document.querySelector("#composer[data-running]") !== null`)
	sending := p.catch(posts)
	b.say("waits")
	b.waitsFor("waits", "sending")
	const buttons = `[...document.querySelectorAll("#queue [data-queue-action]:is([data-queue-action=edit], [data-queue-action=steer], [data-queue-action=delete])")]`
	b.waits(buttons + `.length === 3 && ` + buttons + `.every((button) => button.disabled && button.checkVisibility() && button.title !== "")`)
	x := sending.next()
	x.pass()
	b.waitsFor("waits", "queued")
	b.waits(buttons + `.every((button) => !button.disabled)`)
	b.run(buttons + `.find((button) => button.dataset.queueAction === "delete").click()`)
	b.waits(`document.querySelector("#queue[hidden]") !== null`)
	c.must("POST", "/sessions/"+session+"/stop", nil, nil)
	events := c.until(session, "the turn's end", ended(1))
	if got := contents(events); !slices.Equal(got, []string{"/slow 600"}) {
		t.Errorf("the log has %q", got)
	}
	s.interrupt()
}
