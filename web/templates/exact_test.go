package templates

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/a-h/templ"
	"golang.org/x/net/html"

	"webshell/composer"
	"webshell/internal/session"
	"webshell/web/locales"
)

// contents are texts that markup, white space rules, parsers or bidi handling
// could change on their way.
var contents = []string{
	"plain",
	"  leading and trailing  ",
	"\n\nline breaks first",
	"line break last\n",
	"three last\n\n\n",
	"\n",
	"\ttabs\t\tinside\t",
	"CRLF\r\nand CR\ralone\r",
	"a  b   c\u00a0d\u2003e\u2028f\u0085g",
	"<script>alert(1)</script> & &amp; &#13; &lt; \" '",
	"</div></article><!-- --> <![CDATA[x]]>",
	"emoji 😀 family 👩‍👩‍👧‍👦 flag 🏴󠁧󠁢󠁳󠁣󠁴󠁿 e\u0301",
	"مرحبا @a עולם \u202Egnirts\u202C \u200F\u2066x\u2069",
	"zero\u200Bwidth\u200C\u200D\uFEFF",
	"controls \x01\x08\x0b\x0c\x1b\x7f",
	"replacement \uFFFD",
	strings.Repeat("long line ", 400),
	strings.Repeat("行\n", 60),
}

// TestMessageTextIsContent holds the promise that what a reader selects in a
// bubble is what was sent: the element's text equals the content.
func TestMessageTextIsContent(t *testing.T) {
	t.Parallel()
	for _, content := range contents {
		checkExact(t, content, nil)
		for _, covered := range []string{"@a", "@f:x y", "@ملف", "@😀", "<b>&"} {
			for _, c := range []string{covered + content, content + covered, content + covered + content} {
				checkExact(t, c, []composer.Annotation{
					reference(t, c, covered, composer.Reference{ID: "1", Kind: ptr("dataset"), Label: ptr("A \"label\""), Value: ptr("<i>v</i>")}),
				})
			}
		}
	}
}

func checkExact(t *testing.T, content string, annotations []composer.Annotation) {
	t.Helper()
	v := viewIn(locales.English)
	for name, c := range map[string]templ.Component{
		"bubble": Row(v, "s1", &session.UserNode{NodeBase: base(1), RequestID: "r", Content: content, Annotations: annotations}),
		"queue":  Queue(v, QueueView{SessionID: "s1", Rows: []QueueRow{{RequestID: "r", State: "queued", Content: content, Annotations: annotations}}}),
	} {
		doc := parse(t, render(t, c))
		if got := textContent(only(t, doc, withClass("message-content"))); got != content {
			t.Errorf("%s: text is %q, want %q", name, got, content)
		}
		if got := len(elements(doc, withClass("chip"))); got != len(annotations) {
			t.Errorf("%s: %q shows %d chips, want %d", name, content, got, len(annotations))
		}
	}
}

func FuzzMessageText(f *testing.F) {
	for _, c := range contents {
		f.Add(c, 0, 2)
	}
	v := viewIn(locales.English)
	f.Fuzz(func(t *testing.T, content string, start, length int) {
		if !utf8.ValidString(content) || strings.ContainsRune(content, 0) {
			t.Skip("never stored")
		}
		var annotations []composer.Annotation
		if end := start + length; start >= 0 && length > 0 && end > 0 && end <= len(content) {
			annotations = []composer.Annotation{{
				Type: composer.TypeReference, Start: start, End: end, Text: content[start:end],
				Reference: &composer.Reference{ID: content},
			}}
		}
		n := &session.UserNode{NodeBase: base(1), Content: content, Annotations: annotations}
		doc := parse(t, render(t, Row(v, "s1", n)))
		if got := textContent(only(t, doc, withClass("message-content"))); got != content {
			t.Errorf("text is %q, want %q", got, content)
		}
	})
}

// TestExactFields checks the other places where every character counts.
func TestExactFields(t *testing.T) {
	t.Parallel()
	v := viewIn(locales.English)
	for _, text := range []string{"x", "\nx", "\n\nx\n", "  x\t", "a\tb & </textarea></pre>"} {
		doc := parse(t, render(t, Composing(v, Composer{Text: text, Tags: `[{"id":"` + text + `"}]`})))
		if got := textContent(only(t, doc, named("textarea"))); got != text {
			t.Errorf("textarea holds %q, want %q", got, text)
		}
		tags := only(t, doc, func(n *html.Node) bool { name, _ := attribute(n, "name"); return name == "tags" })
		if got, _ := attribute(tags, "value"); got != `[{"id":"`+text+`"}]` {
			t.Errorf("tags hold %q", got)
		}
		n := &session.PermissionNode{NodeBase: base(1), Request: session.PermissionRequested{Detail: text}}
		doc = parse(t, render(t, Row(v, "s1", n)))
		if got := textContent(only(t, doc, withClass("detail"))); got != text {
			t.Errorf("permission shows %q, want %q", got, text)
		}
		open := OpenBlock{Tail: text, Plain: true}
		doc = parse(t, render(t, OpenBlockRow(v, open)))
		if got := textContent(only(t, doc, withClass("tail"))); got != text {
			t.Errorf("open block shows %q, want %q", got, text)
		}
	}
}

// TestPermissionIsWhole: what is to be allowed is never cut.
func TestPermissionIsWhole(t *testing.T) {
	t.Parallel()
	detail := strings.Repeat("safe && ", 50_000) + "rm -rf /"
	n := &session.PermissionNode{NodeBase: base(1), Request: session.PermissionRequested{Detail: detail}}
	doc := parse(t, render(t, Row(viewIn(locales.English), "s1", n)))
	if got := textContent(only(t, doc, withClass("detail"))); got != detail {
		t.Errorf("shows %d bytes of %d", len(got), len(detail))
	}
}

func TestHostContentIsAskedForMessagesOnly(t *testing.T) {
	t.Parallel()
	v := viewIn(locales.English)
	v.UserContent = func(_ context.Context, m UserMessage) templ.Component {
		t.Errorf("asked to draw %+v", m)
		return nil
	}
	render(t, HomePage(v, Home{}))
}

func TestHostContent(t *testing.T) {
	t.Parallel()
	v := viewIn(locales.English)
	var got []UserMessage
	v.UserContent = func(_ context.Context, m UserMessage) templ.Component {
		got = append(got, m)
		if m.Content == "ours" {
			return nil
		}
		return exact("drawn by the host")
	}
	for content, want := range map[string]string{"ours": "ours", "theirs": "drawn by the host"} {
		n := &session.UserNode{NodeBase: base(1), RequestID: "r1", Content: content}
		doc := parse(t, render(t, Row(v, "s1", n)))
		if text := textContent(only(t, doc, withClass("message-content"))); text != want {
			t.Errorf("%q is drawn as %q, want %q", content, text, want)
		}
	}
	if len(got) != 2 || got[0].ID != "r1" {
		t.Errorf("the hook got %+v", got)
	}
	foreign := bubbleOf(&session.UserNode{NodeBase: base(7)}).forHost()
	if foreign.ID != "e-7" {
		t.Errorf("a message without a request id has the id %q", foreign.ID)
	}
}
