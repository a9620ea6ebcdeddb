package handlers_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"webshell/handlers"
	"webshell/store"
)

// admin runs a statement on the cluster, beside the test's database.
func (s *site) admin(sql string) {
	s.Helper()
	u := mustURL(s.T, s.dbURL)
	u.Path = "/webshell"
	s.sqlAt(u.String(), sql)
}

func (s *site) sql(sql string, args ...any) {
	s.Helper()
	s.sqlAt(s.dbURL, sql, args...)
}

func (s *site) sqlAt(address, sql string, args ...any) {
	s.Helper()
	conn, err := pgx.Connect(s.Context(), address)
	if err != nil {
		s.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(s.Context(), sql, args...); err != nil {
		s.Fatal(err)
	}
}

// awaitSQL asks until the answer is true, within a deadline.
func (s *site) awaitSQL(conn *pgx.Conn, question string) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), 30*time.Second)
	defer cancel()
	for yes := false; !yes; {
		if err := conn.QueryRow(ctx, question).Scan(&yes); err != nil {
			s.Fatal(err)
		}
	}
}

// While the database is away people are told so, keep what they wrote, and go
// on when it is back, with the same request id.
func TestADatabaseThatIsAway(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser()
	b.signIn()
	session := s.newSession()
	action, fields := b.fill(b.open("/sessions/"+session), "kept")
	live := s.follow(session, "0")
	name := strings.TrimPrefix(mustURL(t, s.dbURL).Path, "/")
	s.admin("alter database " + name + " with allow_connections false")
	s.admin("select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + name + "'")

	a := b.submit(action, fields)
	if a.StatusCode != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "" {
		t.Errorf("a form: %d", a.StatusCode)
	}
	if box := all(parse(t, a.body), byAttr("name", "text")); len(box) != 1 || textOf(box[0]) != "kept" {
		t.Error("what was written is not there any more")
	}
	_, again := b.fill(a, "kept")
	program := s.request("POST", "/sessions/"+session+"/messages", "application/json", `{"requestId":"`+uuid.NewString()+`","text":"x"}`, acceptJSON)
	if code, _ := s.fault(program); program.StatusCode != http.StatusServiceUnavailable || code != "unavailable" {
		t.Errorf("a program: %d %s", program.StatusCode, code)
	}
	if !live.ended(30 * time.Second) {
		t.Error("the stream did not end")
	}
	stream := s.request("GET", "/sessions/"+session+"/stream", "", "", header("Accept", "text/event-stream"))
	if stream.StatusCode != http.StatusServiceUnavailable || stream.Header.Get("Retry-After") == "" {
		t.Errorf("a stream that comes back: %d", stream.StatusCode)
	}
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 503, "/login": 200} {
		if a := s.request("GET", path, "", "", anonymous); a.StatusCode != want {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
	}

	s.admin("alter database " + name + " with allow_connections true")
	if a := b.submit(action, again); a.StatusCode != http.StatusOK || !strings.Contains(a.body, "kept") {
		t.Errorf("sent again: %d", a.StatusCode)
	}
	if m := s.follow(session, "0").cursor(); m.id != "1" {
		t.Errorf("the stream goes on with %+v", m)
	}
	if events := s.events(session); len(events) != 1 || events[0].RPCID != fields.Get("request_id") {
		t.Errorf("%d events", len(events))
	}
}

// A full disk stops writing, with words; reading goes on.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	session := s.newSession()
	s.send(session, map[string]any{"text": "before"})
	s.sql(`create function disk_full() returns trigger language plpgsql as $$
		begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`)
	for _, table := range []string{"events", "inbox", "turns", "submissions", "drafts"} {
		s.sql("create trigger full_disk before insert on " + table + " for each row execute function disk_full()")
	}
	_, a := s.send(session, map[string]any{"text": "after"})
	if code, _ := s.fault(a); a.StatusCode != http.StatusInsufficientStorage || code != "storage_full" {
		t.Errorf("a message: %d %s", a.StatusCode, code)
	}
	form := s.request("POST", "/sessions/"+session+"/messages", "application/x-www-form-urlencoded",
		url.Values{"request_id": {uuid.NewString()}, "text": {"kept <b>"}}.Encode(), acceptHTML)
	if box := all(parse(t, form.body), byAttr("name", "text")); form.StatusCode != http.StatusInsufficientStorage || len(box) != 1 || textOf(box[0]) != "kept <b>" {
		t.Errorf("a form: %d", form.StatusCode)
	}
	if a := s.request("GET", "/sessions/"+session, "", "", acceptHTML); a.StatusCode != http.StatusOK || !strings.Contains(a.body, "before") {
		t.Errorf("reading: %d", a.StatusCode)
	}
	if n := len(s.events(session)); n != 1 {
		t.Errorf("%d events", n)
	}
}

// Another person's session is one that does not exist, by every route.
func TestAnotherPersonsSessionDoesNotExist(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	session := s.newSession()
	s.send(session, map[string]any{"text": "secret"})
	s.sql(`insert into users (id, name) values ('00000000-0000-4000-8000-000000000001', 'other')`)
	token, err := s.store.NewToken(t.Context(), store.Viewer{UserID: "00000000-0000-4000-8000-000000000001"}, "other")
	if err != nil {
		t.Fatal(err)
	}
	other := header("Authorization", "Bearer "+token)
	mine := s.newSession()
	row := "/queue/" + s.waiting(session, "waits")
	for _, c := range [][2]string{
		{"GET", ""}, {"GET", "?watch"}, {"GET", "?before=9"}, {"GET", "/events"}, {"GET", "/stream"}, {"GET", "/export"}, {"POST", "/messages"},
		{"POST", "/stop"}, {"POST", "/retry"}, {"POST", "/permissions/p"}, {"PUT", "/draft"},
		{"POST", "/queue/order"}, {"POST", "/queue/resume"}, {"POST", row}, {"PATCH", row}, {"DELETE", row},
	} {
		for _, accept := range []func(*http.Request){acceptJSON, acceptHTML} {
			body := `{"requestId":"` + uuid.NewString() + `","text":"x","option":"y","action":"steer","requestIds":["` + uuid.NewString() + `"],"sessionId":"` + mine + `"}`
			a := s.request(c[0], "/sessions/"+session+c[1], "application/json", body, other, accept)
			if a.StatusCode != http.StatusNotFound || strings.Contains(a.body, "secret") {
				t.Errorf("%s %s: %d", c[0], c[1], a.StatusCode)
			}
		}
	}
	for _, menu := range []string{"/commands", "/mentions"} {
		if a := s.request("GET", menu+"?session="+session, "", "", other, acceptJSON); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", menu, a.StatusCode)
		}
	}
	if a := s.request("GET", "/", "", "", other, acceptHTML); strings.Contains(a.body, session) {
		t.Error("home lists another person's session")
	}
	if n := len(s.events(session)); n != 2 {
		t.Errorf("%d events", n)
	}
	// A request id is a person's own as well.
	id := uuid.NewString()
	first := s.request("POST", "/sessions", "application/json", `{"requestId":"`+id+`","text":"x"}`, acceptJSON)
	second := s.request("POST", "/sessions", "application/json", `{"requestId":"`+id+`","text":"x"}`, acceptJSON, other)
	if first.StatusCode != http.StatusCreated || second.StatusCode != http.StatusCreated || first.Header.Get("Location") == second.Header.Get("Location") {
		t.Errorf("%d and %d", first.StatusCode, second.StatusCode)
	}
}

func TestStreamsHaveALimit(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(o *handlers.Options) { o.MaxStreams = 1 })
	session := s.newSession()
	first := s.follow(session, "0")
	a := s.request("GET", "/sessions/"+session+"/stream", "", "", acceptJSON)
	if code, _ := s.fault(a); a.StatusCode != http.StatusServiceUnavailable || code != "too_many" || a.Header.Get("Retry-After") == "" {
		t.Errorf("%d %s", a.StatusCode, code)
	}
	// Its place is free again once its connection is closed.
	first.cancel()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for {
		a := s.request("HEAD", "/sessions/"+session+"/stream", "", "", acceptJSON)
		if a.StatusCode == http.StatusOK {
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("%d", a.StatusCode)
		}
	}
}
