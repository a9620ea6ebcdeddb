package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"webshell/internal/session"
	"webshell/internal/workspace"
)

// Bounds of a listing.
const (
	readNames  = 1000 // read from the folder
	shownNames = 100
)

// tool calls a tool that lists the names in the workspace folder. It reads
// nothing else, and changes nothing.
func (r *reply) tool(ctx context.Context) (session.Outcome, error) {
	if r.folder == nil {
		return session.Completed, r.say(ctx, "There is no workspace folder to list.\n")
	}
	if err := r.say(ctx, "I list the names in the workspace folder.\n"); err != nil {
		return "", err
	}
	call := session.ToolCall{
		ToolCallID: r.in.TurnID + "/list", Title: "List the workspace folder", ToolKind: "read",
		Status: session.ToolPending, Locations: []string{"."}, Input: json.RawMessage(`{"path":"."}`),
	}
	if err := r.out.Event(call); err != nil {
		return "", err
	}
	if err := r.update(ctx, session.ToolUpdate{ToolCallID: call.ToolCallID, Status: session.ToolInProgress, Text: "Reading …"}); err != nil {
		return "", err
	}
	names, more, err := r.names(ctx)
	if err != nil {
		if err := r.update(ctx, session.ToolUpdate{ToolCallID: call.ToolCallID, Status: session.ToolFailed, Text: "The folder cannot be read."}); err != nil {
			return "", err
		}
		return session.Completed, r.say(ctx, "The workspace folder cannot be read.\n")
	}
	return session.Completed, r.listed(ctx, call.ToolCallID, names, more)
}

// listed reports the names: half of them first, to show a call in progress.
func (r *reply) listed(ctx context.Context, id string, names []string, more bool) error {
	half := strings.Join(names[:len(names)/2], "\n")
	if err := r.update(ctx, session.ToolUpdate{ToolCallID: id, Text: half}); err != nil {
		return err
	}
	output, err := json.Marshal(struct {
		Names []string `json:"names"`
		More  bool     `json:"more"`
	}{names, more})
	if err != nil {
		return err
	}
	text := strings.Join(names, "\n")
	if more {
		text += "\n…"
	}
	done := session.ToolUpdate{ToolCallID: id, Status: session.ToolCompleted, Title: "Listed the workspace folder", Text: text, Output: output}
	if err := r.update(ctx, done); err != nil {
		return err
	}
	return r.say(ctx, "The workspace folder holds "+count(len(names), more)+".\n")
}

func count(n int, more bool) string {
	switch {
	case more:
		return fmt.Sprintf("more than %d names", n)
	case n == 1:
		return "1 name"
	}
	return fmt.Sprintf("%d names", n)
}

func (r *reply) update(ctx context.Context, u session.ToolUpdate) error {
	if err := r.out.Event(u); err != nil {
		return err
	}
	return r.Pause(ctx, 150*time.Millisecond)
}

// names are the first names of the folder in order, folders with a slash, and
// whether there are more.
func (a *Agent) names(ctx context.Context) (names []string, more bool, err error) {
	entries, more, err := a.folder.ReadDir(ctx, ".", readNames)
	if err != nil {
		return nil, false, err
	}
	for _, e := range entries {
		names = append(names, nameOf(e))
	}
	slices.Sort(names)
	if len(names) > shownNames {
		return names[:shownNames], true, nil
	}
	return names, more, nil
}

// nameOf marks folders. A link is shown as what it is, not as what it leads to.
func nameOf(e workspace.Entry) string {
	if e.Kind == workspace.Directory && !e.Link {
		return e.Name + "/"
	}
	return e.Name
}
