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
	if rows := b.rows(); len(rows) != 1 || rows[0].Words != "Sending" || rows[0].In != "transcript" {
		t.Errorf("on its way: %+v", rows)
	}
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
	c.skip(session)
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
