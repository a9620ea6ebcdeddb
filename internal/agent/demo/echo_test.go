package demo_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"webshell/composer"
	"webshell/internal/agent/demo"
	"webshell/internal/turn"
	"webshell/internal/turn/turntest"
	"webshell/store"
)

// received reads the fenced block of an answer back, as a Markdown parser
// finds it: from the first line of backticks to the next that is as long.
func received(t *testing.T, answer string) string {
	t.Helper()
	_, rest, ok := strings.Cut(answer, "\n\n```")
	if !ok {
		t.Fatalf("no fenced block in %q", answer)
	}
	more := len(rest) - len(strings.TrimLeft(rest, "`"))
	fence := "```" + rest[:more]
	rest = rest[more+len("\n"):]
	for at, line := 0, ""; ; at += len(line) {
		end := strings.IndexByte(rest[at:], '\n')
		if end < 0 {
			t.Fatalf("the block is not closed in %q", answer)
		}
		line = rest[at : at+end+1]
		if bare := strings.TrimRight(line, "\n"); len(bare) >= len(fence) && strings.Trim(bare, "`") == "" {
			return strings.TrimSuffix(rest[:at], "\n")
		}
	}
}

func TestEcho(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	for name, content := range map[string]string{
		"short":                   "hi",
		"white space":             "  two leading, two trailing  \n\n\n",
		"CR LF":                   "a\r\nb\rc",
		"only a line break":       "\n",
		"a fence":                 "```go\nx\n```",
		"a longer fence":          "````\n```\n`````",
		"backticks to the end":    "a `````",
		"another fence":           "~~~\nx\n~~~",
		"markup":                  "<script>alert(1)</script> [x](javascript:x) **b**",
		"Chinese and emoji":       "你好 👩‍💻 é",
		"right to left":           "مرحبا",
		"an unknown command":      "/nothing here",
		"a slash":                 "/",
		"a path":                  "/etc/passwd",
		"a command further on":    "please /fail",
		"a command behind a line": "x\n/fail",
		"a command behind spaces": " /fail",
		"a longer word":           "/failure",
		"another case":            "/FAIL",
		"no word":                 "/ fail",
	} {
		t.Run(name, func(t *testing.T) {
			log := r.ask(t, content)
			completed(t, log)
			if got := received(t, turntest.Answer(log)); got != content {
				t.Errorf("shown as %q, want %q", got, content)
			}
		})
	}
}

func TestEchoOfALongMessage(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	content := strings.Repeat("汉字 and words ", composer.MaxText/16-1)
	log := r.ask(t, content)
	completed(t, log)
	if got := received(t, turntest.Answer(log)); got != content {
		t.Errorf("%d of %d bytes are shown, or others", len(got), len(content))
	}
}

func TestEchoIsStreamed(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	completed(t, r.ask(t, "hi"))
	waited, pauses := r.clock.total()
	if pauses < 3 || waited > time.Second {
		t.Errorf("%d pauses, %s in all", pauses, waited)
	}
}

// TestEchoInTime measures with the real clock, from the message's event to the
// end's.
func TestEchoInTime(t *testing.T) {
	t.Parallel()
	r := turntest.New(t)
	r.Start(t, turn.Config{Backends: map[string]turn.Backend{"demo": demo.New(nil)}})
	id := r.Session(t, "demo")
	r.Say(t, id, "a short message")
	r.Ended(t, id, 1)
	log := r.Log(t, id)
	if took := log[len(log)-1].At.Sub(log[0].At); took > 2*time.Second {
		t.Errorf("it took %s", took)
	}
}

// TestChipIsNoCommand: a chip at the start is a reference, whatever it spells;
// a command taken from the menu is a command.
func TestChipIsNoCommand(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	for name, c := range map[string]struct {
		annotation composer.Annotation
		echoed     bool
	}{
		"a chip":    {composer.Annotation{Type: composer.TypeReference, End: 6, Text: "/think", Reference: &composer.Reference{ID: "x"}}, true},
		"a command": {composer.Annotation{Type: composer.TypeCommand, End: 6, Text: "/think", Command: &composer.Command{Name: "think"}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			id := r.Session(t, "demo")
			_, err := r.Store.Submit(t.Context(), r.Viewer, store.Submission{
				SessionID: id, RequestID: uuid.NewString(),
				Message: composer.Message{Content: "/think about it", Annotations: []composer.Annotation{c.annotation}},
			})
			if err != nil {
				t.Fatal(err)
			}
			r.Ended(t, id, 1)
			answer := turntest.Answer(r.Log(t, id))
			if echoed := strings.Contains(answer, "/think about it"); echoed != c.echoed {
				t.Errorf("answer is %q", answer)
			}
		})
	}
}
