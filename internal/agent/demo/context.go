package demo

import (
	"context"
	"encoding/json"
	"time"

	"webshell/internal/session"
)

// contextRow is what one producer might add to a model's conversation; an
// empty form is plain text.
type contextRow struct{ source, form, content string }

// contextRows has a row for each kind of source and for each form. The recall
// comes first: right after the message it names the recalled session there.
var contextRows = []contextRow{
	{
		`{"kind":"session-reference","references":[{"label":"Plan for the release"},{"label":"Notes on tests"}]}`,
		`{"kind":"recall","kept":2,"omitted":31,"truncated":true}`,
		"From the session \"Plan for the release\":\n\nThe release waits for the import of old logs.\n\nFrom the session \"Notes on tests\":\n\nRun the browser tests twice.\n",
	},
	{
		`{"kind":"workspace-instructions","changes":[{"path":"AGENTS.md"},{"path":"docs/STYLE.md"}]}`,
		`{"kind":"instructions","files":[{"path":"AGENTS.md","change":"added"},{"path":"docs/STYLE.md","change":"updated"},{"path":"docs/OLD.md","change":"removed"}]}`,
		"# AGENTS.md\n\nKeep files short.\n\n# docs/STYLE.md\n\nWrite plain words.\n",
	},
	{
		`{"kind":"agent-instructions","changes":[{"path":"INSTRUCTIONS.md"}]}`, "",
		"# INSTRUCTIONS.md\n\nAnswer in the language of the question.\n",
	},
	{
		`{"kind":"plugin","plugin":"example/clock"}`,
		`{"kind":"snapshot","sections":[{"name":"Time","text":"Monday, nine o'clock"},{"name":"Next","text":"The release meeting,\nin two hours"}]}`,
		"It is Monday, nine o'clock. Next: the release meeting, in two hours.\n",
	},
	{
		`{"kind":"plugin","plugin":"example/skills"}`,
		`{"kind":"catalog","items":[{"name":"review","description":"Reads a change and says what to look at"},{"name":"release","description":"Writes the notes of a release"},{"name":"bisect"}]}`,
		"You have the skills review (reads a change and says what to look at), release (writes the notes of a release) and bisect.\n",
	},
	{
		`{"kind":"plugin","plugin":"example/jobs"}`,
		`{"kind":"notice","summary":"The job \"links\" has ended: 214 links, none broken"}`,
		"Job links, started by the person, ended with status 0.\n214 links were followed; none is broken.\n",
	},
	{
		`{"kind":"plugin","plugin":"example/relay"}`,
		`{"kind":"relay","session":"Compare the two Makefiles"}`,
		"The two files differ in one line.\n",
	},
	{
		`{"kind":"skill-invocation","name":"review"}`, "",
		"To review a change, read its tests first.\n",
	},
	{
		`{"kind":"reference","references":[{"label":"README.md"}]}`, "",
		"# README\n\nWhat @README.md stood for, as the model got it.\n",
	},
	{
		`{"kind":"weather-station","station":"roof"}`, "",
		"A producer that this program does not know: 4 °C, light rain.\n",
	},
	{
		`{"note":"this source has no kind"}`, "",
		"A producer that did not say who it is.\n",
	},
}

// context adds the rows, and says so.
func (r *reply) context(ctx context.Context) (session.Outcome, error) {
	for _, row := range contextRows {
		if err := r.out.Context(json.RawMessage(row.source), row.content, json.RawMessage(row.form)); err != nil {
			return "", err
		}
		if err := r.Pause(ctx, 40*time.Millisecond); err != nil {
			return "", err
		}
	}
	return session.Completed, r.say(ctx, "Above this answer is one context row for each kind of source, and for each form that its text can have.\n")
}
