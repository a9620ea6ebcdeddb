package stage

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
)

// API sends in as JSON to the program as a person with a token would, and
// decodes its answer into out. An answer that is no success is an error.
type API func(ctx context.Context, method, path string, in, out any) error

// Talks are the ids of the conversations that were had, by name.
type Talks map[string]string

// patience bounds the wait for anything that an agent does.
const patience = time.Minute

// conversation is one of them: what the person says, and when it is far enough.
type conversation struct {
	name  string
	title string // "" leaves it to the program
	said  []message
	far   func(*progress) bool
}

type message struct {
	Text string          `json:"text"`
	Tags json.RawMessage `json:"tags,omitempty"`
}

// progress is how far a conversation is.
type progress struct {
	turns, answers int // turns that ended, answers that are written
	asks           bool
}

// all says that each of n turns has ended.
func all(n int) func(*progress) bool { return func(p *progress) bool { return p.turns >= n } }

func says(texts ...string) []message {
	messages := make([]message, len(texts))
	for i, text := range texts {
		messages[i].Text = text
	}
	return messages
}

const exact = "compare @Makefile the way I typed it with @src/Makefile and check the rows of @dataset:users"

// talks are in the order of the list of sessions, the last one first.
func talks() []conversation {
	chips := json.RawMessage(`[{"id":"f","kind":"file","value":"src/Makefile","serialized":"@src/Makefile","start":42,"end":55},
		{"id":"d","kind":"dataset","label":"Dataset","value":"users","serialized":"@dataset:users","start":78,"end":92}]`)
	word := strings.Repeat("supercalifragilistic", 12)
	return []conversation{
		{"markdown", "Release notes for 0.9", says("/markdown"), all(1)},
		{"rtl", "", says("اقرأ الملف @src/Makefile ثم اشرح ما يفعله السطر الأول"), all(1)},
		{"words", "", says(word+" and https://example.org/"+word, "/tool"), all(2)},
		{"failed", "Migrate the users table", says("/fail"), all(1)},
		{"long", "A log of yesterday", says(strings.Repeat("A long paste stays real text, and its bubble folds. ", 80)), all(1)},
		{"context", "What was added for the model", says("/context"), all(1)},
		{"asks", "Run the checks of the ledger", says("/ask"), func(p *progress) bool { return p.asks }},
		{"answered", "Clean the build folder", says("/ask"), func(p *progress) bool { return p.asks }},
		{"stopped", "Rename the reader", says("/slow 600"), written},
		{"rows", "What the model saw", []message{{exact, chips}, {Text: "/context"}, {Text: "/think"}, {Text: "/tool"}, {Text: "/markdown"}}, all(5)},
		{"session", "Compare the two Makefiles", []message{{exact, chips}, {Text: "/think"}, {Text: "/tool"}}, all(3)},
	}
}

// live are those whose answers go on.
func live() []conversation {
	return []conversation{
		{"queued", "Count the rows of users", says("/slow 600", "then write the release notes"), written},
		{"running", "Why is the reader slow?", says("/slow 600", "then write the release notes", "and check the links", "读一下 docs/部署.md"), written},
	}
}

// written says that some of a long answer is there.
func written(p *progress) bool { return p.answers >= 2 }

// Talk has the conversations that come to rest, with the demo agent.
func Talk(ctx context.Context, api API) (Talks, error) {
	ids := Talks{}
	var empty struct{ ID string }
	if err := api(ctx, "POST", "/sessions", map[string]any{}, &empty); err != nil {
		return nil, err
	}
	ids["empty"] = empty.ID
	if err := have(ctx, api, ids, talks()); err != nil {
		return nil, err
	}
	return ids, settle(ctx, api, ids)
}

// Liven begins the conversations whose answers go on, row by row: as late as can
// be, so that their pages are not long yet.
func Liven(ctx context.Context, api API, ids Talks) error { return have(ctx, api, ids, live()) }

// have has conversations side by side, until each is far enough.
func have(ctx context.Context, api API, ids Talks, all []conversation) error {
	for _, t := range all {
		id, err := begin(ctx, api, t.title, t.said)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		ids[t.name] = id
	}
	for _, t := range all {
		if err := reach(ctx, api, ids[t.name], t.far); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

// settle answers the one question and stops the one turn.
func settle(ctx context.Context, api API, ids Talks) error {
	permission, option, err := question(ctx, api, ids["answered"])
	if err != nil {
		return err
	}
	path := "/sessions/" + ids["answered"]
	if err := api(ctx, "POST", path+"/permissions/"+permission, map[string]any{"option": option}, nil); err != nil {
		return err
	}
	if err := api(ctx, "POST", "/sessions/"+ids["stopped"]+"/stop", map[string]any{}, nil); err != nil {
		return err
	}
	for _, name := range []string{"answered", "stopped"} {
		if err := reach(ctx, api, ids[name], all(1)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// Begin begins a turn that goes on for minutes: to be interrupted.
func Begin(ctx context.Context, api API) (session string, err error) {
	if session, err = begin(ctx, api, "Explain thread.c", says("/slow 600")); err != nil {
		return "", err
	}
	return session, reach(ctx, api, session, written)
}

func begin(ctx context.Context, api API, title string, said []message) (session string, err error) {
	path := "/sessions"
	for _, m := range said {
		fields := struct {
			RequestID string `json:"requestId"`
			Title     string `json:"title,omitempty"`
			message
		}{uuid.NewString(), title, m}
		var r struct{ SessionID string }
		if err := api(ctx, "POST", path, fields, &r); err != nil {
			return "", err
		}
		session, title = r.SessionID, ""
		path = "/sessions/" + session + "/messages"
	}
	return session, nil
}

// reach waits until a conversation is far enough.
func reach(ctx context.Context, api API, session string, far func(*progress) bool) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		p, err := progressOf(ctx, api, session)
		if err != nil {
			return err
		}
		if far(p) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("session %s does not get there: %+v", session, *p)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

type logged struct {
	Seq  int64
	Kind string
	Body struct {
		PermissionID string `json:"permissionId"`
		Options      []struct{ OptionID string }
	}
}

func events(ctx context.Context, api API, session string) ([]logged, error) {
	var log struct{ Events []logged }
	err := api(ctx, "GET", "/sessions/"+session+"/events", nil, &log)
	return log.Events, err
}

func progressOf(ctx context.Context, api API, session string) (*progress, error) {
	log, err := events(ctx, api, session)
	p := new(progress)
	for _, e := range log {
		switch e.Kind {
		case "turn/ended":
			p.turns++
		case "assistant/message":
			p.answers++
		case "permission/requested":
			p.asks = true
		}
	}
	return p, err
}

// question is what a conversation asks, with the first of its answers.
func question(ctx context.Context, api API, session string) (permission, option string, err error) {
	log, err := events(ctx, api, session)
	for _, e := range log {
		if e.Kind == "permission/requested" && len(e.Body.Options) > 0 {
			return e.Body.PermissionID, e.Body.Options[0].OptionID, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("session %s asks nothing", session)
	}
	return "", "", err
}

// Converse has a conversation of so many messages about a ledger, as ordinary
// as they come, and returns when the agent has answered them.
func Converse(ctx context.Context, api API, messages int) (session string, err error) {
	said := make([]message, messages)
	for i := range said {
		said[i].Text = fmt.Sprintf("Message %d: compare the totals of page %d with those in docs/reading-list.md, and say which rows differ and why.", i+1, i+3)
	}
	if session, err = begin(ctx, api, "A long conversation", said); err != nil {
		return "", err
	}
	return session, reach(ctx, api, session, all(messages))
}
