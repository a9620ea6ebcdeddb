package demo_test

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"webshell/internal/session"
	"webshell/internal/turn/turntest"
)

func TestAsk(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	for option, said := range map[string]string{
		"once":   "You answered: Allow once (`allow_once`).",
		"always": "You answered: Allow always (`allow_always`).",
		"reject": "You answered: Reject (`reject_once`).",
	} {
		t.Run(option, func(t *testing.T) {
			id := r.Session(t, "demo")
			r.Say(t, id, "/ask")
			log := r.Until(t, id, func(log []session.Event) bool {
				return len(turntest.Of[session.PermissionRequested](log)) == 1
			})
			q := turntest.Of[session.PermissionRequested](log)[0]
			var kinds []string
			for _, o := range q.Options {
				kinds = append(kinds, o.Kind)
			}
			if !slices.Equal(kinds, []string{session.AllowOnce, session.AllowAlways, session.RejectOnce}) || q.Title == "" || q.Detail == "" {
				t.Errorf("question is %+v", q)
			}
			if err := r.Store.AnswerPermission(t.Context(), r.Viewer, id, q.PermissionID, option); err != nil {
				t.Fatal(err)
			}
			r.Ended(t, id, 1)
			log = r.Log(t, id)
			completed(t, log)
			if answer := turntest.Answer(log); !strings.Contains(answer, said) {
				t.Errorf("answer is %q", answer)
			}
		})
	}
}

func TestAskAgainInOneSession(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	id := r.Session(t, "demo")
	for i, option := range []string{"always", "reject"} {
		r.Say(t, id, "/ask")
		log := r.Until(t, id, func(log []session.Event) bool {
			return len(turntest.Of[session.PermissionRequested](log)) == i+1
		})
		q := turntest.Of[session.PermissionRequested](log)[i]
		if err := r.Store.AnswerPermission(t.Context(), r.Viewer, id, q.PermissionID, option); err != nil {
			t.Fatal(err)
		}
		r.Ended(t, id, i+1)
	}
	if answer := turntest.Answer(r.Log(t, id)); !strings.Contains(answer, "Reject") {
		t.Errorf("answers are %q", answer)
	}
}

func TestThink(t *testing.T) {
	t.Parallel()
	log := newRig(t, nil).ask(t, "/think")
	completed(t, log)
	var kinds []session.Kind
	for _, e := range log {
		if e.Content != "" {
			kinds = append(kinds, e.Kind())
		}
	}
	if !slices.Equal(kinds, []session.Kind{session.KindUserMessage, session.KindAssistantThought, session.KindAssistantMessage}) {
		t.Errorf("logged %v", kinds)
	}
}

func TestContext(t *testing.T) {
	t.Parallel()
	log := newRig(t, nil).ask(t, "/context")
	completed(t, log)
	state := session.Fold("", log)
	type row struct {
		role, label string
		form        session.Form
	}
	var got []row
	for _, n := range state.Nodes {
		if n, ok := n.(*session.ContextNode); ok {
			got = append(got, row{n.Provenance.Role, n.Provenance.Label, n.Form})
			if n.Content == "" || len(n.Unread) > 0 {
				t.Errorf("the row %+v is empty, or its form cannot be read", n.Provenance)
			}
		}
	}
	want := []row{
		{session.RoleRecall, "Plan for the release, Notes on tests", &session.RecallForm{}},
		{session.RoleInject, "AGENTS.md, docs/STYLE.md", &session.InstructionsForm{}},
		{session.RoleInject, "INSTRUCTIONS.md", nil},
		{session.RoleInject, "example/clock", &session.SnapshotForm{}},
		{session.RoleInject, "example/skills", &session.CatalogForm{}},
		{session.RoleInject, "example/jobs", &session.NoticeForm{}},
		{session.RoleInject, "example/relay", &session.RelayForm{}},
		{session.RoleInject, "review", nil},
		{session.RoleInject, "README.md", nil},
		{session.RoleInject, "weather-station", nil},
		{session.RoleInject, "", nil},
	}
	if len(got) != len(want) {
		t.Fatalf("%d rows", len(got))
	}
	for i, w := range want {
		if g := got[i]; g.role != w.role || g.label != w.label || reflect.TypeOf(g.form) != reflect.TypeOf(w.form) {
			t.Errorf("row %d is %+v, want %+v", i, g, w)
		}
	}
	if user := state.Nodes[0].(*session.UserNode); user.Recalled != want[0].label {
		t.Errorf("the message recalls %q", user.Recalled)
	}
}

func TestFail(t *testing.T) {
	t.Parallel()
	log := newRig(t, nil).ask(t, "/fail")
	outcome, message := turntest.Outcome(t, log)
	if outcome != session.Failed || !strings.Contains(message, "because /fail asked it to") || strings.Contains(message, "id ") {
		t.Errorf("ended as %s %q", outcome, message)
	}
	if answer := turntest.Answer(log); !strings.HasSuffix(answer, "second sen") {
		t.Errorf("kept %q", answer)
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	log := r.ask(t, "/markdown")
	completed(t, log)
	answer := turntest.Answer(log)
	for what, pattern := range map[string]string{
		"a first heading":  `(?m)^# \S`,
		"a sixth heading":  `(?m)^###### \S`,
		"an aligned table": `(?m)^\|:-+\|:-+:\|-+:\|$`,
		"a task done":      `(?m)^- \[x\] `,
		"a nested task":    `(?m)^  - \[ \] `,
		"a nested list":    `(?m)^    - `,
		"a numbered list":  `(?m)^7\. `,
		"a nested quote":   `(?m)^> > `,
		"Go":               "(?m)^```go$",
		"Python":           "(?m)^```python$",
		"TypeScript":       "(?m)^```typescript$",
		"SQL":              "(?m)^```sql$",
		"a link":           `\]\(https://example\.org/`,
		"a link to refuse": `\]\(javascript:`,
		"raw markup":       `<b>`,
		"Chinese":          `\p{Han}{5}`,
		"Japanese":         `\p{Hiragana}{2}`,
		"Arabic":           `\p{Arabic}{3}`,
		"Hebrew":           `\p{Hebrew}{3}`,
	} {
		if !regexp.MustCompile(pattern).MatchString(answer) {
			t.Errorf("the sample has no %s", what)
		}
	}
	if !utf8.ValidString(answer) || strings.ContainsFunc(answer, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
		t.Error("the sample holds control characters")
	}
	if len(answer) < 3500 {
		t.Errorf("the sample has only %d bytes", len(answer))
	}
	if strings.Count(answer, "```")%2 != 0 {
		t.Error("a block of the sample is not closed")
	}
	if _, pauses := r.clock.total(); pauses < 20 {
		t.Errorf("%d pieces", pauses)
	}
}
