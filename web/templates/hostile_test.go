package templates

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/a-h/templ"
	"golang.org/x/net/html"

	"webshell/internal/session"
	"webshell/web/locales"
)

// corpus are attempts to become markup. None begins with + or -, which mean
// something in a change to a file.
var corpus = []string{
	`<script>alert(1)</script>`,
	`"><img src=x onerror=alert(1)>`,
	`' onmouseover='alert(1)`,
	`" hx-get="/x" hx-trigger="load" data-role="tool`,
	`</textarea></pre></title></template><svg onload=alert(1)>`,
	`<article data-role="permission"><form action="/x"><button>Allow</button></form></article>`,
	`<!-- --!> <![CDATA[ ]]> <?php ?>`,
	`&lt;script&gt; &quot; &#x3c;b&#x3e;`,
	"javascript:alert(1)",
	" java\tscript:alert(1)",
	"data:text/html,<script>alert(1)</script>",
	"vbscript:x", "//evil.example/x", `\\evil.example`,
	"a\u202Eb\u2066c\u200Bd\u200F",
	"line\nbreak\r\nand\rmore",
	"\x01\x08\x1b[31m",
	"__proto__", "constructor",
	`{{.}} ${x} { x } @component()`,
	"javascript:/*--></title></style></textarea></script><svg/onload='+/\"/+/onmouseover=1/+/[*/[]/+alert(1)//'>",
}

// tame is a text of the same shape that cannot be markup: what is no letter,
// digit or white space becomes a letter.
func tame(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSpace(r) {
			return r
		}
		return 'x'
	}, s)
}

// TestHostileText puts the attempts into the text fields of every row, one
// field at a time, and each attempt into all fields of every view at once, and
// compares what a parser makes of it with the same for a tame text: the same
// elements with the same attributes.
func TestHostileText(t *testing.T) {
	t.Parallel()
	for name := range nodes(t) {
		t.Run("row "+name, func(t *testing.T) {
			t.Parallel()
			tryFields(t, func() any { return nodes(t)[name] }, func(v View, subject any) templ.Component {
				return Row(v, "s1", subject.(session.Node))
			})
		})
	}
	for name, view := range views(t) {
		t.Run("view "+name, func(t *testing.T) {
			t.Parallel()
			tryAtOnce(t, view.fresh, view.draw)
		})
	}
}

type hostileView struct {
	fresh func() any
	draw  func(View, any) templ.Component
}

func views(t *testing.T) map[string]hostileView {
	kept := func() *ErrorView {
		c := composing()
		return &ErrorView{
			Page: Page{Title: "t"}, Code: "c", Message: "m", Hint: "h", ID: "i", Kept: &c, BackURL: "/b",
		}
	}
	return map[string]hostileView{
		"session": {
			func() any { s := sessionView(t); s.Rows, s.RestURL = nil, "/r"; return &s },
			func(v View, x any) templ.Component { return SessionPage(v, *x.(*Session)) },
		},
		"older": {
			func() any { s := sessionView(t); s.Rows = nil; return &s },
			func(v View, x any) templ.Component { return SessionPage(v, *x.(*Session)) },
		},
		"home": {
			func() any {
				return &Home{Page: Page{Title: "t", UserName: "u"}, Sessions: sessionItems(), Composer: composing()}
			},
			func(v View, x any) templ.Component { return HomePage(v, *x.(*Home)) },
		},
		"login": {
			func() any { return &Login{Token: "t", Next: "/n"} },
			func(v View, x any) templ.Component { return LoginPage(v, *x.(*Login)) },
		},
		"error": {
			func() any { return kept() },
			func(v View, x any) templ.Component { return ErrorPage(v, *x.(*ErrorView)) },
		},
	}
}

func tryFields(t *testing.T, fresh func() any, draw func(View, any) templ.Component) {
	attempts := []string{strings.Join(corpus, " "), corpus[0], "javascript:alert(1)", "a\u202Eb\r\n"}
	paths := textFields(reflect.ValueOf(fresh()), "")
	for path := range paths {
		for _, attempt := range attempts {
			compare(t, path, attempt, func(v View, text string) templ.Component {
				return draw(v, with(fresh(), text, path))
			})
		}
	}
	if len(paths) == 0 {
		t.Error("no text field was tried")
	}
}

func tryAtOnce(t *testing.T, fresh func() any, draw func(View, any) templ.Component) {
	var paths []string
	for path := range textFields(reflect.ValueOf(fresh()), "") {
		// Safe HTML by contract: what fills it is checked where it is made.
		if path != ".Open.Done" {
			paths = append(paths, path)
		}
	}
	for _, attempt := range corpus {
		compare(t, "every field", attempt, func(v View, text string) templ.Component {
			return draw(v, with(fresh(), text, paths...))
		})
	}
}

func compare(t *testing.T, where, attempt string, draw func(View, string) templ.Component) {
	t.Helper()
	v := viewIn(locales.English)
	hostile := skeleton(t, render(t, draw(v, attempt)))
	harmless := skeleton(t, render(t, draw(v, tame(attempt))))
	if !slices.Equal(hostile, harmless) {
		t.Errorf("%s = %q changes the page:%s", where, attempt,
			firstDifference(strings.Join(hostile, "\n"), strings.Join(harmless, "\n")))
	}
}

var rawType = reflect.TypeFor[json.RawMessage]()

// textFields walks to every string and every JSON value below v that can be
// set, by path.
func textFields(v reflect.Value, path string) map[string]reflect.Value {
	found := map[string]reflect.Value{}
	join := func(more map[string]reflect.Value) {
		for k, f := range more {
			found[k] = f
		}
	}
	switch {
	case v.Type() == rawType, v.Kind() == reflect.String:
		if v.CanSet() {
			found[path] = v
		}
	case (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && !v.IsNil():
		join(textFields(v.Elem(), path))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				join(textFields(v.Field(i), path+"."+v.Type().Field(i).Name))
			}
		}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			join(textFields(v.Index(i), fmt.Sprintf("%s[%d]", path, i)))
		}
	}
	return found
}

// with sets the fields at paths of subject and returns subject.
func with(subject any, text string, paths ...string) any {
	raw, err := json.Marshal(map[string]string{text: text})
	if err != nil {
		panic(err)
	}
	fields := textFields(reflect.ValueOf(subject), "")
	for _, path := range paths {
		if f := fields[path]; f.Type() == rawType {
			f.SetBytes(raw)
		} else {
			f.SetString(text)
		}
	}
	return subject
}

// skeleton is what a browser would make of source, without its texts: each
// element with its depth and its attributes' names. Addresses that would run
// or load something are named too.
func skeleton(t *testing.T, source string) []string {
	t.Helper()
	var lines []string
	for n := range parse(t, source).Descendants() {
		switch n.Type {
		case html.CommentNode:
			lines = append(lines, "comment")
		case html.ElementNode:
			depth := 0
			for range n.Ancestors() {
				depth++
			}
			line := fmt.Sprint(depth, " ", n.Data)
			for _, a := range n.Attr {
				line += " " + a.Key
				if addresses[a.Key] && !leadsHome(a.Val) {
					line += "=" + a.Val
				}
			}
			lines = append(lines, line)
		}
	}
	return lines
}

var addresses = map[string]bool{"href": true, "action": true, "formaction": true, "src": true}

// leadsHome tells an address that neither runs code nor has a scheme.
func leadsHome(address string) bool {
	scheme, _, found := strings.Cut(strings.ToLower(strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, address)), ":")
	return !found || scheme == "about" || strings.ContainsAny(scheme, "/?#")
}
