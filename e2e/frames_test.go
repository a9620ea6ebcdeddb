package e2e

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// From Enter until it has settled a message is shown exactly once, in every
// frame: whatever becomes of its requests and answers, with the stream ahead of
// them and behind, where it is said at once and where it waits in the queue.
func TestAMessageIsShownOnceInEveryFrame(t *testing.T) {
	t.Parallel()
	t.Run("said at once", func(t *testing.T) {
		t.Parallel()
		weather(t, 60, func(b *tab, c *client, session string, i int) {
			b.settled(i + 1)
			c.must("POST", "/sessions/"+session+"/stop", nil, nil)
			b.waits(`!document.getElementById("run-line").hasAttribute("data-running")`)
		})
	})
	t.Run("queued", func(t *testing.T) {
		t.Parallel()
		weather(t, 140, func(b *tab, c *client, session string, i int) {
			if i == 0 {
				b.settled(1) // the first one's turn runs until all are sent
			}
		})
	})
}

// settled waits until so many messages have the server's own rows.
func (b *tab) settled(n int) {
	b.Helper()
	settled := fmt.Sprintf(`document.querySelectorAll("article[data-request-id]:not(:has(> .row-actions))").length === %d`, n)
	if _, err := chromedp.Run(b.ctx, chromedp.Poll[bool](settled, chromedp.WithPollingTimeout(3*time.Minute))); err != nil {
		b.Fatalf("%d messages did not settle: %v, %+v", n, err, b.rows())
	}
}

// weather sends so many messages through a network that loses, doubles, delays
// and overtakes, with after called after each.
func weather(t *testing.T, n int, after func(b *tab, c *client, session string, i int)) {
	s := serve(t, dataDir(t))
	p := proxied(s)
	c := s.client()
	session := c.begin()
	b := openWatched(t)
	b.signIn(p.link())
	b.do(chromedp.Navigate(p.url + "/sessions/" + session))
	b.ready()
	stop := p.storm(rand.New(rand.NewPCG(1, uint64(n))))
	var want []string
	for i := range n {
		text := fmt.Sprintf("message %d", i)
		if i == 0 {
			text = "/slow 600"
		}
		want = append(want, text)
		b.say(text)
		after(b, c, session, i)
	}
	b.settled(n)
	stop()
	// Each turn that is stopped lets the next message out of the queue.
	logged := `document.querySelectorAll("#transcript [data-state=logged]").length`
	for get(b, chromedp.Evaluate[int](logged)) < n {
		c.skip(session)
	}
	w := b.watched()
	if len(w.Followed) != n {
		t.Errorf("%d messages were followed, want %d", len(w.Followed), n)
	}
	for _, sent := range w.Sent {
		if len(sent.IDs) != 1 || sent.Left != "" {
			t.Errorf("Enter left %+v", sent)
		}
	}
	got := contents(c.events(session))
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%d messages arrived: %q", len(got), got)
	}
	t.Logf("%d messages in %d requests, looked at in %d frames", n, len(w.Requests), w.Frames)
	s.interrupt()
}

// storm decides what becomes of each request that sends a message, and stops
// and cuts the streams now and then, until the function it returns is called.
func (p *proxy) storm(random *rand.Rand) (stop func()) {
	sending := p.catch(posts)
	over := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case x := <-sending.caught:
				x.strike(random)
			case <-over:
				return
			}
		}
	}()
	return func() {
		sending.open()
		close(over)
		<-ended
		p.stopStreams(false)
	}
}

// strike is one request's fate.
func (x *exchange) strike(random *rand.Rand) {
	p := x.proxy
	late := time.Duration(random.IntN(150)) * time.Millisecond
	behind, cut := random.IntN(3) == 0, random.IntN(8) == 0
	p.stopStreams(behind) // what streams now comes after the answer
	switch random.IntN(8) {
	case 0:
		x.arrive()
		x.lose()
	case 1:
		x.lose()
	case 2:
		x.badGateway()
	case 3:
		x.arrive()
		x.give(x.arrive())
	case 4:
		x.arrive()
		x.badGateway()
	case 5:
		x.pass()
	default:
		a := x.arrive()
		time.AfterFunc(late, func() { x.give(a) })
	}
	if cut {
		p.cutStreams()
	}
	if behind {
		time.AfterFunc(late, func() { p.stopStreams(false) })
	}
}
