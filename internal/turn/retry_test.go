package turn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"webshell/internal/session"
)

// state is an error with a SQLSTATE, as the driver gives it.
type state string

func (s state) Error() string    { return "refused with " + string(s) }
func (s state) SQLState() string { return string(s) }

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want bool
	}{
		{io.ErrUnexpectedEOF, false},
		{errors.New("dial: connection refused"), false},
		{context.DeadlineExceeded, false},
		{state("08006"), false}, // connection failure
		{state("25P03"), false}, // transaction idle for too long
		{state("40001"), false}, // serialization failure
		{state("53100"), false}, // disk full
		{state("53300"), false}, // too many connections
		{state("55P03"), false}, // lock not available
		{state("57P01"), false}, // admin shutdown
		{state("57P03"), false}, // cannot connect now
		{state("58030"), false}, // I/O error
		{state(""), false},
		{state("22P05"), true}, // untranslatable character
		{state("23505"), true}, // unique violation
		{state("42P01"), true}, // undefined table
		{state("54000"), true}, // program limit exceeded
		{fmt.Errorf("log: %w", state("22021")), true},
	} {
		if got := refused(c.err); got != c.want {
			t.Errorf("%v: refused is %v", c.err, got)
		}
	}
}

func TestRetry(t *testing.T) {
	t.Parallel()
	quiet := slog.New(slog.DiscardHandler)
	stopped := errors.New("stopped")
	for name, c := range map[string]struct {
		answers []error // then nil
		limit   time.Duration
		want    error
		tries   int
	}{
		"at once":            {nil, time.Minute, nil, 1},
		"after a while":      {[]error{io.EOF, state("57P01"), io.EOF}, time.Minute, nil, 4},
		"the lease is lost":  {[]error{io.EOF, session.ErrFenced}, time.Minute, session.ErrFenced, 2},
		"the data is wrong":  {[]error{state("22P05")}, time.Minute, state("22P05"), 1},
		"the time is over":   {[]error{io.EOF}, 0, io.EOF, 1},
		"the turn is closed": {[]error{io.EOF, stopped}, time.Minute, stopped, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			tries := 0
			err := retry(ctx, quiet, c.limit, func(context.Context) error {
				tries++
				if tries > len(c.answers) {
					return nil
				}
				if c.answers[tries-1] == stopped {
					cancel(stopped)
					return context.Canceled
				}
				return c.answers[tries-1]
			})
			if err != c.want || tries != c.tries {
				t.Errorf("%d tries and %v, want %d and %v", tries, err, c.tries, c.want)
			}
		})
	}
}
