package demo

import (
	"context"
	"errors"

	"webshell/internal/session"
	"webshell/internal/turn"
)

// fail begins an answer and fails in the middle of it.
func (r *reply) fail(ctx context.Context) (session.Outcome, error) {
	if err := r.say(ctx, "This answer begins well, and in the middle of the second sen"); err != nil {
		return "", err
	}
	return "", &turn.Fault{
		Message: "The demo agent failed because /fail asked it to. Nothing is broken: retry to see it again, or send another message.",
		Err:     errors.New("asked to fail"),
	}
}
