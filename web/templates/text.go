package templates

import (
	"time"

	"webshell/internal/session"
)

// textBlock is a block of the agent's answer or reasoning, open or closed.
type textBlock struct {
	Key        string
	Seq        int64
	At         time.Time
	Thought    bool
	Open       bool
	Done, Tail string // safe HTML
	Plain      bool   // Tail is plain text
	Preview    string // one line of it, for a closed thought
}

func closedBlock(v View, n *session.TextNode) textBlock {
	b := textBlock{
		Key: n.Key, Seq: n.Seq, At: n.At, Thought: n.Thought, Open: n.Open,
		Done: v.Markdown(n.Text),
	}
	if n.Thought {
		b.Preview = preview(n.Text)
	}
	return b
}

// titleKey is the locales' key of a thought's title.
func (b textBlock) titleKey() string {
	if b.Open {
		return "thought.open"
	}
	return "thought.title"
}
