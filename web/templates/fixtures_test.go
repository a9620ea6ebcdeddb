package templates

import (
	"context"
	"encoding/json"
	"html"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"webshell/composer"
	"webshell/internal/session"
	"webshell/web/locales"
)

var (
	noon  = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	early = time.Date(2026, 11, 30, 9, 41, 7, 0, time.UTC)
)

func viewIn(l locales.Lang) View {
	return View{
		URLs: URLs{Base: "/prefix"}, P: locales.For(l), Nonce: "bm9uY2U=", Now: noon,
		Markdown: func(s string) string { return "<p>" + html.EscapeString(s) + "</p>" },
	}
}

func render(t testing.TB, c templ.Component) string {
	t.Helper()
	var out strings.Builder
	if err := c.Render(context.Background(), &out); err != nil {
		t.Fatalf("render: %v", err)
	}
	return out.String()
}

func ptr(s string) *string { return &s }

// reference annotates the first place of text in content, in UTF-16 units.
func reference(t testing.TB, content, text string, r composer.Reference) composer.Annotation {
	t.Helper()
	before, _, ok := strings.Cut(content, text)
	if !ok {
		t.Fatalf("%q is not in %q", text, content)
	}
	start := composer.UTF16Len(before)
	return composer.Annotation{
		Type: composer.TypeReference, Start: start, End: start + composer.UTF16Len(text),
		Text: text, Reference: &r,
	}
}

const threeChips = "compare @Makefile with @src/Makefile, ask @dataset:users and @a\u202Eb"

func threeAnnotations(t testing.TB) []composer.Annotation {
	t.Helper()
	return []composer.Annotation{
		reference(t, threeChips, "@src/Makefile", composer.Reference{
			ID: "file:src/Makefile", Kind: ptr("file"), Value: ptr("src/Makefile"),
		}),
		reference(t, threeChips, "@dataset:users", composer.Reference{
			ID: "d1", Kind: ptr("dataset"), Label: ptr("Dataset"), Value: ptr("users"),
		}),
		reference(t, threeChips, "@a\u202Eb", composer.Reference{ID: "bare"}),
	}
}

func base(seq int64) session.NodeBase {
	return session.NodeBase{Key: session.EventKey(seq), Seq: seq, At: early, Turn: "t1"}
}

func options() []session.PermissionOption {
	return []session.PermissionOption{
		{OptionID: "o1", Label: "Allow", Kind: session.AllowOnce},
		{OptionID: "o2", Label: "Allow", Kind: session.AllowAlways},
		{OptionID: "o3", Label: "No", Kind: session.RejectOnce},
	}
}

// nodes are one row of each kind in each of its states, by name.
func nodes(t testing.TB) map[string]session.Node {
	t.Helper()
	all := map[string]session.Node{
		"user": &session.UserNode{NodeBase: base(1), RequestID: "r1", Content: threeChips, Annotations: threeAnnotations(t)},
		"user-steering": &session.UserNode{
			NodeBase: base(2), RequestID: "r2", Content: "leave it\n", Steering: true, Recalled: "Release notes",
		},
		"user-long": &session.UserNode{NodeBase: base(3), RequestID: "r3", Content: strings.Repeat("a line\n", 40)},
		"assistant": &session.TextNode{NodeBase: base(4), Text: "It delegates."},
		"thought":   &session.TextNode{NodeBase: base(5), Thought: true, Text: "\n  They differ.\nMore."},
		"tool-done": &session.ToolNode{
			NodeBase: base(6), EndedAt: early.Add(430 * time.Millisecond),
			Call: session.ToolCall{
				ToolCallID: "c1", Title: "Read Makefile", ToolKind: "read", Status: session.ToolCompleted,
				Locations: []string{"src/Makefile"}, Input: json.RawMessage(`{"path":"src/Makefile"}`),
			},
			Text: "\nCC ?= cc", Output: json.RawMessage(`"all of it"`),
		},
		"tool-edit": &session.ToolNode{
			NodeBase: base(7), EndedAt: early.Add(83 * time.Second),
			Call: session.ToolCall{ToolCallID: "c2", Title: "Edit Makefile", ToolKind: "edit", Status: session.ToolFailed},
			Text: "- CC = gcc\n+ CC ?= cc\n  all:",
		},
		"tool-running": &session.ToolNode{
			NodeBase: base(8), Call: session.ToolCall{ToolCallID: "c3", ToolKind: "fetch", Status: session.ToolInProgress},
		},
		"plan": &session.PlanNode{NodeBase: base(9), Entries: []session.PlanEntry{
			{Content: "Read", Status: "completed"}, {Content: "Compare", Status: "in_progress"}, {Content: "Write", Status: "pending"},
		}},
		"permission-waiting": &session.PermissionNode{NodeBase: base(10), Request: session.PermissionRequested{
			PermissionID: "p/1", Title: "Run a command", Detail: "make all\nrm -rf \u202Edliub", Options: options(),
		}},
		"permission-answered": &session.PermissionNode{
			NodeBase: base(11), Outcome: session.PermissionSelected, Option: "o2",
			Request: session.PermissionRequested{PermissionID: "p2", Title: "Run", Detail: "ls", Options: options()},
		},
		"permission-cancelled": &session.PermissionNode{
			NodeBase: base(12), Outcome: session.PermissionCancelled,
			Request: session.PermissionRequested{PermissionID: "p3"},
		},
		"notice-mode":  &session.NoticeNode{NodeBase: base(16), Notice: session.NoticeMode, Detail: "plan"},
		"notice-model": &session.NoticeNode{NodeBase: base(17), Notice: session.NoticeModel, Detail: "coder"},
		"unknown": &session.UnknownNode{
			NodeBase: base(18), Name: "future/event", Body: json.RawMessage(`{"a":[1,2]}`), Content: "its text",
		},
	}
	maps.Copy(all, contextNodes())
	for i, outcome := range []session.Outcome{
		session.Cancelled, session.Failed, session.Interrupted, session.Refused, session.MaxTokens,
	} {
		n := &session.NoticeNode{NodeBase: base(int64(20 + i)), Notice: session.NoticeTurnEnded, Outcome: outcome, Retry: true}
		if outcome == session.Failed {
			n.Detail = "the endpoint answered 502"
		}
		all["notice-"+string(outcome)] = n
	}
	return all
}

func sessionItems() []SessionItem {
	return []SessionItem{
		{ID: "s1", Title: "Compare the Makefiles", UpdatedAt: noon, Running: true, Current: true},
		{ID: "s2", Title: "Migrate", UpdatedAt: noon.Add(-2 * time.Hour), NeedsAnswer: true},
		{ID: "s3", Title: "", UpdatedAt: noon.AddDate(0, 0, -1)},
		{ID: "s4", Title: "读一下", UpdatedAt: noon.AddDate(0, -1, 0)},
	}
}

func composing() Composer {
	return Composer{
		Action: "/prefix/sessions/s1/messages", RequestID: "r9", Text: "\nto be sent", Tags: `[{"id":"x"}]`,
		Running: true, StopURL: "/prefix/sessions/s1/stop", Error: "It was not sent.", Placeholder: "Write here", MaxBytes: 1 << 20,
		Enter: "queue", Steers: true,
	}
}

func sessionView(t testing.TB) Session {
	t.Helper()
	return Session{
		Page: Page{Title: "Compare the Makefiles", UserID: "u1", UserName: "ada", Preferences: Preferences{Enter: "queue", AfterStop: "wait"}}, ID: "s1",
		Agent: "demo", Mode: "ask", Model: "none", Sessions: sessionItems(),
		Rows: []session.Node{nodes(t)["user"], nodes(t)["assistant"]},
		Open: &OpenBlock{Key: "b-t1-2", Done: "<p>done</p>", Tail: "plain <tail>", Plain: true, At: early},
		Queue: QueueView{SessionID: "s1", Turn: "t1", Steers: true, Rows: []QueueRow{
			{RequestID: "q0", State: "steering", Content: "now", At: early},
			{RequestID: "q1", State: "queued", Content: threeChips, Annotations: threeAnnotations(t), At: early},
			{RequestID: "q2", State: "claimed", Content: "second", At: early},
			{RequestID: "q3", State: "queued", Content: "third", At: early, Held: true},
		}},
		Composer: composing(), LastSeq: 4, OlderURL: "/prefix/sessions/s1?before=1", Notice: "Saved.",
	}
}

// pages are every page in every state that changes its markup, by name.
func pages(t testing.TB, v View) map[string]templ.Component {
	t.Helper()
	watch := sessionView(t)
	watch.Watch = true
	idle := sessionView(t)
	idle.Rows, idle.Open, idle.Queue, idle.OlderURL = nil, nil, QueueView{SessionID: "s1"}, ""
	idle.Composer = Composer{Action: "/prefix/sessions/s1/messages", RequestID: "r1"}
	long := sessionView(t)
	long.RestURL, long.Queue.Rows = "/prefix/sessions/s1?before=9", long.Queue.Rows[1:2]
	paused := sessionView(t)
	paused.Queue.Turn, paused.Queue.Paused, paused.Queue.Rows = "", true, paused.Queue.Rows[1:3]
	paused.Queue.Rows[1].Next = true
	paused.Composer = Composer{Action: "/prefix/sessions/s1/messages", RequestID: "r1", Enter: "steer"}
	paused.Edit = &QueueEdit{SessionID: "s1", RequestID: "q1", Hold: "h1", Text: "\n" + threeChips, MaxBytes: 1 << 20}
	long.Open = &OpenBlock{Key: "b-t1-2", Thought: true, Tail: "<p>hm</p>", At: early}
	kept := composing()
	return map[string]templ.Component{
		"home":          HomePage(v, Home{Page: Page{UserID: "u1", UserName: "ada"}, Sessions: sessionItems(), Composer: Composer{Action: "/prefix/sessions", RequestID: "r1"}}),
		"home-empty":    HomePage(v, Home{Composer: Composer{Action: "/prefix/sessions", RequestID: "r1"}}),
		"session":       SessionPage(v, sessionView(t)),
		"session-idle":  SessionPage(v, idle),
		"session-long":  SessionPage(v, long),
		"session-edit":  SessionPage(v, paused),
		"watch":         SessionPage(v, watch),
		"login":         LoginPage(v, Login{Token: "tok", Next: "/prefix/sessions/s1"}),
		"login-expired": LoginPage(v, Login{Token: "tok", Expired: true}),
		"login-none":    LoginPage(v, Login{}),
		"error":         ErrorPage(v, ErrorView{Status: 404, Code: "not_found", ID: "e1"}),
		"error-kept-edit": ErrorPage(v, ErrorView{
			Status: 422, Code: "blank", KeptEdit: paused.Edit, BackURL: "/prefix/sessions/s1",
		}),
		"error-kept": ErrorPage(v, ErrorView{
			Status: 409, Code: "queue_full", Message: "Full.", Hint: "Wait.", ID: "e2", Kept: &kept, BackURL: "/prefix/sessions/s1",
		}),
	}
}
