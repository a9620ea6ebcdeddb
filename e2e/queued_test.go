package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A message that is sent while a question waits is named as queued at once. Its
// chip is there on its way, in the queue, after a reload and in the log, and the
// agent gets the text that was written, as if it had been sent at once.
func TestAQueuedMessageKeepsItsChips(t *testing.T) {
	t.Parallel()
	s, p, c, session, b := inSession(t)
	c.say(session, "/ask")
	b.waits(`document.querySelector("article[data-role=permission][data-waiting]") !== null`)
	const text = "look at 😀 @Makefile"
	stands := func(when, in, state, words string) {
		t.Helper()
		rows := b.rows()
		last := rows[len(rows)-1]
		if last.Text != text || last.In != in || last.State != state || last.Words != words || !slices.Equal(last.Chips, []string{"@Makefile"}) {
			t.Errorf("%s: %+v", when, last)
		}
	}
	sending := p.catch(posts)
	b.focus(messageBox)
	b.insert("look at 😀 ")
	b.pasteChip("Makefile")
	b.press("Enter")
	stands("on its way", "queue", "sending", "Sending")
	sending.next().pass()
	sending.open()
	b.settled(2)
	stands("in the queue", "queue", "queued", "Queued")
	b.watched()
	b.do(chromedp.Reload())
	b.ready()
	stands("after a reload", "queue", "queued", "Queued")

	b.do(chromedp.Click(chromedp.CSS(".answers .button-main")))
	events := c.until(session, "both turns' ends", ended(2))
	b.waitsFor(text, "logged")
	stands("in the log", "transcript", "logged", "")
	said := messagesIn(events)
	if len(said) != 2 || said[1].Content != text {
		t.Fatalf("the log has %+v", said)
	}
	var annotations []struct {
		Type       string
		Start, End int
	}
	if err := json.Unmarshal(said[1].Annotations, &annotations); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(annotations) != "[{reference 11 20}]" { // the emoji is two units
		t.Errorf("stored are %v", annotations)
	}
	// The demo agent answers with what it received.
	want := fmt.Sprintf("This is what I received, %d bytes:\n\n```\n%s\n```", len(text), text)
	if got := strings.TrimSpace(events[len(events)-2].Content); got != want {
		t.Errorf("the agent received %q, want %q", got, want)
	}
	b.watched()
	s.interrupt()
}
