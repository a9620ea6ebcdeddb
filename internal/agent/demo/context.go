package demo

import (
	"context"
	"encoding/json"
	"time"

	"webshell/internal/session"
)

// contextRow is what one producer might add to a model's conversation.
type contextRow struct{ source, content string }

// contextRows has a row for each kind of source. The recall comes first: right
// after the message it names the recalled session there.
var contextRows = []contextRow{
	{
		`{"kind":"session-reference","references":[{"label":"Plan for the release"},{"label":"Notes on tests"}]}`,
		"From the session \"Plan for the release\":\n\nThe release waits for the import of old logs.\n\nFrom the session \"Notes on tests\":\n\nRun the browser tests twice.\n",
	},
	{
		`{"kind":"workspace-instructions","changes":[{"path":"AGENTS.md"},{"path":"docs/STYLE.md"}]}`,
		"# AGENTS.md\n\nKeep files short.\n\n# docs/STYLE.md\n\nWrite plain words.\n",
	},
	{
		`{"kind":"agent-instructions","changes":[{"path":"INSTRUCTIONS.md"}]}`,
		"# INSTRUCTIONS.md\n\nAnswer in the language of the question.\n",
	},
	{
		`{"kind":"plugin","plugin":"example/clock"}`,
		"It is Monday, nine o'clock.\n",
	},
	{
		`{"kind":"skill-invocation","name":"review"}`,
		"To review a change, read its tests first.\n",
	},
	{
		`{"kind":"reference","references":[{"label":"README.md"}]}`,
		"# README\n\nWhat @README.md stood for, as the model got it.\n",
	},
	{
		`{"kind":"weather-station","station":"roof"}`,
		"A producer that this program does not know: 4 °C, light rain.\n",
	},
	{
		`{"note":"this source has no kind"}`,
		"A producer that did not say who it is.\n",
	},
}

// context adds the rows, and says so.
func (r *reply) context(ctx context.Context) (session.Outcome, error) {
	for _, row := range contextRows {
		if err := r.out.Context(json.RawMessage(row.source), row.content, nil); err != nil {
			return "", err
		}
		if err := r.Pause(ctx, 40*time.Millisecond); err != nil {
			return "", err
		}
	}
	return session.Completed, r.say(ctx, "Above this answer is one context row for each kind of source.\n")
}
