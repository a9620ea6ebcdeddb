package turn_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"webshell/internal/session"
	"webshell/internal/turn"
	"webshell/internal/turn/turntest"
)

// pieces records what is stored of open blocks.
type pieces struct {
	mu     sync.Mutex
	stored []session.Piece
}

func (p *pieces) record(piece session.Piece) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stored = append(p.stored, piece)
	return nil
}

func (p *pieces) all() []session.Piece {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]session.Piece(nil), p.stored...)
}

// streaming runs one turn of a script over a log that records pieces.
func streaming(t *testing.T, script func(out *turn.Output, p *pieces) error) ([]session.Piece, []session.Event) {
	t.Helper()
	rig := turntest.New(t)
	var p pieces
	c := only(func(_ context.Context, _ turn.Input, out *turn.Output) (session.Outcome, error) {
		return session.Completed, script(out, &p)
	})
	c.Log = &faulty{Log: rig.Store.TurnLog(), beforePiece: p.record}
	rig.Start(t, c)
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	rig.Ended(t, id, 1)
	log := rig.Log(t, id)
	if outcome, message := turntest.Outcome(t, log); outcome != session.Completed {
		t.Fatalf("ended as %s %q", outcome, message)
	}
	checkNoPieces(t, rig, id)
	return p.all(), log
}

func TestFirstPieceGoesOutAtOnce(t *testing.T) {
	t.Parallel()
	stored, _ := streaming(t, func(out *turn.Output, p *pieces) error {
		for i, s := range []string{"a", "b"} {
			if err := out.Text(s); err != nil {
				return err
			}
			if err := out.Thought(s); err != nil {
				return err
			}
			// Each block's first piece was stored before the call returned.
			if n := len(p.all()); n != 2*(i+1) {
				t.Errorf("%d pieces after %d blocks", n, 2*(i+1))
			}
		}
		return nil
	})
	for i, p := range stored {
		if p.Block != i+1 || p.N != 1 {
			t.Errorf("piece %d is %d.%d", i, p.Block, p.N)
		}
	}
}

func TestPiecesAreCoalesced(t *testing.T) {
	t.Parallel()
	var took time.Duration
	var wrote, stored int
	_, log := streaming(t, func(out *turn.Output, p *pieces) error {
		begun := time.Now()
		for time.Since(begun) < 550*time.Millisecond {
			if err := out.Text("x"); err != nil {
				return err
			}
			wrote++
		}
		stored = len(p.all()) // the last one may come while the turn ends
		took = time.Since(begun)
		return nil
	})
	// How many fit into the time is the machine's affair; that they are a few of
	// very many writes is not.
	if stored < 2 || stored*20 > wrote {
		t.Errorf("%d pieces of %d writes in %s", stored, wrote, took)
	}
	if got := turntest.Answer(log); got != strings.Repeat("x", wrote) {
		t.Errorf("%d of %d bytes were logged", len(got), wrote)
	}
}

// TestLastPieceIsFlushed: text that nothing follows is stored soon.
func TestLastPieceIsFlushed(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	flushed, leave := make(chan struct{}, 8), make(chan struct{})
	c := only(func(_ context.Context, _ turn.Input, out *turn.Output) (session.Outcome, error) {
		out.Text("first")
		out.Text(" second")
		<-leave
		return session.Completed, nil
	})
	c.Log = &faulty{Log: rig.Store.TurnLog(), beforePiece: func(p session.Piece) error {
		if p.N == 2 && p.Text == " second" {
			close(flushed)
		}
		return nil
	}}
	rig.Start(t, c)
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	wait(t, flushed, "the second piece")
	close(leave)
	rig.Ended(t, id, 1)
}

// TestPiecesCostTheSame: what is written for a piece is the piece, however
// long the answer has become, and all pieces together are the answer.
func TestPiecesCostTheSame(t *testing.T) {
	t.Parallel()
	const part, parts = 1000, 1000
	text := strings.Repeat("p", part)
	stored, log := streaming(t, func(out *turn.Output, _ *pieces) error {
		for range parts {
			if err := out.Text(text); err != nil {
				return err
			}
		}
		return nil
	})
	written := 0
	for i, p := range stored {
		written += len(p.Text)
		if p.N != i+1 || p.Block != 1 {
			t.Errorf("piece %d is %d.%d", i, p.Block, p.N)
		}
	}
	if written > part*parts {
		t.Errorf("%d bytes of pieces for an answer of %d", written, part*parts)
	}
	if got := turntest.Answer(log); len(got) != part*parts {
		t.Errorf("the answer has %d bytes", len(got))
	}
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	_, log := streaming(t, func(out *turn.Output, _ *pieces) error {
		steps := []func() error{
			func() error { return out.Thought("hm ") },
			func() error { return out.Thought("well") },
			func() error { return out.Text("one ") },
			func() error { return out.Text("") },
			func() error { return out.Text("two") },
			func() error { return out.Event(session.ToolCall{ToolCallID: "c", Title: "look"}) },
			func() error { return out.Text("three") },
			func() error { return out.Context([]byte(`{"kind":"plugin"}`), "added", nil) },
			func() error { return out.Text("four\xff\x00") },
			func() error { _, err := out.Step(t.Context()); return err },
			func() error { return out.Text("a\xe6\xb1") },
			func() error { return out.Text("\x89b") },
		}
		for _, step := range steps {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
	var got []string
	for _, e := range log[2 : len(log)-1] {
		got = append(got, fmt.Sprintf("%s %s", e.Kind(), e.Content))
	}
	want := []string{
		"assistant/thought hm well", "assistant/message one two", "tool/call ", "assistant/message three",
		"context/message added", "assistant/message four\uFFFD\uFFFD", "assistant/message a汉b",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("logged\n%s", strings.Join(got, "\n"))
	}
	for i, b := range turntest.Of[session.AssistantMessage](log) {
		if b.Block != i+2 || b.Turn == "" {
			t.Errorf("block %d is %+v", i, b)
		}
	}
}

func TestLongBlockGoesOnInTheNext(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("汉", 3<<19) // 4.5 MiB
	_, log := streaming(t, func(out *turn.Output, _ *pieces) error { return out.Text(text) })
	if got := turntest.Answer(log); got != text {
		t.Errorf("%d of %d bytes were logged, or others", len(got), len(text))
	}
	if n := len(turntest.Of[session.AssistantMessage](log)); n != 2 {
		t.Errorf("%d blocks", n)
	}
}
