package e2e

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// proxy stands between browser and server and does what networks do: it holds
// requests and answers, loses and doubles them, answers in the server's place,
// and cuts, delays or stops what streams.
type proxy struct {
	*testing.T
	url    string
	server *server
	http   http.Transport

	mu      sync.Mutex
	traps   []*trap
	streams map[*passing]bool
	stopped chan struct{} // streams stand still until it is closed; nil: they flow
	down    bool
}

// passing is a stream that passes through.
type passing struct{ cut context.CancelFunc }

// proxied puts a proxy before a server. Browsers use p.url and p.link().
func proxied(s *server) *proxy {
	s.Helper()
	p := &proxy{T: s.T, server: s, streams: make(map[*passing]bool)}
	p.http.DisableKeepAlives = true
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.Fatal(err)
	}
	p.url = "http://" + listener.Addr().String()
	// Without connections that are used again no browser sends anything twice
	// by itself.
	front := &http.Server{Handler: p}
	front.SetKeepAlivesEnabled(false)
	go front.Serve(listener)
	s.Cleanup(func() { front.Close() })
	return p
}

// link is the server's sign-in link, through the proxy.
func (p *proxy) link() string { return strings.Replace(p.server.link, p.server.url, p.url, 1) }

// ServeHTTP implements http.Handler.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if p.isDown() {
		panic(http.ErrAbortHandler)
	}
	t := p.trapOf(r)
	switch {
	case t != nil:
		x := &exchange{proxy: p, request: r, body: body, verdict: make(chan *answer, 1)}
		select {
		case t.caught <- x:
			x.wait(w)
		case <-t.opened:
			p.through(w, r, body)
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		}
	case strings.HasSuffix(r.URL.Path, "/stream"):
		p.stream(w, r)
	default:
		p.through(w, r, body)
	}
}

func (p *proxy) through(w http.ResponseWriter, r *http.Request, body []byte) {
	a, err := p.forward(r.Context(), r, body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	a.write(w)
}

// answer is what goes back to the browser.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a *answer) write(w http.ResponseWriter) {
	for name, values := range a.header {
		w.Header()[name] = values
	}
	w.WriteHeader(a.status)
	w.Write(a.body)
}

// forward asks the server.
func (p *proxy) forward(ctx context.Context, r *http.Request, body []byte) (*answer, error) {
	res, err := p.send(ctx, r, body)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	header := res.Header.Clone()
	header.Del("Content-Length")
	return &answer{res.StatusCode, header, raw}, nil
}

func (p *proxy) send(ctx context.Context, r *http.Request, body []byte) (*http.Response, error) {
	out := r.Clone(ctx)
	out.URL.Scheme, out.URL.Host = "http", strings.TrimPrefix(p.server.url, "http://")
	out.RequestURI = ""
	out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	out.Header.Del("Connection")
	return p.http.RoundTrip(out)
}

// stream passes a stream through as it comes.
func (p *proxy) stream(w http.ResponseWriter, r *http.Request) {
	ctx, cut := context.WithCancel(r.Context())
	defer cut()
	s := &passing{cut}
	p.mu.Lock()
	p.streams[s] = true
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		delete(p.streams, s)
		p.mu.Unlock()
	}()
	res, err := p.send(ctx, r, nil)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer res.Body.Close()
	for name, values := range res.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(res.StatusCode)
	piece := make([]byte, 32<<10)
	for {
		n, err := res.Body.Read(piece)
		if !p.flows(ctx) {
			panic(http.ErrAbortHandler)
		}
		w.Write(piece[:n])
		http.NewResponseController(w).Flush()
		if err == io.EOF {
			return
		}
		if err != nil {
			panic(http.ErrAbortHandler)
		}
	}
}

// flows waits while streams stand still; false: this one was cut.
func (p *proxy) flows(ctx context.Context) bool {
	for {
		p.mu.Lock()
		stopped := p.stopped
		p.mu.Unlock()
		if stopped == nil {
			return ctx.Err() == nil
		}
		select {
		case <-stopped:
		case <-ctx.Done():
			return false
		}
	}
}

// stopStreams lets nothing more of any stream through until it is called
// with false.
func (p *proxy) stopStreams(stop bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case stop && p.stopped == nil:
		p.stopped = make(chan struct{})
	case !stop && p.stopped != nil:
		close(p.stopped)
		p.stopped = nil
	}
}

// cutStreams ends every stream in mid-air.
func (p *proxy) cutStreams() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for s := range p.streams {
		s.cut()
	}
}

// goDown cuts everything and answers nothing until it is called with false.
func (p *proxy) goDown(down bool) {
	p.mu.Lock()
	p.down = down
	p.mu.Unlock()
	if down {
		p.cutStreams()
	}
}

func (p *proxy) isDown() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.down
}
