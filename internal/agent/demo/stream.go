package demo

import (
	"context"
	"time"
	"unicode/utf8"
)

// stream writes a text in about so many pieces, with a pause after each but
// the last.
func (r *reply) stream(ctx context.Context, write func(string) error, text string, pieces int, apart time.Duration) error {
	size := max(1, (len(text)+pieces-1)/pieces)
	for len(text) > size {
		cut := size
		for cut < len(text) && !utf8.RuneStart(text[cut]) {
			cut++
		}
		if err := write(text[:cut]); err != nil {
			return err
		}
		if err := r.Pause(ctx, apart); err != nil {
			return err
		}
		text = text[cut:]
	}
	return write(text)
}

// say streams a few sentences of the answer.
func (r *reply) say(ctx context.Context, text string) error {
	return r.stream(ctx, r.out.Text, text, 6, 60*time.Millisecond)
}
