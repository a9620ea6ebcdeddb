package templates

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"webshell/web/locales"
	"webshell/web/static"
)

// TestScriptsLoad: pages load scripts without waiting for them, but for the one
// page that is for browsers without.
func TestScriptsLoad(t *testing.T) {
	t.Parallel()
	for name, page := range pages(t, viewIn(locales.English)) {
		doc := parse(t, render(t, page))
		var loaded []string
		for _, n := range elements(doc, named("script")) {
			if src, ok := attribute(n, "src"); ok {
				loaded = append(loaded, src)
			}
		}
		want := []string{static.URL("/prefix", "htmx.js"), static.URL("/prefix", "app.js")}
		if name == "watch" {
			want = nil
		}
		if !slices.Equal(loaded, want) {
			t.Errorf("%s loads %v", name, loaded)
		}
		if preloads := strings.Contains(render(t, page), "modulepreload"); preloads != slices.Contains(composingPages, name) {
			t.Errorf("%s loads the editor ahead: %v", name, preloads)
		}
	}
}

func TestHtmxConfig(t *testing.T) {
	t.Parallel()
	doc := parse(t, render(t, pages(t, viewIn(locales.English))["home"]))
	meta := only(t, doc, func(n *html.Node) bool { name, _ := attribute(n, "name"); return name == "htmx-config" })
	content, _ := attribute(meta, "content")
	var config struct {
		History, IncludeIndicatorCSS *bool
		MorphIgnore                  []string
		NoSwap                       []any
	}
	if err := json.Unmarshal([]byte(content), &config); err != nil {
		t.Fatal(err)
	}
	if config.History == nil || *config.History || config.IncludeIndicatorCSS == nil || *config.IncludeIndicatorCSS {
		t.Errorf("%s", content)
	}
	if !slices.Contains(config.MorphIgnore, "open") || !slices.Contains(config.NoSwap, any("4xx")) || !slices.Contains(config.NoSwap, any("5xx")) {
		t.Errorf("%s", content)
	}
}

// TestClientWords: the words are all there, in the page's language.
func TestClientWords(t *testing.T) {
	t.Parallel()
	for _, lang := range locales.Langs() {
		doc := parse(t, render(t, pages(t, viewIn(lang))["session"]))
		var words map[string]string
		if err := json.Unmarshal([]byte(textContent(only(t, doc, withID("words")))), &words); err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(words, locales.For(lang).Under("client.")) || len(words) < 50 {
			t.Errorf("%s: %d words", lang, len(words))
		}
	}
}

// TestWordsStayInTheirElement: no text ends the element or begins another.
func TestWordsStayInTheirElement(t *testing.T) {
	t.Parallel()
	hostile := map[string]string{"a": `</script><b>x`, "b": `<!--<script>`, `c</script>`: `]]>&amp;"'` + "\u2028\x00"}
	doc := parse(t, string(wordsElement(hostile))+"<p>after</p>")
	var words map[string]string
	if err := json.Unmarshal([]byte(textContent(only(t, doc, withID("words")))), &words); err != nil || !maps.Equal(words, hostile) {
		t.Errorf("%v %q", err, words)
	}
	only(t, doc, named("p"))
	if len(elements(doc, named("b"))) != 0 {
		t.Error("a text became markup")
	}
}

// TestTheme: a choice stands on the root element and colours the page before
// its style sheet is there.
func TestTheme(t *testing.T) {
	t.Parallel()
	for theme, scheme := range map[string]string{"": "light dark", "light": "light", "dark": "dark"} {
		v := viewIn(locales.English)
		v.Theme = theme
		doc := parse(t, render(t, pages(t, v)["login"]))
		got, chosen := attribute(only(t, doc, named("html")), "data-theme")
		if got != theme || chosen != (theme != "") {
			t.Errorf("%q: data-theme is %q", theme, got)
		}
		meta := only(t, doc, func(n *html.Node) bool { name, _ := attribute(n, "name"); return name == "color-scheme" })
		if content, _ := attribute(meta, "content"); content != scheme {
			t.Errorf("%q: color-scheme is %q", theme, content)
		}
		var selected []string
		for _, option := range elements(only(t, doc, withID("settings-theme")), withAttribute("selected")) {
			value, _ := attribute(option, "value")
			selected = append(selected, value)
		}
		if !slices.Equal(selected, []string{theme}) {
			t.Errorf("%q: selected is %q", theme, selected)
		}
	}
}
