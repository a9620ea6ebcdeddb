package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A tall message is shown in part. It opens and closes with the pointer and the
// keyboard, and stays as the reader left it while the conversation goes on. The
// agent has all of it.
func TestATallMessageShowsMore(t *testing.T) {
	t.Parallel()
	s, p, c, session, b := inSession(t)
	lines := make([]string, 60)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d", i+1)
	}
	text := strings.Join(lines, "\n")
	const message = `document.querySelector("article[data-role=user] .message-content")`
	// folded checks how much of it is seen, and the control's words.
	folded := func(when string, want bool) {
		t.Helper()
		got := eval[struct {
			Shown, Whole float64
			Words        string
		}](b, `(({ clientHeight, scrollHeight }) => ({ shown: clientHeight, whole: scrollHeight, words: document.querySelector("article[data-role=user] .fold summary").innerText.trim() }))(`+message+`)`)
		if got.Whole < 800 {
			t.Fatalf("%s: the message is only %v px high", when, got.Whole)
		}
		words, part := "Show less", got.Shown < got.Whole-400
		if want {
			words = "Show more"
		}
		if part != want || want && got.Shown > 420 || got.Words != words {
			t.Errorf("%s: %+v", when, got)
		}
	}
	sending := p.catch(posts)
	b.say(text)
	x := sending.next()
	folded("on its way", true)
	b.run(`window.mine = document.querySelector("article[data-role=user]"); mine.querySelector(".fold summary").scrollIntoView({ block: "center" })`)
	b.clickAt(b.middle("article[data-role=user] .fold summary", 0, 0))
	folded("opened", false)
	x.pass()
	sending.open()
	events := c.until(session, "the turn's end", ended(1))
	b.settled(1)
	b.waits(`document.querySelector("#transcript [data-role=assistant]") !== null && document.querySelector("#run-line").hidden`)
	if !eval[bool](b, "mine.isConnected") {
		t.Error("the row was drawn anew")
	}
	folded("answered", false)
	b.focus("article[data-role=user] .fold summary")
	b.press("Enter")
	folded("closed", true)
	if got := eval[string](b, message+".textContent"); got != text {
		t.Errorf("the message reads %q", got)
	}
	if got := messagesIn(events); len(got) != 1 || got[0].Content != text {
		t.Errorf("the log has %+v", got)
	}
	if at := eval[string](b, `document.querySelector("article[data-role=user] time.at").textContent.trim()`); at == "" {
		t.Error("the message has no time")
	}
	b.do(chromedp.Reload())
	b.ready()
	folded("after a reload", true)
	s.interrupt()
}
