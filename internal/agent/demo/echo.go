package demo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"webshell/internal/session"
)

// echo shows the message as it was received: as a model would see it. A short
// one takes under a second.
func (r *reply) echo(ctx context.Context) (session.Outcome, error) {
	content := r.in.Message.Content
	text := fmt.Sprintf("This is what I received, %d bytes:\n\n%s\n", len(content), fenced(content))
	return session.Completed, r.stream(ctx, r.out.Text, text, 10, 60*time.Millisecond)
}

// fenced puts a text, byte for byte, into a fenced block: between the line
// break after the opening fence and the one before the closing fence. The
// fence is longer than any run of backticks inside, so nothing closes it early.
func fenced(text string) string {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", max(3, longest+1))
	return fence + "\n" + text + "\n" + fence
}
