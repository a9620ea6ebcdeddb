package demo

import (
	"context"
	_ "embed"
	"time"

	"webshell/internal/session"
)

//go:embed sample.md
var sample string

// markdown streams a long sample of formatted text, in about two seconds.
func (r *reply) markdown(ctx context.Context) (session.Outcome, error) {
	return session.Completed, r.stream(ctx, r.out.Text, sample, 40, 50*time.Millisecond)
}
