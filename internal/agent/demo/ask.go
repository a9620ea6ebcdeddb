package demo

import (
	"context"
	"fmt"

	"webshell/internal/session"
)

// ask asks for a permission and says what was answered. Nothing is done with
// the answer, and none is remembered.
func (r *reply) ask(ctx context.Context) (session.Outcome, error) {
	if err := r.say(ctx, "I ask before I do something. Whatever you answer, nothing is run.\n"); err != nil {
		return "", err
	}
	options := []session.PermissionOption{
		{OptionID: "once", Label: "Allow once", Kind: session.AllowOnce},
		{OptionID: "always", Label: "Allow always", Kind: session.AllowAlways},
		{OptionID: "reject", Label: "Reject", Kind: session.RejectOnce},
	}
	answer, err := r.out.Permission(ctx, session.PermissionRequested{
		PermissionID: r.in.TurnID + "-ask",
		Title:        "Run a command",
		Detail:       "printf 'hello from the demo agent\\n'",
		Options:      options,
	})
	if err != nil {
		return "", err
	}
	for _, o := range options {
		if answer.Outcome == session.PermissionSelected && o.OptionID == answer.OptionID {
			return session.Completed, r.say(ctx, fmt.Sprintf("You answered: %s (`%s`).\n", o.Label, o.Kind))
		}
	}
	return session.Cancelled, nil
}
