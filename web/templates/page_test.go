package templates

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"webshell/internal/session"
	"webshell/web/locales"
	"webshell/web/static"
)

func TestPagesAreWhole(t *testing.T) {
	t.Parallel()
	for _, lang := range locales.Langs() {
		for name, page := range pages(t, viewIn(lang)) {
			t.Run(name+" "+string(lang), func(t *testing.T) {
				t.Parallel()
				source := render(t, page)
				doc := parse(t, source)
				checkFrame(t, doc, lang)
				checkInline(t, doc)
				checkAddresses(t, doc)
				checkIDs(t, doc)
				checkLandmarks(t, doc)
				checkRefresh(t, doc, name == "watch")
				checkForms(t, doc)
				if !strings.HasPrefix(source, "<!doctype html>") {
					t.Error("the page has no doctype")
				}
			})
		}
	}
}

func checkFrame(t *testing.T, doc *html.Node, lang locales.Lang) {
	t.Helper()
	root := only(t, doc, named("html"))
	if got, _ := attribute(root, "lang"); got != string(lang) {
		t.Errorf("lang is %q", got)
	}
	if got, _ := attribute(root, "dir"); got != "ltr" {
		t.Errorf("dir is %q", got)
	}
	if title := textContent(only(t, doc, named("title"))); !strings.HasSuffix(title, " · WebShell") {
		t.Errorf("title is %q", title)
	}
	only(t, doc, named("main"))
	only(t, doc, named("h1"))
	viewport := elements(doc, func(n *html.Node) bool { name, _ := attribute(n, "name"); return name == "viewport" })
	if len(viewport) != 1 {
		t.Error("no viewport")
	}
}

// checkInline holds the content security policy: nothing inline but SVG and
// data. Scripts never stand in the way of what is drawn.
func checkInline(t *testing.T, doc *html.Node) {
	t.Helper()
	for _, n := range elements(doc, func(*html.Node) bool { return true }) {
		if n.Data == "style" {
			t.Error("a style element")
		}
		if n.Data == "script" {
			kind, _ := attribute(n, "type")
			_, deferred := attribute(n, "defer")
			_, loaded := attribute(n, "src")
			if nonce, _ := attribute(n, "nonce"); kind != "application/json" && !(deferred && loaded && nonce != "" && textContent(n) == "") {
				t.Error("a script that runs inline, or holds up the page")
			}
		}
		for _, a := range n.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				t.Errorf("an attribute %s on %s", a.Key, n.Data)
			}
		}
	}
}

// checkAddresses: every address lies under the base path, or in the page, and
// what is loaded is there.
func checkAddresses(t *testing.T, doc *html.Node) {
	t.Helper()
	for _, n := range elements(doc, func(*html.Node) bool { return true }) {
		for _, a := range n.Attr {
			if !addresses[a.Key] || strings.HasPrefix(a.Val, "#") || strings.HasPrefix(a.Val, "data:image/") {
				continue
			}
			path, under := strings.CutPrefix(a.Val, "/prefix")
			if !under {
				t.Errorf("%s %s=%q leaves the base path", n.Data, a.Key, a.Val)
			}
			if strings.HasPrefix(path, "/static/") {
				w := httptest.NewRecorder()
				static.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
				if w.Code != http.StatusOK {
					t.Errorf("%s answers %d", path, w.Code)
				}
			}
		}
	}
}

// checkLandmarks: the parts of rows that scroll are no landmarks, of which each
// must have a name of its own.
func checkLandmarks(t *testing.T, doc *html.Node) {
	t.Helper()
	for _, n := range elements(doc, func(*html.Node) bool { return true }) {
		if role, _ := attribute(n, "role"); role == "region" {
			t.Errorf("%s is a landmark", n.Data)
		}
	}
}

// checkIDs: an id is there once, and what refers to one finds it.
func checkIDs(t *testing.T, doc *html.Node) {
	t.Helper()
	ids := map[string]bool{}
	live := func(n *html.Node) bool { return !insideTemplate(n) }
	for _, n := range elements(doc, insideTemplate) {
		if id, ok := attribute(n, "id"); ok && id == "" {
			t.Error("a template has an empty id")
		}
	}
	for _, n := range elements(doc, live) {
		if id, ok := attribute(n, "id"); ok {
			if ids[id] || id == "" {
				t.Errorf("id %q is there twice, or empty", id)
			}
			ids[id] = true
		}
	}
	for _, n := range elements(doc, live) {
		for _, name := range []string{"for", "form", "popovertarget", "aria-describedby", "href"} {
			target, ok := attribute(n, name)
			if name == "href" && !strings.HasPrefix(target, "#") {
				continue
			}
			if ok && !ids[strings.TrimPrefix(target, "#")] {
				t.Errorf("%s=%q finds nothing", name, target)
			}
		}
	}
}

func checkRefresh(t *testing.T, doc *html.Node, want bool) {
	t.Helper()
	if got := len(elements(doc, withAttribute("http-equiv"))) > 0; got != want {
		t.Errorf("the page loads itself again: %v", got)
	}
	posts := elements(only(t, doc, named("main")), named("form"))
	if want && len(posts) > 0 {
		t.Error("the view that refreshes itself has forms")
	}
}

func checkForms(t *testing.T, doc *html.Node) {
	t.Helper()
	for _, f := range elements(doc, named("form")) {
		if method, _ := attribute(f, "method"); method != "post" {
			t.Errorf("a form with method %q", method)
		}
		if action, ok := attribute(f, "action"); !ok || action == "" {
			t.Error("a form without an action")
		}
	}
	for _, b := range append(elements(doc, named("button")), elements(doc, named("select"))...) {
		if strings.TrimSpace(textContent(b)) == "" {
			t.Error("a button without a name")
		}
	}
}

// TestMessageBox holds the names that scripts and tests go by.
func TestMessageBox(t *testing.T) {
	t.Parallel()
	v := viewIn(locales.English)
	doc := parse(t, render(t, SessionPage(v, sessionView(t))))
	box := only(t, doc, named("textarea"))
	id, _ := attribute(box, "id")
	label := only(t, doc, func(n *html.Node) bool { target, _ := attribute(n, "for"); return target == id })
	if textContent(label) != "Message" {
		t.Errorf("the box is named %q", textContent(label))
	}
	names := map[string]bool{}
	for _, b := range elements(doc, named("button")) {
		names[strings.TrimSpace(textContent(b))] = true
	}
	for _, want := range []string{"Send", "Stop", "Sign out"} {
		if !names[want] {
			t.Errorf("no button is named %s", want)
		}
	}
	fields := map[string]string{}
	for _, input := range elements(doc, named("input")) {
		name, _ := attribute(input, "name")
		fields[name], _ = attribute(input, "value")
	}
	if fields["request_id"] != "r9" || fields["tags"] != `[{"id":"x"}]` {
		t.Errorf("the form carries %v", fields)
	}
	status := elements(doc, func(n *html.Node) bool { role, _ := attribute(n, "role"); return role == "status" })
	if len(status) != 1 || textContent(status[0]) != "" || !withClass("vh")(status[0]) {
		t.Error("there is not one status element, empty and for assistive technology alone")
	}
	if got := textContent(only(t, doc, withID("notice"))); got != "Saved." {
		t.Errorf("the notice says %q", got)
	}
	transcript := only(t, doc, withID("transcript"))
	for a := range status[0].Ancestors() {
		if a == transcript {
			t.Error("the status is inside the log")
		}
	}
	if live, _ := attribute(transcript, "aria-live"); live != "off" {
		t.Error("the log announces by itself")
	}
}

// TestRequired: a form that may go out with its tags alone must not ask for text.
func TestRequired(t *testing.T) {
	t.Parallel()
	for tags, want := range map[string]bool{"": true, "[]": true, " [] ": true, `[{"id":"x"}]`: false} {
		doc := parse(t, render(t, Composing(viewIn(locales.English), Composer{Tags: tags})))
		if _, got := attribute(only(t, doc, named("textarea")), "required"); got != want {
			t.Errorf("tags %q: required is %v, want %v", tags, got, want)
		}
	}
}

// TestOneShape: open and closed block, queue row and bubble are the same
// elements, so that one can become the other in place.
func TestOneShape(t *testing.T) {
	t.Parallel()
	v := viewIn(locales.English)
	for _, thought := range []bool{false, true} {
		n := &session.TextNode{NodeBase: session.NodeBase{Key: "b-t-1", At: early}, Thought: thought, Open: true}
		closed := render(t, Row(v, "s1", n))
		open := render(t, OpenBlockRow(v, OpenBlock{Key: "b-t-1", Thought: thought, Done: "<p></p>", At: early}))
		if open != closed {
			t.Errorf("thought %v: open block\n%s\nrow\n%s", thought, open, closed)
		}
	}
	bubble := parse(t, render(t, Row(v, "s1", &session.UserNode{NodeBase: session.NodeBase{Key: session.MessageKey("q1"), Seq: 3}, RequestID: "q1", Content: "x"})))
	queued := parse(t, render(t, Queue(v, QueueView{SessionID: "s1", Rows: []QueueRow{{RequestID: "q1", State: "queued", Content: "x"}}})))
	a, b := only(t, bubble, named("article")), only(t, queued, named("article"))
	for _, name := range []string{"id", "class", "data-role", "data-request-id"} {
		x, _ := attribute(a, name)
		if y, _ := attribute(b, name); x != y || x == "" {
			t.Errorf("%s is %q in the transcript and %q in the queue", name, x, y)
		}
	}
}

// maxFirstPaint is what must cross the wire before a session can be seen and
// written in, compressed, in bytes.
const maxFirstPaint = 50 << 10

func TestFirstPaint(t *testing.T) {
	t.Parallel()
	v := viewIn(locales.English)
	s := sessionView(t)
	s.Rows = nil
	for i := range 50 {
		for name, n := range nodes(t) {
			if (i+len(name))%5 == 0 {
				n.Base().Key = session.EventKey(int64(i*100 + len(s.Rows)))
				s.Rows = append(s.Rows, n)
			}
		}
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, static.URL("", "app.css"), nil)
	r.Header.Set("Accept-Encoding", "gzip")
	static.Handler().ServeHTTP(w, r)
	page, css := zipped(t, render(t, SessionPage(v, s))), w.Body.Len()
	if page+css > maxFirstPaint {
		t.Errorf("page %d and style sheet %d bytes compressed, together over %d", page, css, maxFirstPaint)
	}
	t.Logf("%d rows: page %d, style sheet %d bytes compressed", len(s.Rows), page, css)
}

func zipped(t *testing.T, s string) int {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

// TestRefreshLeadsElsewhere: a link to the address that the page has, "#end"
// and all, would scroll instead of loading anything.
func TestRefreshLeadsElsewhere(t *testing.T) {
	t.Parallel()
	v := viewIn(locales.English)
	refresh := func(v View) string {
		doc := parse(t, render(t, RunLine(v, "s1", "t1", true)))
		target, _ := attribute(elements(doc, named("a"))[0], "href")
		return target
	}
	first := refresh(v)
	v.Now = v.Now.Add(time.Second)
	if second := refresh(v); first == second || first == v.URLs.SessionNewest("s1") || !strings.HasSuffix(first, "#end") {
		t.Errorf("%s, then %s", first, second)
	}
}
