package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"golang.org/x/net/html"

	"webshell/handlers"
)

func TestNothingIsReachableWithoutACredential(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	paths := []string{"/", "/sessions", "/sessions/" + id, "/sessions/" + id + "/events", "/sessions/" + id + "/stream", "/sessions/" + id + "/export", "/sessions/" + id + "/messages",
		"/sessions/" + id + "/stop", "/sessions/" + id + "/retry", "/sessions/" + id + "/permissions/p", "/sessions/" + id + "/draft",
		"/sessions/" + id + "/queue/" + uuid.NewString(), "/sessions/" + id + "/queue/order", "/sessions/" + id + "/queue/resume", "/preferences",
		"/draft", "/commands", "/mentions?q=a", "/status", "/metrics", "/logout", "/nothing/here", "/sessions/" + uuid.NewString()}
	bad := map[string]func(*http.Request){
		"none":         anonymous,
		"wrong token":  header("Authorization", "Bearer nope"),
		"empty token":  header("Authorization", "Bearer "),
		"basic":        header("Authorization", "Basic dTpw"),
		"wrong cookie": func(r *http.Request) { anonymous(r); r.Header.Set("Cookie", "__Host-ws-x=y; session=z") },
	}
	for name, credential := range bad {
		for _, path := range paths {
			for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
				a := s.request(method, path, "application/json", "{}", credential, acceptJSON)
				code, _ := s.fault(a)
				if a.StatusCode != http.StatusUnauthorized || code != "unauthorized" || a.Header.Get("WWW-Authenticate") == "" {
					t.Errorf("%s %s with %s: %d %s", method, path, name, a.StatusCode, code)
				}
			}
		}
	}
	for _, path := range paths {
		a := s.request("GET", path, "", "", anonymous, acceptHTML)
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/login?next="+url.QueryEscape(path) {
			t.Errorf("a person at %s: %d %s", path, a.StatusCode, a.Header.Get("Location"))
		}
		// The stream's reader must not take a sign-in page for the stream.
		a = s.request("GET", path, "", "", anonymous, header("Accept", "text/event-stream"))
		if a.StatusCode != http.StatusUnauthorized {
			t.Errorf("a script at %s: %d", path, a.StatusCode)
		}
	}
	for _, path := range []string{"/healthz", "/readyz", "/login"} {
		if a := s.request("GET", path, "", "", anonymous); a.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
	}
}

func TestAWrongTokenIsNotMadeUpForByACookie(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser()
	b.signIn()
	req, err := http.NewRequest("GET", s.server.URL+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer nope")
	if a := s.do(b.client, req); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("%d", a.StatusCode)
	}
}

func TestSignInTakesAButtonAndWorksOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	token, err := s.store.NewLoginLink(t.Context(), s.owner, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	b := s.browser()
	for range 3 { // a prefetch, a mail scanner, the person
		if a := b.open("/login?token=" + token); a.StatusCode != http.StatusOK || len(a.Cookies()) != 0 {
			t.Fatalf("looking: %d, %d cookies", a.StatusCode, len(a.Cookies()))
		}
	}
	if a := b.submit("/login", form("token", token, "next", "/sessions/x?watch")); a.Request.URL.RequestURI() != "/sessions/x?watch" {
		t.Errorf("went to %s", a.Request.URL)
	}
	if a := b.open("/"); a.StatusCode != http.StatusOK || a.Request.URL.Path != "/" {
		t.Errorf("home: %d at %s", a.StatusCode, a.Request.URL)
	}
	other := s.browser()
	a := other.submit("/login", form("token", token))
	if a.StatusCode != http.StatusUnauthorized || !strings.Contains(a.body, "login-link") {
		t.Errorf("a second use: %d, and the page does not say how to get a new link", a.StatusCode)
	}
	if a := b.submit("/logout", nil); a.Request.URL.Path != "/login" {
		t.Errorf("signed out at %s", a.Request.URL)
	}
	if a := b.open("/"); a.Request.URL.Path != "/login" {
		t.Errorf("after signing out: %s", a.Request.URL)
	}
}

func TestSigningInLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, next := range []string{"//evil.test/", "https://evil.test/", "/\\evil.test", "\\\\evil.test", "javascript:alert(1)", "/a\nb", "", "evil.test", "/\t/evil.test"} {
		token, err := s.store.NewLoginLink(t.Context(), s.owner, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		a := s.request("POST", "/login", "application/x-www-form-urlencoded", form("token", token, "next", next).Encode(), anonymous)
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/" {
			t.Errorf("next %q: %d to %q", next, a.StatusCode, a.Header.Get("Location"))
		}
	}
}

func TestCookiesFitTheNameTheServerIsReachedBy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, host, public string
		secure             bool
	}{
		{"loopback", "", "", true},
		{"localhost", "localhost", "", true},
		{"a name on plain http", "box.test:8080", "", false},
		{"behind a proxy with https", "box.test", "https://box.test", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t, func(o *handlers.Options) {
				o.Config.Hosts = []string{"box.test"}
				if c.public != "" {
					o.Config.PublicURL, _ = url.Parse(c.public)
				}
			})
			token, err := s.store.NewLoginLink(t.Context(), s.owner, time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			a := s.request("POST", "/login", "application/x-www-form-urlencoded", form("token", token).Encode(), anonymous, func(r *http.Request) {
				if c.host != "" {
					r.Host = c.host
				}
			})
			if len(a.Cookies()) != 1 {
				t.Fatalf("%d cookies", len(a.Cookies()))
			}
			cookie := a.Cookies()[0]
			if cookie.Secure != c.secure || strings.HasPrefix(cookie.Name, "__Host-ws-") != c.secure || !strings.Contains(cookie.Name, "ws-") ||
				!cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" || cookie.Domain != "" {
				t.Errorf("%s", a.Header.Get("Set-Cookie"))
			}
		})
	}
}

// A restart keeps browsers signed in: what tells them is in the database.
func TestARestartSignsNobodyOut(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser()
	b.signIn()
	instance, err := s.store.InstanceID(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	again := newSite(t, func(o *handlers.Options) {
		o.Store, o.Instance = s.store, instance
	})
	s.server.Config.Handler = again.server.Config.Handler // the same address, a new server
	if a := b.open("/"); a.StatusCode != http.StatusOK || a.Request.URL.Path != "/" {
		t.Errorf("%d at %s", a.StatusCode, a.Request.URL)
	}
}

func TestForeignPagesAreRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser()
	b.signIn()
	session := s.newSession()
	cookie := b.client.Jar.Cookies(mustURL(t, s.server.URL))[0]
	withCookie := func(r *http.Request) { anonymous(r); r.AddCookie(cookie) }
	self := s.server.URL
	for _, c := range []struct {
		origin, site string
		allowed      bool
	}{
		{"", "", true}, // a program
		{self, "same-origin", true},
		{self, "", true}, // a browser on plain http
		{"", "none", true},
		{"", "same-origin", true},
		{"http://evil.test", "cross-site", false},
		{"http://evil.test", "", false},
		{"null", "", false},
		{"null", "cross-site", false},
		{"", "same-site", false},
		{"", "cross-site", false},
		{"http://127.0.0.1:1", "", false},
		{"https://" + strings.TrimPrefix(self, "http://"), "cross-site", false},
	} {
		for name, credential := range map[string]func(*http.Request){"cookie": withCookie, "bearer": func(*http.Request) {}, "none": anonymous} {
			for _, path := range []string{"/sessions/" + session + "/messages", "/login", "/logout", "/sessions"} {
				body := form("request_id", uuid.NewString(), "text", "x").Encode()
				a := s.request("POST", path, "application/x-www-form-urlencoded", body, credential, func(r *http.Request) {
					if c.origin != "" {
						r.Header.Set("Origin", c.origin)
					}
					if c.site != "" {
						r.Header.Set("Sec-Fetch-Site", c.site)
					}
					if path == "/logout" && c.allowed {
						r.Header.Set("Cookie", "") // keep the browser signed in
					}
				})
				if refused := a.StatusCode == http.StatusForbidden; refused == c.allowed {
					t.Errorf("POST %s, Origin %q, Sec-Fetch-Site %q, %s: %d", path, c.origin, c.site, name, a.StatusCode)
				}
				if a.Header.Get("Access-Control-Allow-Origin") != "" {
					t.Error("an answer allows another origin")
				}
			}
		}
	}
	a := s.request("OPTIONS", "/sessions/"+session+"/messages", "", "", header("Origin", "http://evil.test"), header("Access-Control-Request-Method", "POST"))
	if a.Header.Get("Access-Control-Allow-Origin") != "" || a.StatusCode < 400 {
		t.Errorf("a preflight: %d", a.StatusCode)
	}
}

func TestForeignHostNamesAreRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(o *handlers.Options) { o.Config.Hosts = []string{"box.test"} })
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	for _, name := range []string{"evil.test", "evil.test:8080", "127.0.0.1.evil.test", "localhost.evil.test", "box.test.evil.test", "0.0.0.0"} {
		for _, path := range []string{"/", "/login", "/static/app.css", "/sessions"} {
			a := s.request("GET", path, "", "", host(name), acceptHTML)
			if a.StatusCode != http.StatusMisdirectedRequest || !strings.Contains(a.body, "WEBSHELL_HOSTS") {
				t.Errorf("%s%s: %d", name, path, a.StatusCode)
			}
		}
		for _, path := range []string{"/healthz", "/readyz"} {
			if a := s.request("GET", path, "", "", host(name)); a.StatusCode != http.StatusOK {
				t.Errorf("%s%s: %d", name, path, a.StatusCode)
			}
		}
	}
	for _, name := range []string{"localhost", "127.0.0.1:1", "[::1]", "box.test", "BOX.test:80"} {
		if a := s.request("GET", "/", "", "", host(name), acceptHTML); a.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", name, a.StatusCode)
		}
	}
}

func TestEveryAnswerCarriesTheProtectiveHeaders(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	nonces := map[string]bool{}
	for _, path := range []string{"/", "/sessions/" + id, "/sessions/" + id + "/events", "/login", "/nothing", "/healthz", "/sessions/" + uuid.NewString(), "/static/none.css"} {
		a := s.request("GET", path, "", "", acceptHTML)
		csp := a.Header.Get("Content-Security-Policy")
		nonce := ""
		for part := range strings.SplitSeq(csp, " ") {
			if n, ok := strings.CutPrefix(strings.TrimSuffix(part, ";"), "'nonce-"); ok {
				nonce = n
			}
		}
		want := "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-" + nonce + "; img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
		if csp != want || len(nonce) < 20 || nonces[nonce] {
			t.Errorf("%s: %s", path, csp)
		}
		nonces[nonce] = true
		for name, want := range map[string]string{"X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"} {
			if got := a.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		if strings.Contains(a.body, "style=") || strings.Contains(a.body, "<script>") {
			t.Errorf("%s has something inline", path)
		}
	}
}

func TestErrorsShowNoInsides(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	s.store.Close() // every query fails from now on
	for _, accept := range []func(*http.Request){acceptJSON, acceptHTML} {
		a := s.request("GET", "/sessions/"+id, "", "", accept)
		if a.StatusCode < 500 {
			t.Errorf("%d", a.StatusCode)
		}
		for _, inside := range []string{"pgx", "closed pool", "select ", "goroutine", ".go:", "/home", "/tmp"} {
			if strings.Contains(a.body, inside) {
				t.Errorf("the answer shows %q: %s", inside, a.body)
			}
		}
	}
	if a := s.request("GET", "/readyz", "", "", anonymous); a.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("ready without a database: %d", a.StatusCode)
	}
	if a := s.request("GET", "/healthz", "", "", anonymous); a.StatusCode != http.StatusOK {
		t.Errorf("healthz: %d", a.StatusCode)
	}
}

func mustURL(t *testing.T, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestABasePathWorksStrippedOrNot(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(o *handlers.Options) { o.Config.BasePath = "/chat" })
	for _, prefix := range []string{"", "/chat"} {
		a := s.request("GET", prefix+"/", "", "", acceptHTML)
		if a.StatusCode != http.StatusOK {
			t.Fatalf("%q: %d", prefix, a.StatusCode)
		}
		for _, n := range all(parse(t, a.body), func(*html.Node) bool { return true }) {
			for _, name := range []string{"href", "src", "action"} {
				if v := attr(n, name); v != "" && !strings.HasPrefix(v, "/chat/") && !strings.HasPrefix(v, "#") && !strings.HasPrefix(v, "data:") {
					t.Errorf("%s=%q leaves the base path", name, v)
				}
			}
		}
		a = s.request("GET", prefix+"/sessions/x", "", "", anonymous, acceptHTML)
		if got := a.Header.Get("Location"); got != "/chat/login?next="+url.QueryEscape("/chat/sessions/x") {
			t.Errorf("%q: sent to %s", prefix, got)
		}
		a = s.request("POST", prefix+"/sessions", "application/x-www-form-urlencoded", form("request_id", uuid.NewString(), "text", "x").Encode())
		if got := a.Header.Get("Location"); !strings.HasPrefix(got, "/chat/sessions/") {
			t.Errorf("%q: sent to %s", prefix, got)
		}
	}
}
