package stage

import (
	"context"
	"net/url"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// Reply is what a state's requests get in place of the server's answer.
type Reply struct {
	Path   string // ends the request's path
	Status int    // 0 breaks the connection
	Body   string // JSON
	Held   bool   // no answer at all
	Late   bool   // no answer before the step Answer
}

// drafts are never saved: what one state types is not in the next one's box.
var drafts = Reply{Path: "/draft", Status: 204}

// desk answers a tab's requests.
type desk struct {
	ctx     context.Context
	replies []Reply
	late    chan struct{}
	once    sync.Once
}

type deskKey struct{}

// Answer lets late replies out.
var Answer = chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
	d := ctx.Value(deskKey{}).(*desk)
	d.once.Do(func() { close(d.late) })
	return nil
})

// openDesk answers requests for the replies' paths from now on, until closed.
func openDesk(ctx context.Context, replies []Reply) (context.Context, func() error, error) {
	listening, cancel := context.WithCancel(ctx)
	d := &desk{ctx: ctx, replies: append([]Reply{drafts}, replies...), late: make(chan struct{})}
	err := chromedp.Listen(listening, func(ev any) {
		if paused, ok := ev.(*fetch.EventRequestPaused); ok {
			go d.answer(listening, paused)
		}
	})
	if err == nil {
		patterns := make([]*fetch.RequestPattern, len(d.replies))
		for i, r := range d.replies {
			patterns[i] = &fetch.RequestPattern{URLPattern: "*" + r.Path + "*"}
		}
		_, err = chromedp.Call(ctx, fetch.Enable, fetch.EnableParams{Patterns: patterns})
	}
	leave := func() error {
		defer cancel()
		// A held request goes with its page, and not to the server after all.
		if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
			return err
		}
		_, err := chromedp.Call(ctx, fetch.Disable, cdp.Empty{})
		return err
	}
	return context.WithValue(ctx, deskKey{}, d), leave, err
}

// answer ends when the tab is left: what fails then is of no interest.
func (d *desk) answer(ctx context.Context, e *fetch.EventRequestPaused) {
	r, ok := d.reply(e.Request.URL)
	switch {
	case !ok:
		_, _ = chromedp.Call(ctx, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: e.RequestID})
		return
	case r.Held:
		return
	case r.Late:
		select {
		case <-d.late:
		case <-ctx.Done():
			return
		}
	}
	if r.Status == 0 {
		_, _ = chromedp.Call(ctx, fetch.FailRequest, fetch.FailRequestParams{RequestID: e.RequestID, ErrorReason: network.ErrorReasonConnectionFailed})
		return
	}
	_, _ = chromedp.Call(ctx, fetch.FulfillRequest, fetch.FulfillRequestParams{
		RequestID: e.RequestID, ResponseCode: int64(r.Status), Body: []byte(r.Body),
		ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: "application/json"}},
	})
}

func (d *desk) reply(address string) (Reply, bool) {
	u, err := url.Parse(address)
	if err != nil {
		return Reply{}, false
	}
	for _, r := range d.replies {
		if strings.HasSuffix(u.Path, r.Path) {
			return r, true
		}
	}
	return Reply{}, false
}
