package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"webshell/internal/session"
)

type watched struct {
	ID, Title            string
	LastSeq              int64
	Running, NeedsAnswer bool
}

func (s *site) status(ids ...string) map[string]watched {
	s.Helper()
	var out struct{ Sessions []watched }
	if a := s.get("/status?ids="+strings.Join(ids, ","), &out); a.StatusCode != http.StatusOK || out.Sessions == nil {
		s.Fatalf("%s", a)
	}
	found := map[string]watched{}
	for _, w := range out.Sessions {
		found[w.ID] = w
	}
	return found
}

func TestStatus(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	idle, busy, asking := s.newSession(), s.newSession(), s.newSession()
	if got := s.status(); len(got) != 0 {
		t.Errorf("nothing runs: %v", got)
	}
	turn := s.turn(asking, "may I")
	s.append(turn, session.Event{Payload: session.PermissionRequested{PermissionID: "p", Title: "?", Options: []session.PermissionOption{{OptionID: "y"}}}})
	s.send(busy, map[string]any{"text": "hello"})
	got := s.status()
	if want := (watched{ID: asking, Title: "may I", LastSeq: 3, Running: true, NeedsAnswer: true}); got[asking] != want {
		t.Errorf("%+v", got[asking])
	}
	if want := (watched{ID: busy, Title: "hello", LastSeq: 1, Running: true}); got[busy] != want || len(got) != 2 {
		t.Errorf("%+v of %d", got[busy], len(got))
	}
	if got := s.status(strings.ToUpper(idle), busy, uuid.NewString()); got[idle].ID != idle || got[idle].Running || len(got) != 3 {
		t.Errorf("%+v", got)
	}
	// Another person's sessions are not there, asked for or not.
	s.sql(`insert into users (id, name) values ('00000000-0000-4000-8000-000000000002', 'other')`)
	s.sql(`update sessions set owner_id = '00000000-0000-4000-8000-000000000002' where id = any($1)`, []string{idle, busy})
	if got := s.status(idle, busy); len(got) != 1 || got[asking].ID == "" {
		t.Errorf("%+v", got)
	}
	many := make([]string, 33)
	for i := range many {
		many[i] = uuid.NewString()
	}
	for _, bad := range []string{"x", idle + "," + "x", strings.Join(many, ",")} {
		if a := s.get("/status?ids="+bad, nil); a.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d", bad, a.StatusCode)
		}
	}
	s.status(many[:32]...)
}

func TestTheListOfSessionsAlone(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	first, second := s.newSession(), s.newSession()
	list := parse(t, s.request("GET", "/sessions?current="+first, "", "", asScript).body)
	box := all(list, byAttr("id", "session-list"))
	if len(box) != 1 || attr(box[0], "hx-get") != "/sessions?current="+first || len(all(list, byTag("main"))) != 0 {
		t.Fatalf("%d lists", len(box))
	}
	var ids, current []string
	for _, a := range all(box[0], byTag("a")) {
		ids = append(ids, attr(a, "data-session"))
		if attr(a, "aria-current") == "page" {
			current = append(current, attr(a, "data-session"))
		}
	}
	if slices.Sort(ids); len(ids) != 2 || !slices.Contains(ids, second) || !slices.Equal(current, []string{first}) {
		t.Errorf("%v, current %v", ids, current)
	}
	var asJSON, home struct{ Sessions []map[string]any }
	s.get("/sessions", &asJSON)
	s.get("/", &home)
	if len(asJSON.Sessions) != 2 || len(asJSON.Sessions[0]) != len(home.Sessions[0]) || asJSON.Sessions[0]["id"] != home.Sessions[0]["id"] {
		t.Errorf("%v, home %v", asJSON, home)
	}
	if a := s.request("GET", "/sessions", "", "", acceptHTML); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/" {
		t.Errorf("a person: %d %s", a.StatusCode, a.Header.Get("Location"))
	}
	if a := s.request("GET", "/sessions?current=%22%3E%3Cb%3E", "", "", asScript); a.StatusCode != http.StatusOK || strings.Contains(a.body, "<b>") {
		t.Errorf("a hostile id: %s", a)
	}
}
