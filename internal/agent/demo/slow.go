package demo

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"webshell/composer"
	"webshell/internal/session"
)

// maxSlow is the longest /slow, in seconds.
const maxSlow = 600

var slowWords = []string{"one", "word", "after", "another", "while", "the", "clock", "goes", "on"}

// slow says words for some seconds. Each second is a step, where it takes
// steering and says what it took.
func (r *reply) slow(ctx context.Context) (session.Outcome, error) {
	seconds, ok := r.seconds()
	if !ok {
		return session.Completed, r.say(ctx, fmt.Sprintf("Say for how many seconds, from 1 to %d: for example `/slow 10`.\n", maxSlow))
	}
	word := 0
	for second := range seconds {
		text := fmt.Sprintf("Second %d of %d: ", second+1, seconds)
		for range 5 {
			text += slowWords[word%len(slowWords)] + " "
			if err := r.out.Text(text); err != nil {
				return "", err
			}
			if err := r.Pause(ctx, time.Second/5); err != nil {
				return "", err
			}
			text = ""
			word++
		}
		steering, err := r.out.Step(ctx)
		if err != nil {
			return "", err
		}
		if err := r.acknowledge(steering); err != nil {
			return "", err
		}
	}
	return session.Completed, r.out.Text("Done.\n")
}

func (r *reply) seconds() (int, bool) {
	if len(r.args) == 0 {
		return 0, false
	}
	n, err := strconv.Atoi(r.args[0])
	return n, err == nil && n >= 1 && n <= maxSlow
}

func (r *reply) acknowledge(steering []composer.Message) error {
	for _, m := range steering {
		if err := r.out.Text("I took your message into this turn:\n\n" + fenced(m.Content) + "\n\n"); err != nil {
			return err
		}
	}
	return nil
}
