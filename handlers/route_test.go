package handlers_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"webshell/handlers"
	"webshell/internal/session"
	"webshell/web/templates"
)

func TestHEADIsAnsweredLikeGETWithoutABody(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	for _, path := range []string{"/", "/login", "/healthz", "/readyz", "/commands", "/mentions", "/static/app.css", "/sessions/" + id, "/sessions/" + id + "/events", "/sessions/" + id + "/stream", "/sessions/" + id + "/export", "/nothing"} {
		want, got := "", s.request("HEAD", path, "", "", acceptHTML)
		status := http.StatusOK
		switch {
		case strings.HasSuffix(path, "/stream"):
			want = "text/event-stream; charset=utf-8"
		default:
			get := s.request("GET", path, "", "", acceptHTML)
			want, status = get.Header.Get("Content-Type"), get.StatusCode
		}
		if got.StatusCode != status || got.body != "" || got.Header.Get("Content-Type") != want {
			t.Errorf("HEAD %s: %d %s, %d bytes", path, got.StatusCode, got.Header.Get("Content-Type"), len(got.body))
		}
	}
}

func TestAMethodThatAPathDoesNotTakeIsNamedWithThoseItTakes(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	for _, c := range [][3]string{
		{"DELETE", "/", "GET, HEAD"},
		{"OPTIONS", "/sessions/" + id, "GET, HEAD"},
		{"PUT", "/sessions", "GET, HEAD, POST"},
		{"PUT", "/sessions/" + id + "/messages", "GET, HEAD, POST"},
		{"GET", "/sessions/" + id + "/stop", "POST"},
		{"GET", "/sessions/" + id + "/draft", "PUT"},
		{"GET", "/sessions/" + id + "/queue/" + uuid.NewString(), "POST, PATCH, DELETE"},
		{"POST", "/sessions/" + id + "/stream", "GET, HEAD"},
		{"PUT", "/login", "GET, HEAD, POST"},
	} {
		a := s.request(c[0], c[1], "", "", acceptJSON)
		if code, _ := s.fault(a); a.StatusCode != http.StatusMethodNotAllowed || code != "method_not_allowed" || a.Header.Get("Allow") != c[2] {
			t.Errorf("%s %s: %d, Allow %q", c[0], c[1], a.StatusCode, a.Header.Get("Allow"))
		}
	}
	// An address has one form.
	for _, path := range []string{"/sessions/" + id + "/", "/login/", "/sessions/"} {
		if a := s.request("GET", path, "", "", acceptHTML); a.StatusCode != http.StatusNotFound {
			t.Errorf("GET %s: %d", path, a.StatusCode)
		}
	}
	// A method that no path takes says nothing about the path.
	for _, path := range []string{"/", "/nothing"} {
		a := s.request("BREW", path, "", "", anonymous, acceptJSON)
		if a.StatusCode != http.StatusMethodNotAllowed || a.Header.Get("Allow") != "GET, HEAD, POST, PUT, PATCH, DELETE" {
			t.Errorf("BREW %s: %d %q", path, a.StatusCode, a.Header.Get("Allow"))
		}
	}
}

func TestWhatIsAcceptedIsWeighed(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	const page, program = "text/html; charset=utf-8", "application/json; charset=utf-8"
	for accept, want := range map[string]string{
		"":                                  page,
		"*/*":                               page,
		"application/*":                     page,
		"application/json":                  program,
		"Application/JSON":                  program,
		"application/json, text/plain, */*": program,
		"application/json;q=0":              page,
		"application/json;q=0, */*":         page,
		"application/json; q=0.0":           page,
		"application/json;q=x":              page,
		"text/html, application/json;q=0.1": page,
		"text/html;q=0.1, application/json;q=0.9":  program,
		"text/html,application/xhtml+xml,*/*;q=.8": page,
	} {
		if got := s.request("GET", "/", "", "", header("Accept", accept)).Header.Get("Content-Type"); got != want {
			t.Errorf("%q: %s", accept, got)
		}
	}
	// A program that sends JSON and does not say what it reads gets JSON.
	for accept, want := range map[string]string{"": program, "*/*": program, "text/html": page, "application/json;q=0": page} {
		if got := s.request("POST", "/sessions/"+uuid.NewString()+"/stop", "application/json", "{}", header("Accept", accept)).Header.Get("Content-Type"); got != want {
			t.Errorf("JSON sent, %q accepted: %s", accept, got)
		}
	}
}

// A mistake of ours is an answer with a report id, whose details are in the
// log and nowhere else.
func TestAPanicIsAnAnswerAndAnEntryInTheLog(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(o *handlers.Options) {
		o.UserContent = func(_ context.Context, m templates.UserMessage) templ.Component {
			panic("the hook broke at " + m.Content)
		}
	})
	id := s.newSession()
	s.send(id, map[string]any{"text": "hello"})
	a := s.request("GET", "/sessions/"+id, "", "", acceptHTML)
	if a.StatusCode != http.StatusInternalServerError || strings.Contains(a.body, "hook") || !strings.Contains(a.body, `data-code="internal"`) {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
	if a := s.request("GET", "/", "", "", acceptHTML); a.StatusCode != http.StatusOK {
		t.Errorf("afterwards: %d", a.StatusCode)
	}
	if metrics := s.request("GET", "/metrics", "", "").body; !strings.Contains(metrics, `method="GET",route="/sessions/{session}",status="500"} 1`) {
		t.Errorf("the metrics do not count it:\n%s", metrics)
	}
	if log := s.logged(); !strings.Contains(log, "the hook broke at hello") || !strings.Contains(log, "route_test.go") {
		t.Errorf("the log says %q", log)
	}
}

// A question's id is the agent's own word, whatever it is.
func TestPermissionsAreFoundByAnyID(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"p", "a/b", "50%", "a%41", "a b?c#d", "许可", "..", "a+b"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			sid := s.newSession()
			turn := s.turn(sid, "hello")
			s.append(turn, session.Event{Payload: session.PermissionRequested{PermissionID: id, Title: "?", Options: []session.PermissionOption{{OptionID: "yes", Label: "Yes"}}}})
			path := templates.URLs{}.Permission(sid, id)
			if a := s.post(path, map[string]string{"option": "yes"}, nil); a.StatusCode != http.StatusOK {
				t.Errorf("%s: %s", path, a)
			}
		})
	}
	s := newSite(t)
	sid := s.newSession()
	for _, path := range []string{"a%00b", "%FF", "none"} {
		if a := s.post("/sessions/"+sid+"/permissions/"+path, map[string]string{"option": "yes"}, nil); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, a)
		}
	}
}

func TestTheLogIsReadInPartsAndFaultsNameTheirField(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	turn := s.turn(id, "hello") // events 1 and 2
	for i := range 150 {
		s.append(turn, session.Event{Content: "x", Payload: session.AssistantMessage{Turn: turn.TurnID, Block: i}})
	}
	for query, want := range map[string][3]int64{ // number of events, first, last
		"": {152, 1, 152}, "after=22&limit=110": {110, 23, 132}, "after=151": {1, 152, 152}, "limit=1": {1, 1, 1}, "limit=99999": {152, 1, 152},
	} {
		var out struct {
			Events []logged
			Last   int64
		}
		s.get("/sessions/"+id+"/events?"+query, &out)
		if n := len(out.Events); int64(n) != want[0] || out.Events[0].Seq != want[1] || out.Events[n-1].Seq != want[2] || out.Last != 152 {
			t.Errorf("%q: %d events, last %d", query, n, out.Last)
		}
	}
	for path, field := range map[string]string{
		"/events?after=x": "after", "/events?limit=0": "limit", "/events?limit=x": "limit", "/stream?after=x": "after", "/stream?after=1.x": "after",
	} {
		a := s.request("GET", "/sessions/"+id+path, "", "", acceptJSON)
		if _, got := s.fault(a); a.StatusCode != http.StatusBadRequest || got != field {
			t.Errorf("%s: %d about %q", path, a.StatusCode, got)
		}
	}
}

// A message that a turn takes while the page is read is shown once: here the
// turn takes it when the reader has come to the queue.
func TestAMessageTakenFromTheQueueShowsOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	s.turn(id, "first")
	waits, _ := s.send(id, map[string]any{"text": "second"})
	conn, err := pgx.Connect(t.Context(), s.dbURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	do := func(sql string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	do("begin")
	do("lock table inbox in access exclusive mode")
	page := make(chan answer)
	go func() { page <- s.request("GET", "/sessions/"+id, "", "", acceptHTML) }()
	s.awaitSQL(conn, "select exists (select from pg_locks where relation = 'inbox'::regclass and not granted)")
	do(`with taken as (delete from inbox returning *), numbered as (update sessions set last_seq = last_seq + 1 returning id, last_seq)
		insert into events (session_id, seq, kind, at, source, rpc_id, content, annotations, body)
		select t.session_id, n.last_seq, 'user/message', now(), jsonb_build_object('kind', 'user', 'rpcId', t.request_id), t.request_id,
			t.content, t.annotations, '{"lane": "next-turn"}' from taken t join numbered n on n.id = t.session_id`)
	do("commit")
	if rows := all(parse(t, (<-page).body), byAttr("data-request-id", waits.RequestID)); len(rows) != 1 {
		t.Errorf("it is shown %d times", len(rows))
	}
}
