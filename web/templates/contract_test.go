package templates

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"webshell/composer"
	"webshell/internal/session"
	"webshell/web/locales"
	"webshell/web/static"
)

// composingPages are the pages with a composer.
var composingPages = []string{"home", "home-empty", "session", "session-idle", "session-long", "session-edit", "error-kept"}

// TestWhatScriptsFind: every page with a composer has what scripts go by.
func TestWhatScriptsFind(t *testing.T) {
	t.Parallel()
	v := viewIn(locales.English)
	all := pages(t, v)
	for _, name := range composingPages {
		doc := parse(t, render(t, all[name]))
		for _, id := range []string{"composer", "stop", "bubble-template", "queue-template", "chip-template", "icons", "words"} {
			only(t, doc, withID(id))
		}
		preload := only(t, doc, func(n *html.Node) bool { rel, _ := attribute(n, "rel"); return rel == "modulepreload" })
		editor, _ := attribute(only(t, doc, named("html")), "data-editor")
		if href, _ := attribute(preload, "href"); href != editor || editor != static.URL("/prefix", "editor.js") {
			t.Errorf("%s: the editor is %q, loaded ahead is %q", name, editor, href)
		}
	}
	for _, name := range []string{"home", "session"} {
		doc := parse(t, render(t, all[name]))
		for _, id := range []string{"transcript", "queue", "run-line", "end", "status", "notice", "bar", "session-list", "settings"} {
			only(t, doc, withID(id))
		}
		only(t, doc, withClass("jump"))
		app := only(t, doc, withClass("app"))
		for attr, want := range map[string]string{
			"data-session-url": "/prefix/sessions/{id}", "data-sessions": "/prefix/sessions", "data-mentions": "/prefix/mentions",
			"data-commands": "/prefix/commands", "data-status": "/prefix/status", "data-login": "/prefix/login", "data-view": name,
		} {
			if got, _ := attribute(app, attr); got != want {
				t.Errorf("%s: %s is %q", name, attr, got)
			}
		}
	}
}

// TestBubbleTemplate: the template's bubble has the shape of a logged message,
// with its ways out, which no message from the server has.
func TestBubbleTemplate(t *testing.T) {
	t.Parallel()
	v := viewIn(locales.English)
	page := parse(t, render(t, pages(t, v)["home"]))
	row := only(t, only(t, page, withID("bubble-template")), named("article"))
	if _, ok := attribute(row, "id"); ok {
		t.Error("the template's row has an id")
	}
	if state, _ := attribute(row, "data-state"); state != "sending" {
		t.Errorf("state %s", state)
	}
	if content := only(t, row, withClass("message-content")); content.FirstChild != nil {
		t.Error("the template's message is not empty")
	}
	if got := textContent(only(t, row, withClass("state"))); got != "Sending" {
		t.Errorf("the state says %q", got)
	}
	only(t, row, withClass("state-detail"))
	names := map[string]string{}
	for _, b := range elements(row, withAttribute("data-action")) {
		action, _ := attribute(b, "data-action")
		names[action] = textContent(b)
		if _, hidden := attribute(b, "hidden"); !hidden {
			t.Errorf("%s is seen at once", action)
		}
	}
	if want := map[string]string{"retry": "Retry", "edit": "Edit", "cancel": "Cancel"}; !maps.Equal(names, want) {
		t.Errorf("actions %v", names)
	}
	logged := parse(t, render(t, Row(v, "s1", nodes(t)["user"])))
	queued := parse(t, render(t, Queue(v, sessionView(t).Queue)))
	for _, doc := range []*html.Node{logged, queued} {
		if len(elements(doc, withAttribute("data-action")))+len(elements(doc, withClass("state-detail"))) != 0 {
			t.Error("a message from the server has a script's buttons")
		}
	}
	for _, class := range []string{"line", "aside", "copy", "at", "bubble", "message-content"} {
		only(t, row, withClass(class))
		only(t, logged, withClass(class))
	}
}

// TestChipTemplate: filled, the template is the chip that the server draws.
func TestChipTemplate(t *testing.T) {
	t.Parallel()
	content := "see @Makefile"
	n := &session.UserNode{NodeBase: base(1), Content: content, Annotations: []composer.Annotation{
		reference(t, content, "@Makefile", composer.Reference{ID: "f", Kind: ptr("file"), Value: ptr("Makefile")}),
	}}
	v := viewIn(locales.English)
	want := only(t, parse(t, render(t, Row(v, "s1", n))), withClass("chip"))
	page := parse(t, render(t, pages(t, v)["home"]))
	chip := only(t, only(t, page, withID("chip-template")), withClass("chip"))
	set := func(n *html.Node, values map[string]string) {
		for i, a := range n.Attr {
			if value, ok := values[a.Key]; ok {
				n.Attr[i].Val = value
			}
		}
	}
	set(chip, map[string]string{"aria-label": "file @Makefile", "title": "@Makefile", "data-kind": "file", "data-id": "f", "data-start": "4", "data-end": "13"})
	set(only(t, chip, withClass("chip-face")), map[string]string{"data-value": "Makefile"})
	only(t, chip, withClass("chip-text")).AppendChild(&html.Node{Type: html.TextNode, Data: "@Makefile"})
	icon := only(t, only(t, page, withID("icons")), func(n *html.Node) bool { kind, _ := attribute(n, "data-kind"); return kind == "file" }).FirstChild
	icon.Parent.RemoveChild(icon)
	chip.InsertBefore(icon, chip.FirstChild)
	chip.RemoveChild(icon.NextSibling)
	if got := outer(t, chip); got != outer(t, want) {
		t.Errorf("filled\n%s\ndrawn\n%s", got, outer(t, want))
	}
}

func outer(t *testing.T, n *html.Node) string {
	t.Helper()
	var b strings.Builder
	if err := html.Render(&b, n); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestIcons: each kind's icon is there, a host's over ours, and one for the rest.
func TestIcons(t *testing.T) {
	t.Parallel()
	host, err := NewIconSet(map[string]string{"dataset": pixel, "file": "skill"})
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []*IconSet{nil, host} {
		v := viewIn(locales.English)
		v.Icons = set
		icons := only(t, parse(t, render(t, pages(t, v)["home"])), withID("icons"))
		found := map[string]string{}
		for _, n := range elements(icons, withAttribute("data-kind")) {
			kind, _ := attribute(n, "data-kind")
			found[kind] = outer(t, n.FirstChild)
		}
		want := []string{"", "dataset", "extension", "file", "mcp", "session", "skill"}
		if set == nil {
			want = slices.Delete(want, 1, 2)
		}
		if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, want) {
			t.Errorf("icons for %q", got)
		}
		if (found["file"] == found["skill"]) != (set != nil) {
			t.Error("the host's icon for files is not the one that was asked for")
		}
	}
}

// TestRunning: what holds only while a turn runs is there and hidden otherwise.
func TestRunning(t *testing.T) {
	t.Parallel()
	v := viewIn(locales.English)
	for _, running := range []bool{false, true} {
		doc := parse(t, render(t, Composing(v, Composer{Running: running, StopURL: v.URLs.Stop("s1")})))
		marked := elements(doc, withAttribute("data-when-running"))
		if len(marked) != 2 {
			t.Fatalf("%d elements are for a running turn", len(marked))
		}
		for _, n := range marked {
			if _, hidden := attribute(n, "hidden"); hidden == running {
				t.Errorf("running %v, hidden %v", running, hidden)
			}
		}
		if _, said := attribute(only(t, doc, withID("composer")), "data-running"); said != running {
			t.Errorf("running %v, data-running %v", running, said)
		}
		stop := only(t, doc, withID("stop"))
		for _, name := range []string{"action", "hx-post"} {
			if got, _ := attribute(stop, name); got != "/prefix/sessions/s1/stop" {
				t.Errorf("stop's %s is %s", name, got)
			}
		}
	}
	for _, tc := range []struct{ running, writing bool }{{false, false}, {true, false}, {true, true}} {
		line := only(t, parse(t, render(t, RunLine(v, "s1", map[bool]string{true: "t1"}[tc.running], tc.writing))), withID("run-line"))
		_, running := attribute(line, "data-running")
		_, hidden := attribute(line, "hidden")
		if running != tc.running || hidden == tc.writing {
			t.Errorf("%+v: running %v, hidden %v", tc, running, hidden)
		}
	}
}

// TestQueueRows: the buttons of a row stand in the same places from the message's
// way to the server on, and each that is disabled says why.
func TestQueueRows(t *testing.T) {
	t.Parallel()
	v := viewIn(locales.English)
	names := func(row *html.Node) (names []string) {
		for _, b := range elements(only(t, row, withClass("queue-actions")), named("button")) {
			names = append(names, strings.TrimSpace(textContent(b)))
			title, _ := attribute(b, "title")
			if _, disabled := attribute(b, "disabled"); disabled && (title == "" || title == names[len(names)-1]) {
				t.Errorf("%s does not say why it is disabled", names[len(names)-1])
			}
		}
		return names
	}
	page := parse(t, render(t, pages(t, v)["session"]))
	sending := only(t, only(t, page, withID("bubble-template")), named("article"))
	want := []string{"Edit", "Steer", "Send now", "Delete", "Move up", "Move down"}
	if got := names(sending); !slices.Equal(got, want) {
		t.Errorf("on its way: %q", got)
	}
	if n := len(elements(sending, withAttribute("disabled"))); n != len(want) {
		t.Errorf("on its way %d are disabled", n)
	}
	want[2] = "Stop and send"
	for _, row := range elements(only(t, page, withID("queue")), withAttribute("data-queue-row")) {
		if got := names(row); !slices.Equal(got, want) {
			t.Errorf("waiting: %q", got)
		}
	}
	watch := parse(t, render(t, pages(t, v)["watch"]))
	if forms := elements(only(t, watch, withID("queue")), named("form")); len(forms) != 0 {
		t.Errorf("the view that only shows has %d forms", len(forms))
	}
}

// TestSteeringIsCaptioned: waiting and in the log a steering message says what
// it is, once.
func TestSteeringIsCaptioned(t *testing.T) {
	t.Parallel()
	v := viewIn(locales.Chinese)
	q := QueueView{SessionID: "s1", Rows: []QueueRow{{RequestID: "q1", State: "steering", Content: "x"}}}
	for _, c := range []string{
		render(t, Queue(v.readOnly(), q)),
		render(t, Row(v, "s1", &session.UserNode{NodeBase: base(1), RequestID: "q1", Content: "x", Steering: true})),
	} {
		row := only(t, parse(t, c), named("article"))
		caption := only(t, row, withClass("caption"))
		if _, marked := attribute(row, "data-steering"); !marked || strings.TrimSpace(textContent(caption)) != "插话" || strings.Count(textContent(row), "插话") != 1 {
			t.Errorf("it says %q", textContent(row))
		}
	}
}

// TestQueueTemplate: the fold that a script makes is the one the server draws.
func TestQueueTemplate(t *testing.T) {
	t.Parallel()
	page := parse(t, render(t, pages(t, viewIn(locales.English))["session"]))
	shape := func(in *html.Node) string {
		summary := only(t, in, named("summary"))
		for _, class := range []string{"queue-count", "queue-status"} {
			if words := only(t, summary, withClass(class)); words.FirstChild != nil {
				words.RemoveChild(words.FirstChild)
			}
		}
		return outer(t, summary)
	}
	if made, drawn := shape(only(t, page, withID("queue-template"))), shape(only(t, page, withID("queue"))); made != drawn {
		t.Errorf("the template has\n%s\nthe queue\n%s", made, drawn)
	}
}
