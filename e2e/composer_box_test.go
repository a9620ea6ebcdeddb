package e2e

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// box is the message box of a session's page.
type box struct {
	*tab
	program *server
	client  *client
	session string
}

// openBox signs a browser in at a program of its own.
func openBox(t *testing.T) *box {
	t.Helper()
	s := serve(t, dataDir(t))
	b := openBrowserFor(t, 8*time.Minute)
	b.signIn(s.link)
	return &box{tab: b, program: s, client: s.client()}
}

// in is the same box for another test.
func (b *box) in(t *testing.T) *box {
	c := *b.client
	c.T = t
	return &box{tab: &tab{t, b.ctx}, program: b.program, client: &c}
}

// plain opens a new session whose draft is d, with the editor's script held
// back: the box is the textarea. The function it returns lets the script come.
func (b *box) plain(d draft) (release func()) {
	b.Helper()
	b.uncached(true)
	hold := fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*/editor*.js"}}}
	if _, err := chromedp.Call(b.ctx, fetch.Enable, hold); err != nil {
		b.Fatal(err)
	}
	b.show(d)
	return func() {
		if _, err := chromedp.Call(b.ctx, fetch.Disable, cdp.Empty{}); err != nil { // what was held goes on
			b.Fatal(err)
		}
		b.uncached(false)
	}
}

func (b *box) uncached(on bool) {
	b.Helper()
	if _, err := chromedp.Call(b.ctx, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: on}); err != nil {
		b.Fatal(err)
	}
}

// rich opens a new session whose draft is d, and waits for the rich box. The
// caret is at the end.
func (b *box) rich(d draft) {
	b.Helper()
	b.show(d)
	b.untilRich()
}

func (b *box) untilRich() {
	b.Helper()
	b.waits(`document.querySelector("#message.cm-content") !== null`)
	b.focus("#message")
}

// show opens a new session whose draft is d.
func (b *box) show(d draft) {
	b.Helper()
	if d.Tags == nil {
		d.Tags = []tag{}
	}
	var session struct{ ID string }
	b.client.must("POST", "/sessions", map[string]any{}, &session)
	b.session = session.ID
	b.client.must("PUT", "/sessions/"+b.session+"/draft", d, nil)
	b.do(chromedp.Navigate(b.program.url + "/sessions/" + url.PathEscape(b.session)))
	b.focus("#message")
}

// draft is what the form says.
func (b *box) draft() draft {
	b.Helper()
	return get(b.tab, chromedp.Evaluate[draft](`(() => {
		const data = new FormData(document.querySelector("#composer"))
		return { text: data.get("text"), tags: JSON.parse(data.get("tags") || "[]") }
	})()`))
}

// holds checks what the form says, chips included.
func (b *box) holds(want draft) {
	b.Helper()
	if got := b.draft(); asJSON(got) != asJSON(want) {
		b.Errorf("the box holds\n%s, want\n%s", inShort(got), inShort(want))
	}
}

// logged waits for n messages of the person's in the log, and gives them as
// drafts.
func (b *box) logged(n int) []draft {
	b.Helper()
	events := b.client.until(b.session, "the message in the log", func(events []event) bool { return count(events, "user/message") >= n })
	var all []draft
	for _, e := range events {
		if e.Kind == "user/message" {
			all = append(all, draftOf(b.T, e))
		}
	}
	return all
}

// sends presses keys that send, and checks that exactly want is in the log.
func (b *box) sends(want draft, keys ...string) {
	b.Helper()
	before := len(b.logged(0))
	b.press(keys...)
	all := b.logged(before + 1)
	if got := all[len(all)-1]; asJSON(got) != asJSON(want) {
		b.Errorf("the log has\n%s, want\n%s", inShort(got), inShort(want))
	}
	if left := b.draft(); left.Text != "" || len(left.Tags) > 0 {
		b.Errorf("the box still holds %s", inShort(left))
	}
}

// notSent checks that nothing was sent: what the box holds is there still, and
// no row has come.
func (b *box) notSent(want draft) {
	b.Helper()
	b.holds(want)
	if n := b.count(`article[data-role="user"]`); n > 0 {
		b.Errorf("%d messages were sent", n)
	}
}

// keeps waits until the server keeps a draft with the text.
func (b *box) keeps(text string) {
	b.Helper()
	deadline := time.Now().Add(time.Minute)
	for !strings.Contains(b.page(), text) {
		if time.Now().After(deadline) {
			b.Fatalf("the draft %q was not stored", text)
		}
		<-time.After(50 * time.Millisecond)
	}
}

// page is the session's page as the server writes it.
func (b *box) page() string {
	b.Helper()
	req, err := http.NewRequestWithContext(b.Context(), "GET", b.program.url+"/sessions/"+b.session, nil)
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+b.client.token)
	req.Header.Set("Accept", "text/html")
	res, err := b.client.http.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer res.Body.Close()
	html, err := io.ReadAll(res.Body)
	if err != nil {
		b.Fatal(err)
	}
	return string(html)
}

// shown counts what is drawn in the box.
func (b *box) shown(selector string) int {
	b.Helper()
	return b.count("#message " + selector)
}
