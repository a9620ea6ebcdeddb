package demo

import (
	"context"
	"time"

	"webshell/internal/session"
)

// think shows reasoning, and then an answer.
func (r *reply) think(ctx context.Context) (session.Outcome, error) {
	const thought = "The message asks for reasoning. There is nothing to find out, so I say so in a few sentences.\n\n" +
		"First I look at the question. Then I notice that any answer will do. I choose a short one.\n"
	if err := r.stream(ctx, r.out.Thought, thought, 10, 80*time.Millisecond); err != nil {
		return "", err
	}
	return session.Completed, r.say(ctx, "I thought about it: the reasoning is in the row above this answer.\n")
}
