package turn_test

import (
	"errors"
	"strings"
	"testing"

	"webshell/internal/session"
	"webshell/internal/turn"
)

func TestEverythingCountsTowardsTheLimit(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("x", 5000)
	streaming(t, func(out *turn.Output, _ *pieces) error {
		for name, c := range map[string]struct {
			write func() error
			cost  int
		}{
			"text":    {func() error { return out.Text(text) }, 5000 + turn.EventCost},
			"thought": {func() error { return out.Thought(text) }, 5000 + turn.EventCost},
			"event":   {func() error { return out.Event(session.Unknown{Name: "x", Body: []byte(`"` + text + `"`)}) }, 5002 + turn.EventCost},
			"context": {func() error { return out.Context([]byte(`{}`), text, []byte(`1`)) }, 5003 + turn.EventCost},
		} {
			before := out.Written()
			if err := c.write(); err != nil {
				return err
			}
			if cost := out.Written() - before; cost != c.cost {
				t.Errorf("%s cost %d, want %d", name, cost, c.cost)
			}
		}
		before := out.Written()
		for range 3 {
			if err := out.Text("more"); err != nil {
				return err
			}
		}
		if cost := out.Written() - before; cost > 3*len("more")+turn.EventCost {
			t.Errorf("text added to an open block cost %d", cost)
		}
		return nil
	})
}

// TestTurnHasALimit: what would pass the limit is not written at all.
func TestTurnHasALimit(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("x", 1000)
	for name, write := range map[string]func(out *turn.Output) error{
		"text":    func(out *turn.Output) error { return out.Text(text) },
		"thought": func(out *turn.Output) error { return out.Thought(text) },
		"event":   func(out *turn.Output) error { return out.Event(session.ModeChanged{Mode: text}) },
		"context": func(out *turn.Output) error { return out.Context(nil, text, nil) },
		"question": func(out *turn.Output) error {
			q := question("p")
			q.Detail = text
			_, err := out.Permission(t.Context(), q)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := write(turn.NearlyFull(len(text) + turn.EventCost - 1))
			if fault := (*turn.Fault)(nil); !errors.As(err, &fault) || !strings.Contains(fault.Message, "64 MiB") {
				t.Errorf("error is %v", err)
			}
		})
	}
	if turn.MaxTurn != 64<<20 {
		t.Errorf("the message names another limit than %d", turn.MaxTurn)
	}
}
