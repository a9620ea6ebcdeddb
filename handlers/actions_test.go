package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"webshell/internal/session"
)

func asScript(r *http.Request) { acceptHTML(r); r.Header.Set("HX-Request", "true") }

const formEncoded = "application/x-www-form-urlencoded"

// A script's page stays: what an action changes comes on the stream, and a
// refusal is a line for #notice.
func TestActionsOfScripts(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	turn := s.turn(id, "hello")
	s.append(turn, session.Event{Payload: session.PermissionRequested{PermissionID: "p", Title: "?", Options: []session.PermissionOption{{OptionID: "y", Label: "Yes"}, {OptionID: "n", Label: "No"}}}})
	r := s.follow(id, "3")
	post := func(action, body string) answer {
		t.Helper()
		return s.request("POST", "/sessions/"+id+action, formEncoded, body, asScript)
	}
	if a := post("/permissions/p", "option=y"); a.StatusCode != http.StatusNoContent || a.body != "" {
		t.Errorf("an answer: %s", a)
	}
	if m := r.row(); !strings.Contains(m.data, "Answered: Yes") {
		t.Errorf("the stream says %s", m.data)
	}
	for _, refused := range []struct {
		action, body, code string
		status             int
	}{
		{"/permissions/p", "option=n", "already_answered", http.StatusConflict},
		{"/permissions/q", "option=n", "not_found", http.StatusNotFound},
		{"/permissions/p", "", "bad_request", http.StatusBadRequest},
	} {
		a := post(refused.action, refused.body)
		doc := parse(t, a.body)
		partial := all(doc, byTag("hx-partial"))
		if a.StatusCode != refused.status || len(partial) != 1 || attr(partial[0], "hx-target") != "#notice" {
			t.Fatalf("%s %s: %s", refused.action, refused.body, a)
		}
		if words := all(partial[0], byAttr("data-code", refused.code)); len(words) != 1 || strings.TrimSpace(textOf(words[0])) == "" {
			t.Errorf("%s: %s", refused.code, a)
		}
		if rest := strings.TrimSpace(textOf(doc)); rest != strings.TrimSpace(textOf(partial[0])) {
			t.Errorf("beside the notice: %s", a)
		}
	}
	if a := post("/stop", ""); a.StatusCode != http.StatusNoContent {
		t.Errorf("stop: %s", a)
	}
	if err := s.store.TurnLog().Finish(t.Context(), turn.Lease, session.Cancelled, ""); err != nil {
		t.Fatal(err)
	}
	if a := post("/retry", ""); a.StatusCode != http.StatusNoContent {
		t.Errorf("retry: %s", a)
	}
	if a := s.request("POST", "/sessions/"+id+"/stop", formEncoded, "", acceptHTML); a.StatusCode != http.StatusSeeOther {
		t.Errorf("without script: %s", a)
	}
	if a := s.request("POST", "/sessions/"+id+"/stop", formEncoded, "", asScript, anonymous); a.StatusCode != http.StatusUnauthorized || !strings.Contains(a.body, `data-code="unauthorized"`) {
		t.Errorf("signed out: %s", a)
	}
}

// What a person wrote is kept for a script as well.
func TestARefusedSubmissionIsKeptForScripts(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.request("POST", "/sessions/"+s.newSession()+"/messages", formEncoded, form("request_id", "none", "text", "kept").Encode(), asScript)
	if box := all(parse(t, a.body), byAttr("name", "text")); a.StatusCode != http.StatusBadRequest || len(box) != 1 || textOf(box[0]) != "kept" {
		t.Errorf("%s", a)
	}
}
