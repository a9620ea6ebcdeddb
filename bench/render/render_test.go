// Package render compares the templates of the product with a twin of their
// bubble in html/template: the same markup from the same message.
//
//	go test ./bench/render -bench . -benchmem
package render

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/net/html"

	"webshell/composer"
	"webshell/internal/session"
	"webshell/web/locales"
	"webshell/web/templates"
)

const text = "compare @Makefile with @src/Makefile and look at @dataset:users, then say which sets the compiler"

const tags = `[{"id":"a","kind":"file","value":"Makefile","serialized":"@Makefile","start":8,"end":17},
	{"id":"b","kind":"file","value":"src/Makefile","serialized":"@src/Makefile","start":23,"end":36},
	{"id":"c","kind":"dataset","label":"Dataset","value":"users","serialized":"@dataset:users","start":49,"end":63}]`

var at = time.Date(2026, 11, 1, 9, 30, 0, 0, time.UTC)

func message(tb testing.TB, seq int64) *session.UserNode {
	tb.Helper()
	m, _, err := composer.Build(text, []byte(tags))
	if err != nil || len(m.Annotations) != 3 {
		tb.Fatal(len(m.Annotations), err)
	}
	id := uuid.NewSHA1(uuid.Nil, fmt.Append(nil, seq)).String()
	return &session.UserNode{
		NodeBase:  session.NodeBase{Key: session.MessageKey(id), Seq: seq, At: at},
		RequestID: id, Content: m.Content, Annotations: m.Annotations,
	}
}

func view(tb testing.TB) templates.View {
	tb.Helper()
	icons, err := templates.NewIconSet(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return templates.View{P: locales.For("en"), Icons: icons, Now: at}
}

// twin is the bubble as html/template would have it. Its icons are taken from
// the product's own output, so that both write the same bytes of them.
const twinSource = `{{define "bubble"}}<article id="{{.Key}}" class="row mine" data-role="user" aria-label="{{.Label}}" data-seq="{{.Seq}}" data-request-id="{{.RequestID}}" data-state="logged"><div class="line"><div class="aside"><button type="button" class="copy" data-copy="" title="{{.Copy}}"><svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z"></path></svg><span class="vh">{{.Copy}}</span></button><time class="at" datetime="{{.Stamp}}">{{.Clock}}</time></div><div class="bubble"><div class="message-content" dir="auto">
{{- range .Spans}}{{if .Chip}}{{with .Chip}}<bdi class="chip" role="img" aria-label="{{.Kind}} {{.Text}}" title="{{.Text}}" data-kind="{{.Kind}}" data-id="{{.ID}}" data-start="{{.Start}}" data-end="{{.End}}">{{icon .Kind}}<span class="chip-face"{{if .Label}} data-label="{{.Label}}"{{end}} data-value="{{.Value}}"></span><span class="chip-text">{{.Text}}</span></bdi>{{end}}{{else}}{{.Text}}{{end}}{{end -}}
</div></div></div></article>{{end}}{{define "page"}}{{range .}}{{template "bubble" .}}{{end}}{{end}}`

type twinSpan struct {
	Text string
	Chip *composer.Chip
}

type twinBubble struct {
	Key, Label, Copy, RequestID, Stamp, Clock string
	Seq                                       int64
	Spans                                     []twinSpan
}

func twinOf(n *session.UserNode) twinBubble {
	b := twinBubble{
		Key: n.Key, Label: locales.For("en").T("row.user"), Copy: locales.For("en").T("message.copy"), RequestID: n.RequestID, Seq: n.Seq,
		Stamp: n.At.UTC().Format(time.RFC3339), Clock: locales.For("en").Clock(n.At, at),
	}
	for _, s := range composer.Spans(n.Content, n.Annotations) {
		span := twinSpan{Text: s.Text}
		if s.Annotation != nil {
			chip := composer.ChipOf(*s.Annotation)
			span.Chip = &chip
		}
		b.Spans = append(b.Spans, span)
	}
	return b
}

func twin(tb testing.TB) *template.Template {
	tb.Helper()
	icons := map[string]template.HTML{}
	var out bytes.Buffer
	if err := templates.Row(view(tb), "", message(tb, 1)).Render(context.Background(), &out); err != nil {
		tb.Fatal(err)
	}
	for chip := range strings.SplitSeq(out.String(), `<bdi `) {
		if _, rest, ok := strings.Cut(chip, `data-kind="`); ok {
			kind, rest, _ := strings.Cut(rest, `"`)
			svg := rest[strings.Index(rest, "<svg") : strings.Index(rest, "</svg>")+len("</svg>")]
			icons[kind] = template.HTML(svg)
		}
	}
	return template.Must(template.New("").Funcs(template.FuncMap{
		"icon": func(kind string) template.HTML { return icons[kind] },
	}).Parse(twinSource))
}

// The twin is one only as long as it draws the same.
func TestTheTwinDrawsTheSame(t *testing.T) {
	n := message(t, 3)
	var ours, theirs bytes.Buffer
	if err := templates.Row(view(t), "", n).Render(t.Context(), &ours); err != nil {
		t.Fatal(err)
	}
	if err := twin(t).ExecuteTemplate(&theirs, "bubble", twinOf(n)); err != nil {
		t.Fatal(err)
	}
	if a, b := normal(t, ours.String()), normal(t, theirs.String()); a != b {
		t.Errorf("ours:\n%s\ntwin:\n%s", a, b)
	}
}

func normal(t *testing.T, fragment string) string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(fragment))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := html.Render(&b, doc); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestABubbleTakesFewAllocations(t *testing.T) {
	v, n := view(t), message(t, 3)
	got := testing.AllocsPerRun(100, func() {
		if err := templates.Row(v, "", n).Render(t.Context(), io.Discard); err != nil {
			t.Fatal(err)
		}
	})
	if got > 60 {
		t.Errorf("%v allocations for a bubble with three chips", got)
	}
}

func BenchmarkBubble(b *testing.B) {
	n := message(b, 3)
	b.Run("templ", func(b *testing.B) {
		v := view(b)
		b.ReportAllocs()
		for b.Loop() {
			if err := templates.Row(v, "", n).Render(b.Context(), io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("html-template", func(b *testing.B) {
		t := twin(b)
		b.ReportAllocs()
		for b.Loop() {
			if err := t.ExecuteTemplate(io.Discard, "bubble", twinOf(n)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkPage draws 1,000 messages; its ratio is measured in one run, page
// by page in turn, so that a noisy machine is noisy for both.
func BenchmarkPage(b *testing.B) {
	nodes := make([]*session.UserNode, 1000)
	for i := range nodes {
		nodes[i] = message(b, int64(i+1))
	}
	v, t := view(b), twin(b)
	var ours, theirs time.Duration
	for b.Loop() {
		began := time.Now()
		for _, n := range nodes {
			if err := templates.Row(v, "", n).Render(b.Context(), io.Discard); err != nil {
				b.Fatal(err)
			}
		}
		half := time.Now()
		page := make([]twinBubble, len(nodes))
		for i, n := range nodes {
			page[i] = twinOf(n)
		}
		if err := t.ExecuteTemplate(io.Discard, "page", page); err != nil {
			b.Fatal(err)
		}
		ours += half.Sub(began)
		theirs += time.Since(half)
	}
	b.ReportMetric(float64(theirs)/float64(ours), "times-faster")
	b.ReportMetric(float64(ours.Microseconds())/float64(b.N), "templ-µs/page")
	b.ReportMetric(float64(theirs.Microseconds())/float64(b.N), "twin-µs/page")
}
