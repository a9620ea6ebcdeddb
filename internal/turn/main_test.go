package turn_test

import (
	"context"
	"os"
	"testing"
	"time"

	"webshell/internal/session"
	"webshell/internal/turn"
	"webshell/internal/turn/turntest"
	"webshell/store/storetest"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(crashURL); url != "" {
		crashingProcess(url)
		return
	}
	storetest.Main(m)
}

// only is a configuration with one agent named "a".
func only(s turntest.Script) turn.Config {
	return turn.Config{Backends: map[string]turn.Backend{"a": s}}
}

// wait waits for a channel to be closed or to receive.
func wait[T any](t testing.TB, c <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(turntest.Deadline):
		t.Fatalf("%s did not come", what)
		panic("unreachable")
	}
}

// saying answers with a text and waits for leave to end the turn.
func saying(text string, said chan<- struct{}, leave <-chan struct{}) turntest.Script {
	return func(ctx context.Context, _ turn.Input, out *turn.Output) (session.Outcome, error) {
		if err := out.Text(text); err != nil {
			return "", err
		}
		said <- struct{}{}
		select {
		case <-leave:
			return session.Completed, nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}
