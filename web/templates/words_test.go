package templates

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"webshell/internal/session"
	"webshell/web/locales"
)

func TestVisible(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain text\n\tas it is": "plain text\n\tas it is",
		"a\u202Eb":               "a⟨U+202E⟩b",
		"a\u2066b\u2069":         "a⟨U+2066⟩b⟨U+2069⟩",
		"zero\u200Bwidth":        "zero⟨U+200B⟩width",
		"mark\u200E\u200F\u061C": "mark⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩",
		"tag\U000E0041":          "tag⟨U+E0041⟩",
		"bom\uFEFF soft\u00AD":   "bom⟨U+FEFF⟩ soft⟨U+00AD⟩",
		"esc\x1b[31m\r":          "esc⟨U+001B⟩[31m⟨U+000D⟩",
		"lines\u2028\u2029":      "lines⟨U+2028⟩⟨U+2029⟩",
		"joined 👩‍👩‍👧 \u200C":    "joined 👩‍👩‍👧 \u200C",
		"مرحبا עולם \u0600":      "مرحبا עולם \u0600",
	} {
		if got := visible(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
}

func TestFoldOf(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ content, want string }{
		"empty":                    {"", ""},
		"a line":                   {"short", ""},
		"lines that fit":           {strings.Repeat("x\n", foldLines), ""},
		"one line too many":        {strings.Repeat("x\n", foldLines+1), foldsAlways},
		"one long line":            {strings.Repeat("x", wideLine*(foldLines+1)), foldsAlways},
		"long for a phone":         {strings.Repeat("x", narrowLine*(foldLines+1)), foldsNarrow},
		"as long, twice as wide":   {strings.Repeat("行", wideLine*foldLines/2+wideLine), foldsAlways},
		"a megabyte without break": {strings.Repeat("x", 1<<20), foldsAlways},
	} {
		if got := foldOf(tc.content); got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
	doc := parse(t, render(t, Row(viewIn(locales.English), "s1", nodes(t)["user-long"])))
	only(t, doc, withClass("fold"))
}

func TestPreview(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                "",
		" \n\t\n":                         "",
		"\n\n  first  line \nsecond":      "first line",
		strings.Repeat("x", 161):          strings.Repeat("x", 160) + "…",
		strings.Repeat("行", 9_000):        strings.Repeat("行", 160) + "…",
		"a\u202Eb":                        "a⟨U+202E⟩b",
		strings.Repeat("😀", 2000) + "\nx": strings.Repeat("😀", 160) + "…",
	} {
		if got := preview(in); got != want {
			t.Errorf("%.20q gives %q, want %q", in, got, want)
		}
	}
}

func TestBounded(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text  string
		shown int // characters
		left  int
	}{
		"short":        {"text", 4, 0},
		"at the limit": {strings.Repeat("行", shownRunes), shownRunes, 0},
		"over it":      {strings.Repeat("行", shownRunes+3), shownRunes, 3},
	} {
		got := bounded(tc.text)
		if len([]rune(got.Text)) != tc.shown || got.Left != tc.left {
			t.Errorf("%s: %d shown, %d left", name, len([]rune(got.Text)), got.Left)
		}
	}
	long := &session.ContextNode{NodeBase: base(1), Content: strings.Repeat("x", shownRunes+1)}
	page := render(t, Row(viewIn(locales.English), "s1", long))
	if !strings.Contains(page, "1 more character is not shown.") {
		t.Error("a cut text does not say so")
	}
}

func TestBoundedJSON(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"a":1}`:       "{\n  \"a\": 1\n}",
		`"a text\n"`:    "a text\n",
		`[]`:            "[]",
		`null`:          "null",
		`no JSON`:       "no JSON",
		`"a\u202eb"`:    "a⟨U+202E⟩b",
		`{"a":"<b>\n"}`: "{\n  \"a\": \"<b>\\n\"\n}",
	} {
		if got := boundedJSON(json.RawMessage(in)).Text; got != want {
			t.Errorf("%s gives %q, want %q", in, got, want)
		}
	}
}

func TestSourceFields(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                             "",
		"null":                         "",
		"{}":                           "",
		`{"kind":"plugin"}`:            "",
		`{"kind":"plugin","plugin":1}`: "{\n  \"plugin\": 1\n}",
		`["odd"]`:                      "[\n  \"odd\"\n]",
		`{"kind":5}`:                   "{\n  \"kind\": 5\n}",
	} {
		if got := sourceFields(json.RawMessage(in)).Text; got != want {
			t.Errorf("%s gives %q, want %q", in, got, want)
		}
	}
}

// TestAnswersDiffer: no two answers of one question read the same.
func TestAnswersDiffer(t *testing.T) {
	t.Parallel()
	v := viewIn(locales.English)
	for name, tc := range map[string]struct {
		options []session.PermissionOption
		want    []string
	}{
		"different labels": {
			[]session.PermissionOption{{OptionID: "1", Label: "Yes", Kind: "allow_once"}, {OptionID: "2", Label: "No", Kind: "reject_once"}},
			[]string{"Yes", "No"},
		},
		"same label": {
			[]session.PermissionOption{{OptionID: "1", Label: "Yes", Kind: "allow_once"}, {OptionID: "2", Label: "Yes", Kind: "allow_always"}},
			[]string{"Yes (allow once)", "Yes (allow always)"},
		},
		"same label and kind": {
			[]session.PermissionOption{{OptionID: "1", Label: "Yes", Kind: "allow_once"}, {OptionID: "2", Label: "Yes", Kind: "allow_once"}},
			[]string{"Yes (allow once) [1]", "Yes (allow once) [2]"},
		},
		"labels that only look the same": {
			[]session.PermissionOption{{OptionID: "1", Label: "Yes"}, {OptionID: "2", Label: "Yes\u200B"}},
			[]string{"Yes", "Yes⟨U+200B⟩"},
		},
		"no labels": {
			[]session.PermissionOption{{OptionID: "1", Kind: "allow_once"}, {OptionID: "2", Kind: "odd"}, {OptionID: "3", Label: " "}},
			[]string{"allow once", "odd", "3"},
		},
	} {
		for i, a := range answersOf(v, tc.options) {
			if a.Label != tc.want[i] || a.OptionID != tc.options[i].OptionID {
				t.Errorf("%s: answer %d is %q, want %q", name, i, a.Label, tc.want[i])
			}
		}
	}
}

// TestPermissionForms: one form for each answer while it waits, none after, and
// none where nothing can be answered.
func TestPermissionForms(t *testing.T) {
	t.Parallel()
	v := viewIn(locales.English)
	forms := func(v View, name string) []*html.Node {
		return elements(parse(t, render(t, Row(v, "s1", nodes(t)[name]))), named("form"))
	}
	waiting := forms(v, "permission-waiting")
	if len(waiting) != 3 {
		t.Fatalf("%d forms, want 3", len(waiting))
	}
	if action, _ := attribute(waiting[1], "action"); action != "/prefix/sessions/s1/permissions/p%2F1" {
		t.Errorf("the form posts to %s", action)
	}
	input := only(t, waiting[1], named("input"))
	if name, _ := attribute(input, "name"); name != "option" {
		t.Errorf("the field is named %s", name)
	}
	if value, _ := attribute(input, "value"); value != "o2" {
		t.Errorf("the second form answers %s", value)
	}
	if got := len(forms(v.readOnly(), "permission-waiting")) + len(forms(v, "permission-answered")) + len(forms(v, "permission-cancelled")); got != 0 {
		t.Errorf("%d forms where nothing can be answered", got)
	}
	page := render(t, Row(v, "s1", nodes(t)["permission-answered"]))
	if !strings.Contains(page, "Answered: Allow (allow always)") {
		t.Error("the answer is not shown")
	}
}

func TestRetry(t *testing.T) {
	t.Parallel()
	v := viewIn(locales.English)
	n := nodes(t)["notice-failed"].(*session.NoticeNode)
	form := only(t, parse(t, render(t, Row(v, "s1", n))), named("form"))
	if action, _ := attribute(form, "action"); action != "/prefix/sessions/s1/retry" {
		t.Errorf("retry posts to %s", action)
	}
	n.Retry = false
	if strings.Contains(render(t, Row(v, "s1", n)), "<form") {
		t.Error("a retry that is not offered has a form")
	}
}

func TestGroupSessions(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("UTC+8", 8*3600)
	now := time.Date(2026, 3, 1, 0, 30, 0, 0, zone)
	at := func(d time.Duration) SessionItem { return SessionItem{UpdatedAt: now.Add(d).UTC()} }
	groups := groupSessions([]SessionItem{
		at(time.Hour), at(0), at(-30 * time.Minute), at(-31 * time.Minute), at(-24*time.Hour - 30*time.Minute), at(-25 * time.Hour),
	}, now)
	var got []string
	for _, g := range groups {
		got = append(got, g.Key+strings.Repeat(".", len(g.Items)))
	}
	if want := "nav.today... nav.yesterday.. nav.earlier."; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if len(groupSessions(nil, now)) != 0 {
		t.Error("no sessions make a group")
	}
}

func TestErrorWords(t *testing.T) {
	t.Parallel()
	v := viewIn(locales.English)
	for name, tc := range map[string]struct {
		view          ErrorView
		message, hint string
	}{
		"by code":       {ErrorView{Code: "blank"}, "The message is empty.", "Write something, then send."},
		"unknown code":  {ErrorView{Code: "nonsense"}, v.P.T("error.internal"), v.P.T("error.internal.hint")},
		"a hint's key":  {ErrorView{Code: "blank.hint"}, v.P.T("error.internal"), v.P.T("error.internal.hint")},
		"own words":     {ErrorView{Code: "blank", Message: "M"}, "M", ""},
		"own hint only": {ErrorView{Code: "blank", Hint: "H"}, "The message is empty.", "H"},
	} {
		if m, h := tc.view.message(v), tc.view.hint(v); m != tc.message || h != tc.hint {
			t.Errorf("%s: %q, %q", name, m, h)
		}
	}
}

func TestDiffLines(t *testing.T) {
	t.Parallel()
	doc := parse(t, render(t, Row(viewIn(locales.English), "s1", nodes(t)["tool-edit"])))
	if got := textContent(only(t, doc, named("ins"))) + textContent(only(t, doc, named("del"))); got != "+ CC ?= cc\n- CC = gcc\n" {
		t.Errorf("marks %q", got)
	}
	if got := textContent(only(t, doc, named("pre"))); got != "- CC = gcc\n+ CC ?= cc\n  all:" {
		t.Errorf("shows %q", got)
	}
}
