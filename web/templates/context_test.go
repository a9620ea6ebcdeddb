package templates

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"webshell/internal/session"
	"webshell/web/locales"
)

// contextNode is the row that the fold makes of a context message.
func contextNode(source, form, content string) *session.ContextNode {
	body := "{}"
	if form != "" {
		body = `{"form":` + form + `}`
	}
	e := session.Event{
		Seq: 13, At: early, Source: json.RawMessage(source), Content: content,
		Payload: session.DecodePayload(session.KindContextMessage, json.RawMessage(body)),
	}
	return session.Fold("t1", []session.Event{e}).Nodes[0].(*session.ContextNode)
}

// contextNodes are a row for each line of the table of sources, for each form,
// and for each way in which either cannot be read.
func contextNodes() map[string]session.Node {
	const plugin = `{"kind":"plugin","plugin":"example/clock"}`
	const text = "Use tabs.\n\nRun tests."
	return map[string]session.Node{
		"context-session-reference":      contextNode(`{"kind":"session-reference","references":[{"label":"Release notes"},{"label":"Plan"}]}`, "", text),
		"context-workspace-instructions": contextNode(`{"kind":"workspace-instructions","changes":[{"path":"AGENTS.md"},{"path":"docs/STYLE.md"}]}`, "", text),
		"context-agent-instructions":     contextNode(`{"kind":"agent-instructions","changes":[{"path":"RULES.md"}]}`, "", text),
		"context-plugin":                 contextNode(plugin, "", text),
		"context-skill-invocation":       contextNode(`{"kind":"skill-invocation","name":"review"}`, "", text),
		"context-reference":              contextNode(`{"kind":"reference","references":[{"label":"main.go"}]}`, "", text),
		"context-other":                  contextNode(`{"kind":"weather-station","station":"roof"}`, "", text),
		"context-unnamed":                contextNode(``, "", "from somewhere"),
		"context-kind-unreadable":        contextNode(`{"kind":5,"plugin":"x"}`, "", text),
		"context-name-unreadable":        contextNode(`{"kind":"plugin","plugin":["x"]}`, "", text),
		"context-source-unreadable":      contextNode(`["plugin"]`, "", text),
		"context-empty":                  contextNode(plugin, "", ""),

		"context-form-instructions": contextNode(plugin, `{"kind":"instructions","files":[{"path":"AGENTS.md","change":"added"},{"path":"docs/STYLE.md","change":"updated"},{"path":"OLD.md","change":"removed"}]}`, text),
		"context-form-catalog":      contextNode(plugin, `{"kind":"catalog","items":[{"name":"review","description":"Read a change,\ntests first"},{"name":"bare"}]}`, text),
		"context-form-snapshot":     contextNode(plugin, `{"kind":"snapshot","sections":[{"name":"Time","text":"Monday,\nnine o'clock"},{"name":"Place","text":""}]}`, text),
		"context-form-notice":       contextNode(plugin, `{"kind":"notice","summary":"The build has ended"}`, text),
		"context-form-relay":        contextNode(plugin, `{"kind":"relay","session":"Plan for the release"}`, text),
		"context-form-recall":       contextNode(`{"kind":"session-reference","references":[{"label":"Plan"}]}`, `{"kind":"recall","kept":1,"omitted":30,"truncated":true}`, text),
		"context-form-recall-whole": contextNode(`{"kind":"session-reference","references":[{"label":"Plan"}]}`, `{"kind":"recall","kept":12,"omitted":0}`, text),
		"context-form-textless":     contextNode(plugin, `{"kind":"catalog","items":[{"name":"review"}]}`, ""),
		"context-form-unreadable":   contextNode(plugin, `{"kind":"notice","summary":["no line"]}`, text),
		"context-form-unknown":      contextNode(plugin, `{"kind":"map","scale":3}`, text),
	}
}

// TestUnreadableFormsHideNothing: a form that cannot be read leaves the text
// whole, and shows what it was and the rest of the source.
func TestUnreadableFormsHideNothing(t *testing.T) {
	t.Parallel()
	for _, form := range []string{
		`"seen"`, `["seen"]`, `{"summary":"seen"}`, `{"kind":"seen"}`,
		`{"kind":"instructions","files":[{"path":"seen","change":"lost"}]}`,
		`{"kind":"catalog","items":[{"name":"seen"},5]}`,
		`{"kind":"snapshot","sections":[{"name":"seen"}]}`,
		`{"kind":"notice","summary":{"seen":1}}`,
		`{"kind":"relay","session":["seen"]}`,
		`{"kind":"recall","kept":"seen","omitted":1}`,
	} {
		doc := parse(t, render(t, Row(viewIn(locales.English), "s1", contextNode(`{"kind":"plugin","plugin":"clock"}`, form, "all\nof it"))))
		if kind, _ := attribute(only(t, doc, named("details")), "data-context-form"); kind != "plain" {
			t.Errorf("%s is drawn as %s", form, kind)
		}
		body := textContent(only(t, doc, withClass("context-body")))
		if !strings.HasPrefix(body, "all\nof it") || !strings.Contains(body, "seen") || !strings.Contains(body, `"plugin": "clock"`) {
			t.Errorf("%s shows %q", form, body)
		}
	}
}

// TestPartsAreBounded: 200 entries of a list, and no more once they come to
// 20,000 characters; the others are counted.
func TestPartsAreBounded(t *testing.T) {
	t.Parallel()
	items := func(n int, description string) *session.CatalogForm {
		form := new(session.CatalogForm)
		for i := range n {
			form.Items = append(form.Items, session.CatalogItem{Name: fmt.Sprintf("%03d", i), Description: description})
		}
		return form
	}
	for name, c := range map[string]struct {
		form        *session.CatalogForm
		shown, more int
		cut         int // characters left out of the last entry
	}{
		"some":                 {items(3, ""), 3, 0, 0},
		"as many as are shown": {items(200, "x"), 200, 0, 0},
		"more":                 {items(203, "x"), 200, 3, 0},
		"long ones":            {items(10, strings.Repeat("行", 5_997)), 4, 6, 3_997},
		"a very long one":      {items(2, strings.Repeat("x", 30_000)), 1, 1, 10_000},
	} {
		list := itemsOf(c.form)
		if len(list.Parts) != c.shown || list.More != c.more {
			t.Errorf("%s: %d shown, %d more", name, len(list.Parts), list.More)
		}
		if got := list.Parts[len(list.Parts)-1].Text.Left; got != c.cut {
			t.Errorf("%s: %d characters cut", name, got)
		}
	}
	page := render(t, Row(viewIn(locales.English), "s1", &session.ContextNode{NodeBase: base(1), Form: items(203, "x")}))
	if strings.Count(page, "<dt>") != 200 || !strings.Contains(page, "… 3 more") {
		t.Error("the row does not count what it leaves out")
	}
}

// TestNamesInLinesAreBounded: a log from elsewhere may hold a label of any size.
func TestNamesInLinesAreBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("行", shortRunes+1)
	for _, n := range []session.Node{
		contextNode(`{"kind":"`+long+`"}`, "", "x"),
		&session.UserNode{NodeBase: base(1), Content: "x", Recalled: long},
	} {
		page := render(t, Row(viewIn(locales.English), "s1", n))
		if strings.Contains(page, long) || !strings.Contains(page, long[:len("行")*shortRunes]+"…") {
			t.Errorf("%T: the name is not cut", n)
		}
	}
}
