package markdown

import (
	"html"
	"os"
	"strings"
	"testing"
)

// urlCorpus reads testdata/urls.txt: one target a line, after "link " or
// "text " for what must and must not become a link. \t, \n, \r, \0 and \x01
// stand for those characters.
func urlCorpus(t testing.TB) (links, texts []string) {
	t.Helper()
	b, err := os.ReadFile("testdata/urls.txt")
	if err != nil {
		t.Fatal(err)
	}
	unescape := strings.NewReplacer(`\t`, "\t", `\n`, "\n", `\r`, "\r", `\0`, "\x00", `\x01`, "\x01")
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		kind, target, _ := strings.Cut(line, " ")
		target = unescape.Replace(target)
		switch kind {
		case "link":
			links = append(links, target)
		case "text":
			texts = append(texts, target)
		case "#":
		default:
			t.Fatalf("line %q", line)
		}
	}
	if len(links) < 10 || len(texts) < 60 {
		t.Fatalf("corpus of %d links and %d texts", len(links), len(texts))
	}
	return links, texts
}

// linkForms are the ways to write a link or image to a target.
func linkForms(target string) []string {
	return []string{
		"[x](" + target + ")",
		"[x](<" + target + ">)",
		"[x](" + target + " \"title\")",
		"![x](" + target + ")",
		"![x](<" + target + ">)",
		"<" + target + ">",
		target,
		"text " + target + " text",
		"[x]\n\n[x]: " + target,
		"[x]\n\n[x]: <" + target + ">",
		"![x][y]\n\n[y]: <" + target + ">",
		"[![x](" + target + ")](" + target + ")",
		"<a href=\"" + target + "\">x</a>",
		"<img src=\"" + target + "\" onerror=\"" + target + "\">",
		"| a |\n|---|\n| [x](<" + target + ">) |",
		"- [x](<" + target + ">)\n\n> ![x](<" + target + ">)",
	}
}

func TestURLs(t *testing.T) {
	t.Parallel()
	links, texts := urlCorpus(t)
	for _, target := range texts {
		for _, src := range linkForms(target) {
			out := Render(src)
			checkSafe(t, out)
			// What looks like a link inside the target may become one, but
			// never with a scheme that does something.
			for _, bad := range []string{`href="javascript`, `href="data`, `href="vbscript`, `href="//`, `href="/`, `src=`} {
				if i := strings.Index(strings.ToLower(out), "<a "+bad); i >= 0 {
					t.Errorf("%q became %s", src, out)
				}
			}
		}
		if out := Render("[x](<" + target + ">)"); strings.Contains(out, "<a href") && !strings.Contains(out, `>http`) {
			t.Errorf("target %q became a link: %s", target, out)
		}
	}
	for _, target := range links {
		out := Render("[x](<" + target + ">)")
		if !strings.Contains(out, `<a href="`) || !strings.Contains(out, ">x</a>") {
			t.Errorf("target %q is no link: %s", target, out)
		}
		checkSafe(t, out)
	}
}

func TestImagesAreLinks(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"![a picture](https://example.com/x.png)",
		"[![a picture](https://example.com/x.png)](https://example.com)",
		"![a picture][r]\n\n[r]: https://example.com/x.png",
	} {
		out := Render(src)
		if strings.Contains(out, "<img") || !strings.Contains(out, "md-image") || !strings.Contains(out, "a picture") {
			t.Errorf("%q became %s", src, out)
		}
	}
}

// TestPolicyChangesNothing holds that the writer makes only what the allow-list
// behind it lets through: the list is a second wall, not the first.
func TestPolicyChangesNothing(t *testing.T) {
	t.Parallel()
	docs := goldenSources(t)
	links, texts := urlCorpus(t)
	for _, target := range append(links, texts...) {
		for _, form := range linkForms(target) {
			docs[form] = form
		}
	}
	for name, src := range docs {
		var n normalizer
		text := n.flush(n.append(nil, src))
		doc, _ := parse(text, nil)
		w := newWriter(text, newHighlighter())
		w.blocks(doc)
		want := strings.NewReplacer(" disabled", ` disabled=""`, " checked>", ` checked="">`, "&quot;", "&#34;", "\r", "\n").Replace(w.out.String())
		if got := w.sanitized(); got != want {
			t.Errorf("%q: %s", name, diff(got, want))
		}
		w.free()
	}
}

// TestPolicyStandsAlone holds that the allow-list would stop what the writer
// never writes.
func TestPolicyStandsAlone(t *testing.T) {
	t.Parallel()
	links, texts := urlCorpus(t)
	for _, target := range append(links, texts...) {
		for _, raw := range []string{target, html.UnescapeString(target)} {
			got := sanitize([]byte(`<a href="` + html.EscapeString(raw) + `">x</a>`))
			if !strings.Contains(got, "href") {
				continue
			}
			lower := strings.ToLower(raw)
			if !strings.HasPrefix(lower, "https://") && !strings.HasPrefix(lower, "http://") && !strings.HasPrefix(lower, "mailto:") ||
				strings.ContainsAny(raw, "\x00\t\n\r \\") || strings.HasPrefix(strings.TrimLeft(lower, "htps"), ":///") {
				t.Errorf("%q became %s", raw, got)
			}
		}
	}
	for _, fragment := range []string{
		`<script>alert(1)</script>`, `<p onclick="x()">`, `<p style="color:red">`, `<p id="main">`, `<img src="https://x.example/">`,
		`<svg onload="x()"></svg>`, `<iframe src="https://x.example"></iframe>`, `<form action="/"><button>`, `<span class="ws-menu">x</span>`,
		`<div class="chroma">`, `<pre class="code">`, `<input type="text" name="x">`, `<ol start="-1">`, `<td align="x">`, `<p dir="rtl">`,
		`<a href="https://x.example" target="_top">`, `<div data-lang="a b">`, `<div data-block="1">`, `<math><mtext>`, `<style>*{}</style>`,
	} {
		got := sanitize([]byte(fragment))
		for _, bad := range []string{"script", "style", "onclick", "onload", " id=", "img", "svg", "iframe", "form", "button", "ws-menu",
			`"chroma"`, `"code"`, "text\"", "name=", "start", "align", "dir=", "_top", "data-", "math"} {
			if strings.Contains(got, bad) {
				t.Errorf("%s became %s", fragment, got)
			}
		}
	}
}
