package handlers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"webshell/handlers"
	"webshell/internal/agent/demo"
	"webshell/internal/bus"
	"webshell/internal/config"
	"webshell/internal/turn"
	"webshell/internal/workspace"
	"webshell/store"
	"webshell/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// site is a running server with a database of its own.
type site struct {
	*testing.T
	server *httptest.Server
	store  *store.Store
	owner  store.Viewer
	token  string
	dbURL  string
	bus    *bus.Bus
	log    *lockedBuffer
	shared string // the session that session() gives
	runner func() // starts the turn runner; turns wait until then
}

func newSite(t *testing.T, change ...func(*handlers.Options)) *site {
	t.Helper()
	s := &site{T: t, dbURL: storetest.URL(t), bus: new(bus.Bus), log: new(lockedBuffer)}
	s.store, s.owner = storetest.Open(t, s.dbURL, store.Options{Wake: s.bus.Wake})
	folder, err := workspace.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	agents := map[string]turn.Backend{"demo": demo.New(folder)}
	s.server = httptest.NewUnstartedServer(nil)
	instance, err := s.store.InstanceID(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o := handlers.Options{
		Store: s.store, Bus: s.bus, Instance: instance, Agents: agents, Agent: "demo",
		Config:   config.Config{Addr: s.server.Listener.Addr().String()},
		Log:      slog.New(slog.NewTextHandler(s.log, nil)),
		Registry: prometheus.NewRegistry(),
	}
	for _, f := range change {
		f(&o)
	}
	h, err := handlers.New(o)
	if err != nil {
		t.Fatal(err)
	}
	s.server.Config.Handler = h
	s.server.Start()
	t.Cleanup(func() {
		h.Close()
		s.server.Close()
	})
	if s.token, err = s.store.NewToken(t.Context(), s.owner, "test"); err != nil {
		t.Fatal(err)
	}
	s.runner = func() {
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		r := turn.New(turn.Config{Log: s.store.TurnLog(), Backends: agents, Owner: "test", Subscribe: s.bus.Subscribe})
		go func() {
			defer close(done)
			r.Run(ctx)
		}()
		t.Cleanup(func() {
			cancel()
			<-done
		})
	}
	return s
}

func (s *site) logged() string { return s.log.String() }

// answer is a response, read.
type answer struct {
	*http.Response
	body string
}

// request builds a request with a bearer token; change may take it away.
func (s *site) request(method, path, contentType, body string, change ...func(*http.Request)) answer {
	s.Helper()
	req, err := http.NewRequest(method, s.server.URL+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	for _, f := range change {
		f(req)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return s.do(&client, req)
}

func (s *site) do(client *http.Client, req *http.Request) answer {
	s.Helper()
	res, err := client.Do(req)
	if err != nil {
		s.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		s.Fatal(err)
	}
	return answer{res, string(body)}
}

func acceptJSON(r *http.Request) { r.Header.Set("Accept", "application/json") }
func acceptHTML(r *http.Request) { r.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8") }
func anonymous(r *http.Request)  { r.Header.Del("Authorization") }

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// post sends JSON as a program does, and reads the JSON answer into out.
func (s *site) post(path string, body, out any) answer {
	s.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		s.Fatal(err)
	}
	return s.read(s.request("POST", path, "application/json", string(raw), acceptJSON), out)
}

func (s *site) get(path string, out any) answer {
	s.Helper()
	return s.read(s.request("GET", path, "", "", acceptJSON), out)
}

func (s *site) read(a answer, out any) answer {
	s.Helper()
	if out != nil {
		if err := json.Unmarshal([]byte(a.body), out); err != nil {
			s.Fatalf("%d %s: %v", a.StatusCode, a.body, err)
		}
	}
	return a
}

// fault reads an error answer.
func (s *site) fault(a answer) (code, field string) {
	s.Helper()
	var e struct {
		Error struct{ Code, Message, Field string }
	}
	if err := json.Unmarshal([]byte(a.body), &e); err != nil {
		s.Fatalf("%d %s: %v", a.StatusCode, a.body, err)
	}
	if e.Error.Message == "" || strings.Contains(e.Error.Message, "error.") {
		s.Errorf("code %s has no words for people: %q", e.Error.Code, e.Error.Message)
	}
	return e.Error.Code, e.Error.Field
}

type receipt struct {
	SessionID   string          `json:"sessionId"`
	RequestID   string          `json:"requestId"`
	State       string          `json:"state"`
	Seq         int64           `json:"seq"`
	Content     string          `json:"content"`
	Annotations json.RawMessage `json:"annotations"`
}

// newSession makes an empty session.
func (s *site) newSession() string {
	s.Helper()
	var info struct{ ID string }
	if a := s.post("/sessions", map[string]any{}, &info); a.StatusCode != http.StatusCreated {
		s.Fatalf("%d %s", a.StatusCode, a.body)
	}
	return info.ID
}

// send submits a message.
func (s *site) send(session string, fields map[string]any) (receipt, answer) {
	s.Helper()
	if fields["requestId"] == nil {
		fields["requestId"] = uuid.NewString()
	}
	var r receipt
	a := s.post("/sessions/"+session+"/messages", fields, nil)
	if a.StatusCode < 300 {
		s.read(a, &r)
	}
	return r, a
}

type logged struct {
	Seq         int64
	Kind        string
	RPCID       string `json:"rpcId"`
	Content     *string
	Annotations json.RawMessage
	Body        json.RawMessage
	Source      json.RawMessage
}

func (s *site) events(session string) []logged {
	s.Helper()
	var out struct{ Events []logged }
	if a := s.get("/sessions/"+session+"/events", &out); a.StatusCode != http.StatusOK {
		s.Fatalf("%d %s", a.StatusCode, a.body)
	}
	return out.Events
}

// await reads the log until an event of a kind is there, woken by the bus.
func (s *site) await(session, kind string) logged {
	s.Helper()
	return s.awaitNth(session, kind, 1)
}

func (s *site) awaitNth(session, kind string, n int) logged {
	s.Helper()
	woken, cancel := s.bus.Subscribe(session)
	defer cancel()
	deadline := time.After(30 * time.Second)
	for {
		seen := 0
		for _, e := range s.events(session) {
			if e.Kind != kind {
				continue
			}
			if seen++; seen == n {
				return e
			}
		}
		select {
		case <-woken:
		case <-deadline:
			s.Fatalf("no %s came", kind)
		}
	}
}

// browser is a person's browser without script: it keeps cookies, follows
// redirects and sends what a browser sends.
type browser struct {
	*site
	client *http.Client
}

func (s *site) browser() browser {
	s.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.Fatal(err)
	}
	return browser{s, &http.Client{Jar: secureJar{jar}}}
}

// secureJar treats loopback as secure, as browsers do and net/http does not.
type secureJar struct{ http.CookieJar }

func (j secureJar) SetCookies(u *url.URL, c []*http.Cookie) { j.CookieJar.SetCookies(asHTTPS(u), c) }
func (j secureJar) Cookies(u *url.URL) []*http.Cookie       { return j.CookieJar.Cookies(asHTTPS(u)) }

func asHTTPS(u *url.URL) *url.URL {
	v := *u
	v.Scheme = "https"
	return &v
}

func (b browser) open(path string) answer {
	b.Helper()
	req, err := http.NewRequest("GET", b.server.URL+path, nil)
	if err != nil {
		b.Fatal(err)
	}
	acceptHTML(req)
	return b.do(b.client, req)
}

func (b browser) submit(path string, form url.Values) answer {
	b.Helper()
	req, err := http.NewRequest("POST", b.server.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.Fatal(err)
	}
	acceptHTML(req)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", b.server.URL)
	return b.do(b.client, req)
}

// signIn opens a sign-in link and presses its button.
func (b browser) signIn() {
	b.Helper()
	token, err := b.store.NewLoginLink(b.Context(), b.owner, time.Minute)
	if err != nil {
		b.Fatal(err)
	}
	if a := b.open("/login?token=" + token); a.StatusCode != http.StatusOK || !strings.Contains(a.body, token) {
		b.Fatalf("%d %s", a.StatusCode, a.body)
	}
	if a := b.submit("/login", url.Values{"token": {token}}); a.StatusCode != http.StatusOK || a.Request.URL.Path != "/" {
		b.Fatalf("%d at %s", a.StatusCode, a.Request.URL)
	}
}

func form(pairs ...string) url.Values {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return v
}

func (a answer) String() string { return fmt.Sprintf("%d %s", a.StatusCode, a.body) }
