package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"webshell/e2e/stage"
)

// patience bounds one load.
const patience = time.Minute

// signIn presses the button of a sign-in link's page, as a browser without a
// window, and gives the cookies.
func signIn(ctx context.Context, link string) ([]*http.Cookie, error) {
	u, err := url.Parse(link)
	if err != nil {
		return nil, err
	}
	form := url.Values{"token": {u.Query().Get("token")}}
	u.RawQuery = ""
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	res.Body.Close()
	if len(res.Cookies()) == 0 {
		return nil, fmt.Errorf("signing in gave no cookie: %s", res.Status)
	}
	return res.Cookies(), nil
}

// measure loads a page once, in a browser that has never seen it.
func measure(ctx context.Context, address string, cookies []*http.Cookie) (l load, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	dir, err := os.MkdirTemp("", "webshell-pageload-")
	if err != nil {
		return l, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	tab, closeBrowser, err := openBrowser(ctx, filepath.Join(dir, "browser"))
	if err != nil {
		return l, err
	}
	defer closeBrowser()
	if err := prepare(tab, address, cookies); err != nil {
		return l, err
	}
	traffic, err := watch(tab)
	if err != nil {
		return l, err
	}
	loaded := make(chan error, 1)
	go func() { loaded <- chromedp.Do(tab, chromedp.Navigate(address)) }()
	if l.typed, err = typeUntilThere(tab); err != nil {
		return l, err
	}
	if err := <-loaded; err != nil {
		return l, err
	}
	<-time.After(2500 * time.Millisecond) // what pages load behind their first paint
	if l.paint, err = moment(tab, `performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0`); err != nil {
		return l, err
	}
	if l.paint == 0 {
		return l, errors.New("nothing was painted")
	}
	l.early, l.bytes, l.asked = traffic.sums()
	return l, nil
}

// moment is a time since the navigation's start, in milliseconds in the page.
func moment(tab context.Context, expression string) (time.Duration, error) {
	ms, err := chromedp.Run(tab, chromedp.Evaluate[float64](expression))
	return time.Duration(ms * float64(time.Millisecond)), err
}

func openBrowser(ctx context.Context, profile string) (context.Context, context.CancelFunc, error) {
	options, err := stage.BrowserOptions(profile)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := chromedp.NewExecAllocator(ctx, options...)
	tab, _ := chromedp.NewContext(ctx)
	return tab, cancel, chromedp.Do(tab, chromedp.Navigate("about:blank"))
}

// prepare signs the browser in and makes its line slow.
func prepare(tab context.Context, address string, cookies []*http.Cookie) error {
	for _, c := range cookies {
		set := network.SetCookieParams{Name: c.Name, Value: c.Value, URL: address, Path: c.Path, Secure: &c.Secure, HTTPOnly: &c.HttpOnly}
		if _, err := chromedp.Call(tab, network.SetCookie, set); err != nil {
			return err
		}
	}
	speed := *mbps * 1e6 / 8
	line := &network.Conditions{Latency: float64(rtt.Milliseconds()), DownloadThroughput: speed, UploadThroughput: speed}
	_, err := chromedp.Call(tab, throttle, rules{Lines: []*network.Conditions{line}})
	return err
}

// rules are the command's parameters. Some releases of the browser want offline
// among them, which the protocol's description does not have.
type rules struct {
	Offline bool                  `json:"offline"`
	Lines   []*network.Conditions `json:"matchedNetworkConditions"`
}

var throttle = cdp.Command[rules, cdp.Empty]{Method: network.CommandEmulateNetworkConditionsByRule}

// typeUntilThere presses a key in the message box as soon as there is one, again
// and again until it stands there, and gives the time when it did.
func typeUntilThere(tab context.Context) (time.Duration, error) {
	// The letter is not in the words of an empty box.
	const look = `(() => {
		const box = document.querySelector("#composer [role=textbox], #composer textarea");
		if (!box) return 0;
		if ((box.value ?? box.textContent).includes("q")) return performance.now();
		box.focus();
		return -1;
	})()`
	for tab.Err() == nil {
		switch at := ask(tab, look); {
		case at > 0:
			return at, nil
		case at < 0:
			press(tab)
		}
		<-time.After(10 * time.Millisecond)
	}
	return 0, context.Cause(tab)
}

// ask is moment while the page may be on its way: then there is nothing to ask,
// and now and then no answer.
func ask(tab context.Context, expression string) time.Duration {
	soon, cancel := context.WithTimeout(tab, time.Second)
	defer cancel()
	at, err := moment(soon, expression)
	if err != nil {
		return 0
	}
	return at
}

func press(tab context.Context) {
	soon, cancel := context.WithTimeout(tab, time.Second)
	defer cancel()
	key := input.DispatchKeyEventParams{Key: "q", Code: "KeyQ", Text: "q", WindowsVirtualKeyCode: 81}
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
		key.Type = kind
		// What does not arrive is pressed again.
		_, _ = chromedp.Call(soon, input.DispatchKeyEvent, key)
	}
}

// traffic is what a tab asked for and got.
type traffic struct {
	mu    sync.Mutex
	kinds map[network.RequestID]network.ResourceType
	bytes map[network.RequestID]int
}

func watch(tab context.Context) (*traffic, error) {
	t := &traffic{kinds: map[network.RequestID]network.ResourceType{}, bytes: map[network.RequestID]int{}}
	if _, err := chromedp.Call(tab, network.Enable, network.EnableParams{}); err != nil {
		return nil, err
	}
	return t, chromedp.Listen(tab, func(ev any) {
		t.mu.Lock()
		defer t.mu.Unlock()
		switch e := ev.(type) {
		case *network.EventRequestWillBeSent:
			if strings.HasPrefix(e.Request.URL, "http") {
				t.kinds[e.RequestID] = e.Type
			}
		case *network.EventDataReceived: // of a stream that goes on
			t.bytes[e.RequestID] += int(e.EncodedDataLength)
		case *network.EventLoadingFinished:
			t.bytes[e.RequestID] = int(e.EncodedDataLength)
		}
	})
}

func (t *traffic) sums() (early, all, asked int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, kind := range t.kinds {
		all += t.bytes[id]
		if kind == network.ResourceTypeDocument || kind == network.ResourceTypeStylesheet {
			early += t.bytes[id]
		}
	}
	return early, all, len(t.kinds)
}
