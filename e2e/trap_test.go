package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// match tells the requests that a trap is for.
type match func(*http.Request) bool

// posts are requests that send a message, to a session or to begin one.
func posts(r *http.Request) bool {
	return r.Method == http.MethodPost && (strings.HasSuffix(r.URL.Path, "/messages") || strings.HasSuffix(r.URL.Path, "/sessions"))
}

// drafts are requests that store a draft.
func drafts(r *http.Request) bool {
	return r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/draft")
}

// trap catches requests before they reach the server.
type trap struct {
	proxy  *proxy
	match  match
	caught chan *exchange
	opened chan struct{}
}

// catch sets a trap. Every request that matches waits to be decided on, until
// the trap is opened.
func (p *proxy) catch(m match) *trap {
	t := &trap{proxy: p, match: m, caught: make(chan *exchange), opened: make(chan struct{})}
	p.mu.Lock()
	p.traps = append(p.traps, t)
	p.mu.Unlock()
	return t
}

func (p *proxy) trapOf(r *http.Request) *trap {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.traps {
		if t.match(r) {
			return t
		}
	}
	return nil
}

// next is the next request that was caught.
func (t *trap) next() *exchange {
	t.proxy.Helper()
	select {
	case x := <-t.caught:
		return x
	case <-time.After(time.Minute):
		t.proxy.Fatal("no request came to be caught")
		return nil
	}
}

// open lets requests through from now on; those that were caught still wait.
func (t *trap) open() {
	t.proxy.mu.Lock()
	defer t.proxy.mu.Unlock()
	for i, other := range t.proxy.traps {
		if other == t {
			t.proxy.traps = append(t.proxy.traps[:i:i], t.proxy.traps[i+1:]...)
			close(t.opened)
			return
		}
	}
}

// exchange is a request that was caught, to be decided on once.
type exchange struct {
	proxy   *proxy
	request *http.Request
	body    []byte
	verdict chan *answer
}

// wait holds the browser's connection until it is decided what comes of it.
func (x *exchange) wait(w http.ResponseWriter) {
	select {
	case a := <-x.verdict:
		if a == nil {
			panic(http.ErrAbortHandler)
		}
		a.write(w)
	case <-x.request.Context().Done():
		panic(http.ErrAbortHandler)
	}
}

// message is the body of a request that sends one.
func (x *exchange) message() sentMessage {
	x.proxy.Helper()
	var m sentMessage
	if err := json.Unmarshal(x.body, &m); err != nil {
		x.proxy.Fatalf("%s: %v", x.body, err)
	}
	return m
}

// sentMessage is a submission on the wire.
type sentMessage struct {
	RequestID string `json:"requestId"`
	Text      string
	Tags      []map[string]any
}

// arrive has the server answer, and the answer wait. Called again, the server
// gets the request again.
func (x *exchange) arrive() *answer {
	x.proxy.Helper()
	a, err := x.proxy.forward(context.WithoutCancel(x.request.Context()), x.request, x.body)
	if err != nil {
		x.proxy.Fatal(err)
	}
	return a
}

// pass has the server answer, and hands the answer on.
func (x *exchange) pass() *answer {
	x.proxy.Helper()
	a := x.arrive()
	x.give(a)
	return a
}

// give hands an answer to the browser.
func (x *exchange) give(a *answer) { x.verdict <- a }

// lose cuts the connection without an answer.
func (x *exchange) lose() { x.verdict <- nil }

// badGateway is the answer of a proxy that does not reach its server.
func (x *exchange) badGateway() {
	x.give(&answer{http.StatusBadGateway, http.Header{"Content-Type": {"text/html"}}, []byte("<h1>502 Bad Gateway</h1>")})
}

// refuse is an answer of our server's, with its error body.
func (x *exchange) refuse(status int, code, message string) {
	body := fmt.Sprintf(`{"error":{"code":%q,"message":%q}}`, code, message)
	x.give(&answer{status, http.Header{"Content-Type": {"application/json; charset=utf-8"}}, []byte(body)})
}
