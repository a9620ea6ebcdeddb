package turn_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"webshell/internal/bus"
	"webshell/internal/session"
	"webshell/internal/turn"
	"webshell/internal/turn/turntest"
	"webshell/store"
)

// crashURL holds the database's address for a process that is to be killed:
// the test binary, run again.
const crashURL = "WEBSHELL_TEST_CRASH_URL"

const crashLease = 500 * time.Millisecond

// crashingProcess runs turns until it is killed. It prints a line when it has
// begun to answer.
func crashingProcess(url string) {
	var b bus.Bus
	s, err := store.Open(context.Background(), url, store.Options{Wake: b.Wake})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	c := only(func(_ context.Context, _ turn.Input, out *turn.Output) (session.Outcome, error) {
		if err := out.Thought("a whole thought"); err != nil {
			return "", err
		}
		if err := out.Text("half an answ"); err != nil {
			return "", err
		}
		fmt.Println("said")
		select {}
	})
	c.Log, c.Owner, c.Subscribe, c.Lease = s.TurnLog(), "the process that dies", b.Subscribe, crashLease
	turn.New(c).Run(context.Background())
}

// TestKilledProcess: a turn whose process was killed is closed with what it
// had said, never run again by itself, and the queue goes on.
func TestKilledProcess(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	id := rig.Session(t, "a")
	rig.Say(t, id, "first")

	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), exe)
	child.Env = append(os.Environ(), crashURL+"="+rig.URL)
	child.Stderr = os.Stderr
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	said := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(stdout).ReadString('\n')
		said <- line
	}()
	if line := wait(t, said, "the answer's start"); line != "said\n" {
		t.Fatalf("the process says %q", line)
	}
	rig.Say(t, id, "second")
	if err := child.Process.Kill(); err != nil { // SIGKILL
		t.Fatal(err)
	}
	child.Wait() // its error is the kill

	c := only(func(_ context.Context, in turn.Input, out *turn.Output) (session.Outcome, error) {
		if in.Message.Content != "second" {
			t.Errorf("the turn on %q was run again", in.Message.Content)
		}
		return session.Completed, out.Text("the next answer")
	})
	c.Lease = crashLease
	rig.Start(t, c)
	rig.Ended(t, id, 2)

	log := rig.Log(t, id)
	if ends := turntest.Of[session.TurnEnded](log); ends[0].Outcome != session.Interrupted || ends[1].Outcome != session.Completed {
		t.Errorf("ends are %+v", ends)
	}
	if n := len(turntest.Of[session.TurnStarted](log)); n != 2 {
		t.Errorf("%d turns were started", n)
	}
	state := session.Fold("", log)
	thought, answer := state.Nodes[1].(*session.TextNode), state.Nodes[2].(*session.TextNode)
	if !thought.Thought || thought.Text != "a whole thought" || answer.Thought || answer.Text != "half an answ" {
		t.Errorf("kept %+v and %+v", thought, answer)
	}
	checkNoPieces(t, rig, id)
}
