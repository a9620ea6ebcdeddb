package e2e

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/google/uuid"

	"webshell/e2e/stage"
)

// tab is a tab of a browser of its own. What it writes to the console as an
// error fails the test.
type tab struct {
	*testing.T
	ctx context.Context
}

// openBrowser starts a browser; hosts are names that lead to loopback.
func openBrowser(t *testing.T, hosts ...string) *tab {
	t.Helper()
	return openBrowserFor(t, 5*time.Minute, hosts...)
}

// openBrowserFor starts a browser that has to be done within a time.
func openBrowserFor(t *testing.T, limit time.Duration, hosts ...string) *tab {
	t.Helper()
	rules := make([]string, 0, len(hosts))
	for _, host := range hosts {
		rules = append(rules, "MAP "+host+" 127.0.0.1")
	}
	options, err := stage.BrowserOptions(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	options = append(options,
		// A tab that is not in front works like the one that is.
		chromedp.Flag("disable-background-timer-throttling", true), chromedp.Flag("disable-renderer-backgrounding", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true),
		chromedp.Flag("host-resolver-rules", strings.Join(rules, ",")),
	)
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, limit)
	t.Cleanup(cancel)
	return newTab(t, ctx)
}

// openBrowserWithoutScript is the browser of a person who has turned script off.
func openBrowserWithoutScript(t *testing.T) *tab {
	t.Helper()
	b := openBrowser(t)
	if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	return b
}

// tabs are the open ones of each test.
var tabs struct {
	sync.Mutex
	of map[*testing.T][]*tab
}

// leavePages closes the pages of a test before its server ends: on their
// consoles that would be an error.
func leavePages(t *testing.T) {
	t.Helper()
	tabs.Lock()
	open := slices.Clone(tabs.of[t])
	tabs.Unlock()
	for _, b := range open {
		b.leave()
	}
}

func (b *tab) register() {
	tabs.Lock()
	defer tabs.Unlock()
	if tabs.of == nil {
		tabs.of = map[*testing.T][]*tab{}
	}
	if len(tabs.of[b.T]) == 0 {
		b.Cleanup(func() {
			tabs.Lock()
			defer tabs.Unlock()
			delete(tabs.of, b.T)
		})
	}
	tabs.of[b.T] = append(tabs.of[b.T], b)
}

// leave closes the page.
func (b *tab) leave() {
	b.Helper()
	b.do(chromedp.Navigate("about:blank"))
}

func newTab(t *testing.T, parent context.Context) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(parent)
	b := &tab{t, ctx}
	b.register()
	b.do(chromedp.Navigate("about:blank")) // the tab is there from now on
	var watching sync.WaitGroup
	messages := chromedp.Console(ctx)
	watching.Go(func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleException || m.Type == chromedp.ConsoleWarning {
				t.Errorf("the console says %s: %s (%s)", m.Type, m.Text, m.URL)
			}
		}
	})
	t.Cleanup(func() {
		cancel()
		watching.Wait()
	})
	return b
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.Fatal(err)
	}
}

func get[T any](b *tab, a chromedp.Action[T]) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, a)
	if err != nil {
		b.Fatal(err)
	}
	return v
}

// signIn opens the server's link and presses its button.
func (b *tab) signIn(link string) {
	b.Helper()
	b.do(chromedp.Navigate(link), chromedp.Click(chromedp.CSS(`form[action$="/login"] button`)), chromedp.WaitVisible(chromedp.CSS("#composer")))
}

// write types a message and presses Send in a page without script, and waits for its bubble.
func (b *tab) write(text string, bubbles int) {
	b.Helper()
	b.do(
		chromedp.SendKeys(chromedp.CSS(`textarea[name="text"]`), text),
		chromedp.Click(chromedp.CSS(`button.send`)),
		chromedp.WaitVisible(chromedp.CSSAll(`#transcript article[data-role="user"]`), chromedp.AtLeast(bubbles)),
	)
	if got := b.count(`#transcript article[data-role="user"]`); got != bubbles {
		b.Errorf("%d bubbles after sending %q", got, text)
	}
}

func (b *tab) count(selector string) int {
	b.Helper()
	return len(get(b, chromedp.Nodes(chromedp.CSSAll(selector), chromedp.AtLeast(0))))
}

func TestThePagesWorkInChromiumWithoutScript(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	b := openBrowserWithoutScript(t)
	b.signIn(s.link)
	b.write("hello from Chromium", 1)
	at := get(b, chromedp.Location())
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	session := strings.TrimPrefix(u.Path, "/sessions/")
	events := c.until(session, "the turn's end", ended(1))
	if events[0].Content != "hello from Chromium" {
		t.Errorf("stored %q", events[0].Content)
	}
	b.do(chromedp.Reload())
	if answer := get(b, chromedp.TextContent(chromedp.CSS(`#transcript article[data-role="assistant"]`))); !strings.Contains(answer, "hello from Chromium") {
		t.Errorf("the answer reads %q", answer)
	}
	b.write("a second message", 2)
	c.until(session, "the second turn's end", ended(2))
	s.interrupt()
}

func TestAProgramsMessageShowsItsChips(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	m := newMessage(1, 2)
	var opened struct{ SessionID string }
	c.must("POST", "/sessions", map[string]any{"requestId": m.request, "text": m.text, "tags": m.tags}, &opened)
	c.until(opened.SessionID, "the turn's end", ended(1))
	b := openBrowser(t)
	b.signIn(s.link)
	b.do(chromedp.Navigate(s.url + "/sessions/" + opened.SessionID))
	chip := chromedp.CSS(`article[data-role="user"] .chip[data-kind="file"]`)
	b.do(chromedp.WaitVisible(chip))
	if got := get(b, chromedp.TextContent(chip)); got != "@file2" {
		t.Errorf("the chip covers %q", got)
	}
	const copied = `(() => { const r = document.createRange(); r.selectNodeContents(document.querySelector('article[data-role="user"] .message-content'));
		const s = getSelection(); s.removeAllRanges(); s.addRange(r); return s.toString() })()`
	if got := get(b, chromedp.Evaluate[string](copied)); got != m.text {
		t.Errorf("selecting the bubble gives %q, want %q", got, m.text)
	}
	s.interrupt()
}

// Over plain http under a name of its own there is no Sec-Fetch-Site and no
// Secure cookie; signing in and sending must work all the same.
func TestAHostNameOnPlainHTTP(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t), "WEBSHELL_HOSTS=box.test")
	b := openBrowser(t, "box.test")
	onBox := strings.Replace(s.link, "127.0.0.1", "box.test", 1)
	b.signIn(onBox)
	b.focus(messageBox)
	b.typeText("by name")
	b.press("Enter")
	b.do(chromedp.WaitVisible(chromedp.CSS(`#transcript article[data-role="user"]`)))
	if at := get(b, chromedp.Location()); !strings.HasPrefix(at, "http://box.test:") {
		t.Errorf("at %s", at)
	}
	s.interrupt()
}

// Without script, Refresh shows what has come since: also right after sending,
// when the page has the link's own place in its address.
func TestRefreshLoadsThePageAgain(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	b := openBrowserWithoutScript(t)
	b.signIn(s.link)
	b.write("/slow 600", 1)
	u, err := url.Parse(get(b, chromedp.Location()))
	if err != nil || u.Fragment != "end" {
		t.Fatalf("at %v, %v", u, err)
	}
	for i := range 2 {
		c.must("POST", u.Path+"/messages", map[string]any{"requestId": uuid.NewString(), "text": "waits"}, nil)
		b.do(
			chromedp.Click(chromedp.CSS(`#run-line a[href$="#end"]`)),
			chromedp.WaitReady(chromedp.CSSAll(`[data-queue-row]`), chromedp.AtLeast(i+1)),
		)
	}
	s.interrupt()
}
