package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"golang.org/x/net/html"
)

// fill reads a page's message form and fills it in, as a person would.
func (b browser) fill(page answer, text string) (action string, fields url.Values) {
	b.Helper()
	forms := all(parse(b.T, page.body), func(n *html.Node) bool {
		return n.Data == "form" && len(all(n, byAttr("name", "text"))) == 1
	})
	if len(forms) != 1 {
		b.Fatalf("%d message forms at %s", len(forms), page.Request.URL)
	}
	fields = url.Values{}
	for _, input := range all(forms[0], func(n *html.Node) bool { return attr(n, "name") != "" }) {
		fields.Set(attr(input, "name"), attr(input, "value"))
	}
	fields.Set("text", text)
	if method := attr(forms[0], "method"); method != "post" {
		b.Errorf("the form's method is %q", method)
	}
	return attr(forms[0], "action"), fields
}

func TestAPersonWithoutScriptGetsThroughTheMainJob(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.runner()
	b := s.browser()
	b.signIn()
	action, fields := b.fill(b.open("/"), "first line\r\n<b>second</b>")
	page := b.submit(action, fields)
	if page.StatusCode != http.StatusOK || !strings.HasPrefix(page.Request.URL.Path, "/sessions/") {
		t.Fatalf("%d at %s", page.StatusCode, page.Request.URL)
	}
	id := strings.TrimPrefix(page.Request.URL.Path, "/sessions/")
	s.await(id, "turn/ended")
	page = b.open("/sessions/" + id)
	log := all(parse(t, page.body), byAttr("id", "transcript"))
	if len(log) != 1 || attr(log[0], "role") != "log" {
		t.Fatal("there is no transcript")
	}
	user := all(log[0], byAttr("data-role", "user"))
	said := all(log[0], byAttr("data-role", "assistant"))
	if len(user) != 1 || textOf(all(user[0], byClass("message-content"))[0]) != "first line\n<b>second</b>" {
		t.Errorf("the bubble is not what was written")
	}
	if len(said) == 0 || !strings.Contains(textOf(said[0]), "first line\n<b>second</b>") {
		t.Errorf("the demo agent did not answer with what it received")
	}

	// Pressing the button twice, or going back and sending again, sends once.
	action, fields = b.fill(page, "again")
	b.submit(action, fields)
	b.submit(action, fields)
	messages := 0
	for _, e := range s.events(id) {
		if e.Kind == "user/message" {
			messages++
		}
	}
	if messages != 2 {
		t.Errorf("%d messages", messages)
	}
	home := b.open("/")
	if !strings.Contains(home.body, "/sessions/"+id) || !strings.Contains(home.body, "first line") {
		t.Error("home does not list the session by its title")
	}
}

func TestARefusedFormKeepsWhatWasWritten(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser()
	b.signIn()
	session := s.newSession()
	page := b.open("/sessions/" + session)

	// The sign-in has expired in the meantime.
	action, fields := b.fill(page, "kept <i>text</i>")
	fields.Set("tags", `[{"id":"f","serialized":"kept","start":0,"end":4}]`)
	stranger := s.browser()
	for name, c := range map[string]struct {
		a      answer
		status int
	}{
		"not signed in": {stranger.submit(action, fields), http.StatusUnauthorized},
		"bad tags":      {b.submit(action, with(fields, "tags", "{")), http.StatusUnprocessableEntity},
		"bad id":        {b.submit(action, with(fields, "request_id", "x")), http.StatusBadRequest},
		"no session":    {b.submit("/sessions/"+uuid.NewString()+"/messages", fields), http.StatusNotFound},
	} {
		if c.a.StatusCode != c.status {
			t.Errorf("%s: %d", name, c.a.StatusCode)
		}
		box := all(parse(t, c.a.body), byAttr("name", "text"))
		if len(box) != 1 || textOf(box[0]) != "kept <i>text</i>" {
			t.Errorf("%s: the text is not there", name)
		}
	}
	_, again := b.fill(stranger.submit(action, fields), "x")
	if again.Get("tags") != fields.Get("tags") || again.Get("request_id") != fields.Get("request_id") {
		t.Error("the chips or the request id were lost")
	}
}

// Whatever a form was refused for, the one that comes back can be sent.
func TestARefusedFormCanBeSentAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser()
	b.signIn()
	for name, spoil := range map[string]func(url.Values){
		"bad tags":                      func(f url.Values) { f.Set("tags", "{") },
		"tags too large":                func(f url.Values) { f.Set("tags", `["`+strings.Repeat("x", 256<<10)+`"]`) },
		"bad id":                        func(f url.Values) { f.Set("request_id", "x") },
		"an id of another message":      func(f url.Values) { f.Set("request_id", s.used()) },
		"an id of another, in capitals": func(f url.Values) { f.Set("request_id", strings.ToUpper(s.used())) },
	} {
		action, fields := b.fill(b.open("/sessions/"+s.session()), "kept <i>text</i>")
		spoil(fields)
		refused := b.submit(action, fields)
		if refused.StatusCode < 400 {
			t.Fatalf("%s: %d", name, refused.StatusCode)
		}
		action, fields = b.fill(refused, "")
		fields.Set("text", textOf(all(parse(t, refused.body), byAttr("name", "text"))[0]))
		if sent := b.submit(action, fields); sent.StatusCode != http.StatusOK || !strings.Contains(sent.body, "kept &lt;i&gt;text") {
			t.Errorf("%s, sent again: %d", name, sent.StatusCode)
		}
	}
}

// A path that is no route of ours never becomes a form's address.
func TestARefusedFormLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	body := form("request_id", uuid.NewString(), "text", "secret plan").Encode()
	for _, path := range []string{"//evil.test/messages", "//evil.test/sessions", "/sessions/x/messages", "/sessions/" + uuid.NewString() + "/messages/", "/%2F/evil.test/sessions", "/nothing"} {
		a := s.request("POST", path, "application/x-www-form-urlencoded", body, anonymous, acceptHTML)
		if a.StatusCode != http.StatusUnauthorized || strings.Contains(a.body, "<form") || strings.Contains(a.body, "evil.test") {
			t.Errorf("%s: %d %s", path, a.StatusCode, a.body)
		}
	}
}

func with(fields url.Values, name, value string) url.Values {
	changed := url.Values{}
	for k, v := range fields {
		changed[k] = v
	}
	changed.Set(name, value)
	return changed
}

func TestOnlyTheWatchViewRefreshesItself(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	s.send(id, map[string]any{"text": "hello"})
	refresh := func(path string) int {
		return len(all(parse(t, s.request("GET", path, "", "", acceptHTML).body), byAttr("http-equiv", "refresh")))
	}
	if refresh("/") != 0 || refresh("/sessions/"+id) != 0 {
		t.Error("a page in which one writes refreshes itself")
	}
	if refresh("/sessions/"+id+"?watch") != 1 {
		t.Error("the watch view does not refresh itself")
	}
	watch := parse(t, s.request("GET", "/sessions/"+id+"?watch", "", "", acceptHTML).body)
	if n := len(all(watch, func(n *html.Node) bool { return n.Data == "textarea" })); n != 0 {
		t.Error("one can write in the watch view")
	}
}

func TestViewsComeAsPagesAndFragments(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	for _, path := range []string{"/", "/sessions/" + id, "/nothing"} {
		page := s.request("GET", path, "", "", acceptHTML)
		fragment := s.request("GET", path, "", "", acceptHTML, header("HX-Request", "true"))
		if !strings.Contains(page.body, "<html") || strings.Contains(fragment.body, "<html") || fragment.body == "" || page.StatusCode != fragment.StatusCode {
			t.Errorf("%s: %d and %d", path, page.StatusCode, fragment.StatusCode)
		}
		if !strings.Contains(strings.Join(page.Header.Values("Vary"), ","), "HX-Request") {
			t.Errorf("%s: a cache cannot tell them apart", path)
		}
	}
}

func TestPagesSpeakTheReadersLanguage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for accept, want := range map[string]string{"": "en", "en-GB": "en", "zh-CN,zh;q=0.9": "zh-CN", "zh": "zh-CN", "fr": "en", "fr,zh;q=0.5": "zh-CN"} {
		doc := parse(t, s.request("GET", "/", "", "", acceptHTML, header("Accept-Language", accept)).body)
		if root := all(doc, func(n *html.Node) bool { return n.Data == "html" }); attr(root[0], "lang") != want {
			t.Errorf("%q: %s", accept, attr(root[0], "lang"))
		}
	}
}

func TestAPermissionIsAnsweredByAForm(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.runner()
	b := s.browser()
	b.signIn()
	session := s.newSession()
	s.send(session, map[string]any{"text": "/ask"})
	s.await(session, "permission/requested")
	page := b.open("/sessions/" + session)
	row := all(parse(t, page.body), byAttr("data-role", "permission"))
	if len(row) != 1 {
		t.Fatalf("%d permission rows", len(row))
	}
	forms := all(row[0], func(n *html.Node) bool { return n.Data == "form" })
	if len(forms) != 3 {
		t.Fatalf("%d answers are offered", len(forms))
	}
	option := all(forms[2], byAttr("name", "option"))
	after := b.submit(attr(forms[2], "action"), form("option", attr(option[0], "value")))
	if after.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", after.StatusCode, after.Request.URL)
	}
	s.await(session, "permission/resolved")
	s.await(session, "turn/ended")
	if a := b.submit(attr(forms[0], "action"), form("option", attr(all(forms[0], byAttr("name", "option"))[0], "value"))); a.StatusCode != http.StatusConflict {
		t.Errorf("a second answer: %d", a.StatusCode)
	}
}

func TestStopKeepsThePartialTextAndTheQueue(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.runner()
	session := s.newSession()
	s.send(session, map[string]any{"text": "/slow 600"})
	queued, _ := s.send(session, map[string]any{"text": "afterwards"})
	if queued.State != "queued" {
		t.Fatalf("%+v", queued)
	}
	page := s.request("GET", "/sessions/"+session, "", "", acceptHTML)
	if rows := all(parse(t, page.body), byAttr("data-request-id", queued.RequestID)); len(rows) != 1 || attr(rows[0], "data-state") != "queued" {
		t.Errorf("%d rows for the waiting message", len(rows))
	}
	s.await(session, "turn/started")
	if a := s.post("/sessions/"+session+"/stop", map[string]any{}, nil); a.StatusCode != http.StatusOK {
		t.Fatal(a)
	}
	s.await(session, "turn/ended")
	answer := s.await(session, "assistant/message")
	if answer.Content == nil {
		t.Error("nothing was kept")
	}
	if a := s.post("/sessions/"+session+"/queue/resume", nil, nil); a.StatusCode != http.StatusOK {
		t.Fatal(a)
	}
	s.awaitNth(session, "turn/ended", 2)
	if rows := all(parse(t, s.request("GET", "/sessions/"+session, "", "", acceptHTML).body), byAttr("data-request-id", queued.RequestID)); len(rows) != 1 || attr(rows[0], "data-state") != "logged" {
		t.Error("the waiting message is not in the transcript")
	}
}
