package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"webshell/composer"
)

// drawn tells how the only message of a page is drawn, apart from its state.
const drawn = `(() => {
	const tell = (node) => node.nodeType === Node.TEXT_NODE ? JSON.stringify(node.data) :
		"<" + node.localName + " " + [...node.attributes].map((a) => a.name + "=" + JSON.stringify(a.value)).sort().join(" ") + ">" + [...node.childNodes].map(tell).join("") + "</>"
	const row = document.querySelector("article[data-request-id]")
	row.normalize()
	return JSON.stringify([row.id, row.className, row.ariaLabel, row.querySelector(".bubble").dataset.fold ?? "", tell(row.querySelector(".message-content"))])
})()`

// An echo is drawn as the server draws the message once it is stored.
func TestTheEchoLooksLikeTheMessage(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	p := proxied(s)
	c := s.client()
	b := openWatched(t)
	b.signIn(p.link())
	tag := func(text, form string, start int, more map[string]any) map[string]any {
		m := map[string]any{"id": "x", "serialized": form, "start": start, "end": start + composer.UTF16Len(form)}
		for name, value := range more {
			m[name] = value
		}
		return m
	}
	cases := []struct {
		name, text string
		tags       []map[string]any
	}{
		{"plain", "hello", nil},
		{"markup, quotes and spaces", "  <b>&amp;\"'</b>\t\ttab  ", nil},
		{"line breaks at the end", "a\n\nb\n", nil},
		{"carriage returns", "a\r\nb\rc\r", nil},
		{"a NUL and half a pair", "a\u0000b\ufffdc", nil},
		{"hidden characters stay in the text", "a\u202eb\u200bc", nil},
		{"a long line", strings.Repeat("word ", 400), nil},
		{"many lines", strings.Repeat("line\n", 30), nil},
		{"folds where it is narrow", strings.Repeat("a line of thirty characters or so\n", 10), nil},
		{"wide characters", strings.Repeat("漢字", 200), nil},
	}
	for kind, more := range map[string]map[string]any{
		"file":    {"kind": "file", "label": "Files", "value": "a/b c.go"},
		"session": {"kind": "session", "label": "Yesterday"},
		"dataset": {"kind": "dataset", "label": "Dataset \u202e", "value": "users"},
		"none":    {"label": " ", "value": ""},
		"bad":     {"kind": "No Kind", "label": strings.Repeat("x", 300), "value": "v"},
	} {
		text := "😀 look at @thing\\ here, twice: @thing\\ here\n"
		form := "@thing\\ here"
		first := strings.Index(text, form)
		second := strings.LastIndex(text, form)
		cases = append(cases, struct {
			name, text string
			tags       []map[string]any
		}{"a chip, " + kind, text, []map[string]any{
			tag(text, form, composer.UTF16Len(text[:first]), more), tag(text, form, composer.UTF16Len(text[:second]), more),
		}})
	}
	cases = append(cases, struct {
		name, text string
		tags       []map[string]any
	}{"a chip alone", "@x", []map[string]any{tag("@x", "@x", 0, map[string]any{"kind": "skill"})}})

	for _, m := range cases {
		session := c.begin()
		c.draft(session, m.text, m.tags...)
		b.do(chromedp.Navigate(p.url + "/sessions/" + session))
		b.ready()
		sending := p.catch(posts)
		b.focus(messageBox)
		b.press("Enter")
		x := sending.next()
		sending.open()
		echo := get(b, chromedp.Evaluate[string](drawn))
		p.stopStreams(true)
		x.pass()
		b.waits(`document.querySelector("article[data-state=logged]") !== null`)
		answered := get(b, chromedp.Evaluate[string](drawn))
		p.stopStreams(false)
		b.settled(1)
		live := get(b, chromedp.Evaluate[string](drawn))
		b.do(chromedp.Reload())
		b.ready()
		stored := get(b, chromedp.Evaluate[string](drawn))
		if echo != stored || answered != stored || live != stored {
			t.Errorf("%s:\necho     %s\nanswered %s\nlive     %s\nstored   %s", m.name, echo, answered, live, stored)
		}
	}
	s.interrupt()
}
