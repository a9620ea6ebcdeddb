package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A message that is refused stays as a row, and its text comes back.
func TestARefusedMessageKeepsItsTextAndChips(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	p := proxied(s)
	c := s.client()
	session := c.begin()
	const text = "😀 look at @one and @two"
	c.draft(session, text, fileTag("one", 11), fileTag("two", 20))
	b := openWatched(t)
	b.signIn(p.link())
	b.do(chromedp.Navigate(p.url + "/sessions/" + session))
	b.ready()
	sending := p.catch(posts)
	b.focus(messageBox)
	b.press("Enter")
	first := sending.next()
	first.refuse(http.StatusUnprocessableEntity, "blank", "The server wants something else.")
	b.waitsFor(text, "failed")
	rows := b.rows()
	if len(rows) != 1 || rows[0].In != "transcript" || !slices.Equal(rows[0].Chips, []string{"@one", "@two"}) ||
		!slices.Equal(rows[0].Actions, []string{"retry", "edit"}) || !strings.Contains(rows[0].Words, "The server wants something else.") {
		t.Fatalf("%+v", rows)
	}
	if back := b.written(); back != text {
		t.Errorf("the message box has %q", back)
	}
	if notice := b.text("#notice"); !strings.Contains(notice, "back in the message box") {
		t.Errorf("the notice says %q", notice)
	}

	// Retry sends the same again, and takes the text out of the box.
	b.focus("[data-action=retry]:not([hidden])")
	b.press("Enter")
	again := sending.next()
	if !get(b, chromedp.Evaluate[bool](`document.activeElement.getAttribute("role") === "textbox"`)) {
		t.Error("a button that is gone leaves the focus nowhere")
	}
	if a, z := first.message(), again.message(); fmt.Sprint(a) != fmt.Sprint(z) || len(a.Tags) != 2 {
		t.Errorf("first %+v, again %+v", a, z)
	}
	if back := b.written(); back != "" {
		t.Errorf("while it is sent again the message box has %q", back)
	}
	// Edit puts it behind what was written meanwhile.
	again.refuse(http.StatusConflict, "queue_full", "The queue is full.")
	b.waitsFor(text, "failed")
	b.typeText(" mine")
	b.act(text, "edit")
	if back := b.written(); back != text+" mine" {
		t.Errorf("what was there already was put in again: %q", back)
	}
	if rows := b.rows(); len(rows) != 0 {
		t.Errorf("after Edit: %+v", rows)
	}
	sending.open()
	b.press("Enter")
	events := c.until(session, "the turn's end", ended(1))
	said := messagesIn(events)
	if len(said) != 1 || said[0].Content != text+" mine" || strings.Count(string(said[0].Annotations), `"type":"reference"`) != 2 {
		t.Errorf("the log has %+v", said)
	}
	b.watched()
	s.interrupt()
}

// text is an element's text.
func (b *tab) text(selector string) string {
	b.Helper()
	return get(b, chromedp.Evaluate[string](fmt.Sprintf(`document.querySelector(%s)?.textContent ?? ""`, quote(selector))))
}

// The id of another message's is not used again.
func TestAnIDThatIsTakenIsReplaced(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	p := proxied(s)
	c := s.client()
	session := c.begin()
	b := openWatched(t)
	b.signIn(p.link())
	b.do(chromedp.Navigate(p.url + "/sessions/" + session))
	b.ready()
	sending := p.catch(posts)
	b.say("hello")
	first := sending.next()
	p.stopStreams(true) // the other message's row would take the place of this one's
	c.must("POST", "/sessions/"+session+"/messages", map[string]any{"requestId": first.message().RequestID, "text": "another"}, nil)
	first.pass()
	b.waitsFor("hello", "failed")
	sending.open()
	b.act("hello", "retry")
	events := c.until(session, "both messages", func(events []event) bool { return len(messagesIn(events)) == 2 })
	if got := contents(events); !slices.Equal(got, []string{"another", "hello"}) {
		t.Errorf("the log has %q", got)
	}
	p.stopStreams(false)
	b.waitsFor("hello", "logged")
	b.waitsFor("another", "logged")
	s.interrupt()
}

func TestMessagesThatFailOutOfOrderComeBackInOrder(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	p := proxied(s)
	c := s.client()
	session := c.begin()
	b := openWatched(t)
	b.signIn(p.link())
	b.do(chromedp.Navigate(p.url + "/sessions/" + session))
	b.ready()
	sending := p.catch(posts)
	var caught []*exchange
	for i := range 4 {
		text := fmt.Sprintf("%d 😀 ", i)
		b.focus(messageBox)
		b.insert(text)
		b.pasteChip(fmt.Sprintf("file%d", i))
		b.press("Enter")
	}
	for range 3 {
		caught = append(caught, sending.next()) // one that takes long holds the next up no longer
	}
	refuse := func(i int) {
		caught[i].refuse(http.StatusUnprocessableEntity, "blank", "No.")
		b.waitsFor(fmt.Sprintf("%d 😀 @file%d", i, i), "failed")
	}
	refuse(2)
	caught = append(caught, sending.next())
	refuse(0)
	if back := b.written(); back != "0 😀 @file0\n\n2 😀 @file2" {
		t.Errorf("the message box has %q", back)
	}
	refuse(1)
	if back := b.written(); back != "0 😀 @file0\n\n1 😀 @file1\n\n2 😀 @file2" {
		t.Errorf("the message box has %q", back)
	}
	if chips := b.count(`#composer .chip`); chips != 3 {
		t.Errorf("%d chips came back", chips)
	}
	b.typeText("!")
	refuse(3)
	if back := b.written(); !strings.HasSuffix(back, "@file2!") {
		t.Errorf("over what the person wrote: %q", back)
	}
	if rows := b.rows(); len(rows) != 4 {
		t.Errorf("%+v", rows)
	}
	// What is sent from the box takes its rows with it, the one that is not in it stays.
	sending.open()
	b.press("Enter")
	events := c.until(session, "the message", func(events []event) bool { return len(messagesIn(events)) == 1 })
	if n := strings.Count(string(messagesIn(events)[0].Annotations), `"type":"reference"`); n != 3 {
		t.Errorf("%d chips arrived", n)
	}
	b.waits(`document.querySelectorAll("[data-state=failed]").length === 1`)
	b.waitsFor("3 😀 @file3", "failed")
	s.interrupt()
}

// pasteChip pastes a reference as it is copied from a message box.
func (b *tab) pasteChip(name string) {
	b.Helper()
	form := "@" + name
	payload := fmt.Sprintf(`{"text":%s,"tags":[{"id":%s,"kind":"file","value":%s,"serialized":%s,"start":0,"end":%d}]}`, quote(form), quote(name), quote(name), quote(form), len(form))
	b.paste(map[string]string{"text/plain": form, "application/x-webshell-composer": payload})
}
