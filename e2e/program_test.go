package e2e

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
)

func TestStartedAgainItFindsItsData(t *testing.T) {
	t.Parallel()
	data := dataDir(t)
	s := serve(t, data)
	c := s.client()
	var first struct{ SessionID string }
	c.must("POST", "/sessions", map[string]any{"requestId": uuid.NewString(), "text": "remember this"}, &first)
	before := c.until(first.SessionID, "the turn's end", ended(1))
	s.interrupt()
	if left := processesIn(t, data); len(left) > 0 {
		t.Fatalf("Ctrl-C left processes: %v", left)
	}

	again := serve(t, data)
	after := again.clientWith(c.token).events(first.SessionID)
	a, _ := json.Marshal(before)
	b, _ := json.Marshal(after)
	if string(a) != string(b) {
		t.Errorf("before:\n%s\nafter:\n%s", a, b)
	}
	again.interrupt()
}

func TestSubcommandsWorkBesideTheServerAndAlone(t *testing.T) {
	t.Parallel()
	data := dataDir(t)
	s := serve(t, data)
	token := s.command("token", "create", "ci")
	if !regexp.MustCompile(`^[A-Za-z0-9_-]{43}\n$`).MatchString(token) {
		t.Errorf("token create printed %q", token)
	}
	if list := s.command("token", "list"); !strings.HasPrefix(list, "ci ") || strings.Count(list, "\n") != 1 {
		t.Errorf("token list printed %q", list)
	}
	if _, err := run(s.env, "token", "create", "ci"); err == nil || !strings.Contains(err.Error(), "revoke") {
		t.Errorf("a second token of the name: %v", err)
	}
	link, err := run(append(s.env, "WEBSHELL_PUBLIC_URL=https://chat.example.org/x"), "login-link")
	if err != nil || !regexp.MustCompile(`^https://chat\.example\.org/x/login\?token=[A-Za-z0-9_-]{43}\n$`).MatchString(link) {
		t.Errorf("login-link printed %q, %v", link, err)
	}
	// A command that was not told where the server listens knows it all the same.
	link, err = run(slices.DeleteFunc(slices.Clone(s.env), func(kv string) bool { return strings.HasPrefix(kv, "WEBSHELL_ADDR=") }), "login-link")
	if err != nil || !strings.HasPrefix(link, s.url+"/login?token=") {
		t.Errorf("login-link printed %q, %v, the server is at %s", link, err, s.url)
	}
	if out := s.command("token", "revoke", "ci"); out != "" {
		t.Errorf("token revoke printed %q", out)
	}
	if _, err := run(s.env, "token", "revoke", "ci"); err == nil {
		t.Error("revoked twice")
	}
	if out, err := run(append(s.env, "WEBSHELL_ADDR="+strings.TrimPrefix(s.url, "http://")), "healthcheck"); err != nil || out != "" {
		t.Errorf("healthcheck: %q, %v", out, err)
	}
	s.interrupt()
	if out := s.command("migrate"); out != "the schema is up to date\n" {
		t.Errorf("migrate alone printed %q", out)
	}
	if out := s.command("token", "list"); out != "" {
		t.Errorf("token list alone printed %q", out)
	}
	if out := s.command("version"); !strings.HasPrefix(out, "webshell ") {
		t.Errorf("version printed %q", out)
	}
	if _, err := run(s.env, "healthcheck"); err == nil {
		t.Error("healthy without a server")
	}
	for _, args := range [][]string{{"nonsense"}, {"token"}, {"token", "create"}, {"serve", "x"}} {
		if _, err := run(s.env, args...); err == nil {
			t.Errorf("webshell %v was accepted", args)
		}
	}
}

func TestASecondServerOnTheDataIsRefused(t *testing.T) {
	t.Parallel()
	data := dataDir(t)
	s := serve(t, data)
	second := start(t, data)
	<-second.exited
	if second.err == nil || !strings.Contains(second.output.String(), data) {
		t.Errorf("%v: %s", second.err, second.output)
	}
	s.interrupt()
}

func TestDataOfAnotherPostgresIsRefusedUntouched(t *testing.T) {
	t.Parallel()
	data := dataDir(t)
	serve(t, data).interrupt()
	files, err := filepath.Glob(filepath.Join(data, "postgres", "*", "PG_VERSION"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.WriteFile(files[0], []byte("9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, data)
	<-s.exited
	if out := s.output.String(); s.err == nil || !strings.Contains(out, "9") || !strings.Contains(out, "pg_upgrade") {
		t.Errorf("%v: %s", s.err, out)
	}
	if version, err := os.ReadFile(files[0]); err != nil || string(version) != "9\n" {
		t.Errorf("the data was touched: %q, %v", version, err)
	}
}

func TestABadSettingStopsTheStart(t *testing.T) {
	t.Parallel()
	data := dataDir(t)
	file := filepath.Join(data, "webshell.yaml")
	if err := os.WriteFile(file, []byte("hosts: []\nagnets: []\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, setting := range []string{"WEBSHELL_ADDR=nonsense", "WEBSHELL_PUBLIC_URL=x", "WEBSHELL_CONFIG=" + file, "DATABASE_URL=postgres://127.0.0.1:1/x"} {
		s := start(t, data, setting)
		<-s.exited
		if s.err == nil || s.output.String() == "" {
			t.Errorf("%s: %v %q", setting, s.err, s.output)
		}
	}
}

// What lets someone in never reaches the log.
func TestTheLogHoldsNoSecrets(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	link, err := url.Parse(s.link)
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := http.Client{Jar: jar}
	token := link.Query().Get("token")
	res, err := browser.PostForm(s.url+"/login", url.Values{"token": {token}})
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	secrets := []string{token, c.token}
	for r := res; r != nil; r = r.Request.Response {
		for _, cookie := range r.Cookies() {
			secrets = append(secrets, cookie.Value)
		}
	}
	if len(secrets) != 3 {
		t.Fatalf("%d secrets were seen, want link, token and cookie", len(secrets))
	}
	var session struct{ SessionID string }
	c.must("POST", "/sessions", map[string]any{"requestId": uuid.NewString(), "text": "/fail"}, &session)
	c.until(session.SessionID, "the turn's end", ended(1))
	for _, path := range []string{"/login?token=" + token, "/nothing?token=" + c.token, "/sessions/x?token=" + c.token} {
		if _, err := c.do(context.Background(), "GET", path, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	s.interrupt()
	log := s.output.String()
	if log == "" {
		t.Fatal("nothing was logged at all")
	}
	postgres, err := os.ReadFile(filepath.Join(s.data, "postgres.log"))
	if err != nil {
		t.Fatal(err)
	}
	for i, secret := range secrets {
		if strings.Contains(log, secret) || strings.Contains(string(postgres), secret) {
			t.Errorf("secret %d is in a log", i)
		}
	}
}

// A header or a body that has no end is cut, in words where HTTP has them.
func TestRequestsHaveLimits(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	req, err := http.NewRequest("GET", s.url+"/login", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Long", strings.Repeat("x", 128<<10))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a header of 128 KiB: %d", res.StatusCode)
	}
	res, err = http.Post(s.url+"/login", "application/x-www-form-urlencoded", strings.NewReader("token="+strings.Repeat("x", 1<<20)))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a sign-in form of 1 MiB: %d", res.StatusCode)
	}
	s.interrupt()
}
