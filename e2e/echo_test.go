package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/uuid"
)

// sessionOf is the session that a tab shows.
func (b *tab) sessionOf() string {
	b.Helper()
	return get(b, chromedp.Evaluate[string](`document.querySelector(".app").dataset.session ?? ""`))
}

// Enter shows the message and empties the box in its own task, before any
// request leaves; the first message of a session too, whose page stays.
func TestTheEchoIsThereBeforeAnyRequest(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	p := proxied(s)
	c := s.client()
	b := openWatched(t)
	b.signIn(p.link())
	b.ready()
	b.run(`window.sameDocument = true`)
	sending := p.catch(posts)
	b.say("the first message")
	first := sending.next()
	b.waitsFor("the first message", "sending")
	if at := get(b, chromedp.Location()); at != p.url+"/" {
		t.Errorf("before there is a session: at %s", at)
	}
	b.say("the second waits for its session")
	first.pass()
	second := sending.next()
	if !strings.HasSuffix(second.request.URL.Path, "/messages") {
		t.Errorf("the second message went to %s", second.request.URL)
	}
	session := b.sessionOf()
	if at := get(b, chromedp.Location()); at != p.url+"/sessions/"+session {
		t.Errorf("after the first answer: at %s", at)
	}
	second.pass()
	events := c.until(session, "both turns' ends", ended(2))
	b.waits(`document.querySelectorAll("#transcript article[data-role=assistant]").length === 2`)

	b.press("Control+z")
	if left := b.written(); left != "" {
		t.Errorf("undo after a send brings back %q", left)
	}
	if !get(b, chromedp.Evaluate[bool](`window.sameDocument === true`)) {
		t.Error("a document was loaded")
	}
	w := b.watched()
	if len(w.Sent) != 2 || len(w.Requests) != 2 {
		t.Fatalf("%+v", w)
	}
	for i, sent := range w.Sent {
		r := w.Requests[i]
		if sent.Left != "" || len(sent.IDs) != 1 || r.ID != sent.IDs[0] || r.Rows != 1 || r.Left != "" {
			t.Errorf("Enter left %+v, the request found %+v", sent, r)
		}
	}
	said := messagesIn(events)
	if len(said) != 2 || said[0].RPCID != first.message().RequestID || said[0].RPCID != w.Sent[0].IDs[0] || said[1].RPCID != second.message().RequestID {
		t.Errorf("the log has %+v", said)
	}
	s.interrupt()
}

// messagesIn are a log's messages of persons.
func messagesIn(events []event) []event {
	return slices.DeleteFunc(slices.Clone(events), func(e event) bool { return e.Kind != "user/message" })
}

func contents(events []event) []string {
	var all []string
	for _, e := range messagesIn(events) {
		all = append(all, e.Content)
	}
	return all
}

// Two sends in one task arrive in their order; so does a burst.
func TestSendsInOneTaskArriveInOrder(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	p := proxied(s)
	c := s.client()
	b := openWatched(t)
	b.signIn(p.link())
	b.ready()
	b.say("/slow 600")
	b.waitsFor("/slow 600", "logged")
	var want []string
	var script strings.Builder
	script.WriteString(`const box = document.querySelector('#composer [role="textbox"]'); box.focus()
		const say = (text) => {
			const data = new DataTransfer
			data.setData("text/plain", text)
			box.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }))
			box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", keyCode: 13, bubbles: true, cancelable: true }))
		};`)
	for i := range 20 {
		want = append(want, fmt.Sprintf("message %d", i))
		fmt.Fprintf(&script, "say(%q);", want[i])
	}
	b.run(script.String())
	b.waits(`document.querySelectorAll("#queue [data-state=queued]").length === 20`)
	session := b.sessionOf()
	c.must("POST", "/sessions/"+session+"/stop", nil, nil)
	events := c.until(session, "all messages", func(events []event) bool { return len(messagesIn(events)) == 21 })
	if got := contents(events)[1:]; !slices.Equal(got, want) {
		t.Errorf("the log has %q", got)
	}
	b.waits(`document.querySelectorAll("#transcript [data-state=logged]").length === 21`)
	b.watched()
	s.interrupt()
}

// draft stores what a fresh page has in its message box.
func (c *client) draft(session, text string, tags ...map[string]any) {
	c.Helper()
	path := "/draft"
	if session != "" {
		path = "/sessions/" + session + path
	}
	c.must("PUT", path, map[string]any{"text": text, "tags": append([]map[string]any{}, tags...)}, nil)
}

func fileTag(name string, start int) map[string]any {
	return map[string]any{"id": name, "kind": "file", "value": name, "serialized": "@" + name, "start": start, "end": start + len(name) + 1}
}

// begin begins a session without a message.
func (c *client) begin() string {
	c.Helper()
	var opened struct{ ID string }
	c.must("POST", "/sessions", map[string]any{"title": "test"}, &opened)
	return opened.ID
}

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
	b.do(chromedp.Focus(chromedp.CSS(messageBox)))
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
	b.act(text, "retry")
	again := sending.next()
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
	c.must("POST", "/sessions/"+session+"/messages", map[string]any{"requestId": first.message().RequestID, "text": "another"}, nil)
	p.stopStreams(true)
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
		b.do(chromedp.Focus(chromedp.CSS(messageBox)))
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

// The same message from two connections, five times at once, is one message.
func TestTheSameMessageFiveTimesAtOnce(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	session := c.begin()
	id := uuid.NewString()
	statuses := make([]int, 5)
	var all sync.WaitGroup
	for i := range statuses {
		all.Go(func() {
			var err error
			statuses[i], err = c.do(t.Context(), "POST", "/sessions/"+session+"/messages", map[string]any{"requestId": id, "text": "once"}, nil)
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	slices.Sort(statuses)
	if !slices.Equal(statuses, []int{200, 200, 200, 200, 201}) {
		t.Errorf("answered %v", statuses)
	}
	if status, _ := c.do(t.Context(), "POST", "/sessions/"+session+"/messages", map[string]any{"requestId": id, "text": "other"}, nil); status != http.StatusConflict {
		t.Errorf("the id with another text: %d", status)
	}
	if got := contents(c.until(session, "the turn's end", ended(1))); !slices.Equal(got, []string{"once"}) {
		t.Errorf("the log has %q", got)
	}
	s.interrupt()
}
