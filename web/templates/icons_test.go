package templates

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"webshell/composer"
	"webshell/internal/session"
	"webshell/web/locales"
)

const pixel = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func TestNewIconSet(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		kind, value string
		ok          bool
	}{
		"built-in name":       {"dataset", "file", true},
		"generic by name":     {"dataset", "generic", true},
		"png":                 {"dataset", pixel, true},
		"svg":                 {"dataset", "data:image/svg+xml;utf8,<svg/>", true},
		"over a built-in":     {"file", pixel, true},
		"at the limit":        {"dataset", "data:image/png," + strings.Repeat("x", maxIconBytes-15), true},
		"over the limit":      {"dataset", "data:image/png," + strings.Repeat("x", maxIconBytes-14), false},
		"unknown name":        {"dataset", "database", false},
		"empty":               {"dataset", "", false},
		"an address":          {"dataset", "https://evil.example/x.png", false},
		"a script":            {"dataset", "javascript:alert(1)", false},
		"html":                {"dataset", "data:text/html,<script>alert(1)</script>", false},
		"html in disguise":    {"dataset", "data:text/html;x=image/png,<script>", false},
		"no type":             {"dataset", "data:,x", false},
		"no data":             {"dataset", "data:image/png,", false},
		"no comma":            {"dataset", "data:image/png", false},
		"broken base64":       {"dataset", "data:image/png;base64,%%%", false},
		"upper case kind":     {"Dataset", "file", false},
		"kind of a prototype": {"__proto__", "file", false},
		"kind with markup":    {"a\"><b", "file", false},
		"no kind":             {"", "file", false},
		"kind too long":       {strings.Repeat("k", 65), "file", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set, err := NewIconSet(map[string]string{tc.kind: tc.value})
			if (err == nil) != tc.ok {
				t.Fatalf("error is %v, want ok %v", err, tc.ok)
			}
			if tc.ok && set.icon(tc.kind) == (*IconSet)(nil).icon(tc.kind) && tc.value != "generic" {
				t.Error("the host's icon is not used")
			}
		})
	}
}

// TestIconLookup: a kind finds its icon and nothing else finds any but the
// generic one, in a set with and without a host's icons.
func TestIconLookup(t *testing.T) {
	t.Parallel()
	host, err := NewIconSet(map[string]string{"dataset": pixel})
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []*IconSet{nil, {}, host} {
		for kind := range builtInIcons {
			if set.icon(kind) != builtInIcons[kind] {
				t.Errorf("%s has another icon", kind)
			}
		}
		for _, kind := range []string{"__proto__", "constructor", "toString", "", "File", "file ", "<svg>"} {
			if set.icon(kind) != builtInIcons["generic"] {
				t.Errorf("%q finds an icon", kind)
			}
		}
	}
	if !strings.HasPrefix(string(host.icon("dataset")), `<img alt="" src="data:image/png;`) {
		t.Errorf("the host's icon is drawn as %s", host.icon("dataset"))
	}
}

// TestHostIconStaysAnImage: what a data URL holds never becomes markup.
func TestHostIconStaysAnImage(t *testing.T) {
	t.Parallel()
	set, err := NewIconSet(map[string]string{"dataset": `data:image/svg+xml,<svg onload="alert(1)"><script>x</script></svg>'"><b>`})
	if err != nil {
		t.Fatal(err)
	}
	v := viewIn(locales.English)
	v.Icons = set
	n := &session.UserNode{NodeBase: base(1), Content: "@d", Annotations: []composer.Annotation{
		reference(t, "@d", "@d", composer.Reference{ID: "1", Kind: ptr("dataset")}),
	}}
	doc := only(t, parse(t, render(t, Row(v, "s1", n))), withClass("message-content"))
	img := only(t, doc, named("img"))
	if len(img.Attr) != 2 || len(elements(doc, func(n *html.Node) bool { return n.Data == "script" || n.Data == "svg" || n.Data == "b" })) != 0 {
		t.Error("the image's data became markup")
	}
}
