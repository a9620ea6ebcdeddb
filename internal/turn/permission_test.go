package turn_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"webshell/internal/session"
	"webshell/internal/turn"
	"webshell/internal/turn/turntest"
)

func question(id string) session.PermissionRequested {
	return session.PermissionRequested{
		PermissionID: id, Title: "Run it?", Detail: "rm -r build",
		Options: []session.PermissionOption{
			{OptionID: "yes", Label: "Allow once", Kind: session.AllowOnce},
			{OptionID: "no", Label: "Reject", Kind: session.RejectOnce},
		},
	}
}

// asking asks and then says what was answered.
func asking(ctx context.Context, _ turn.Input, out *turn.Output) (session.Outcome, error) {
	if err := out.Text("before "); err != nil {
		return "", err
	}
	answer, err := out.Permission(ctx, question("p"))
	if err != nil {
		return "", err
	}
	return session.Completed, out.Text(answer.PermissionID + " " + answer.Outcome + " " + answer.OptionID)
}

func asked(log []session.Event) bool {
	return len(turntest.Of[session.PermissionRequested](log)) > 0
}

func TestPermissionIsAnsweredFromAnotherProcess(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	other := turntest.Open(t, rig.URL)
	rig.Start(t, only(asking))
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	log := other.Until(t, id, asked)
	if got := turntest.Answer(log); got != "before " {
		t.Errorf("the block before the question holds %q", got)
	}
	if err := other.Store.AnswerPermission(t.Context(), other.Viewer, id, "p", "no"); err != nil {
		t.Fatal(err)
	}
	state := rig.Ended(t, id, 1)
	log = rig.Log(t, id)
	if got := turntest.Answer(log); got != "before p selected no" {
		t.Errorf("the backend got %q", got)
	}
	if n := len(turntest.Of[session.PermissionResolved](log)); n != 1 {
		t.Errorf("the answer is logged %d times", n)
	}
	n := state.Nodes[2].(*session.PermissionNode)
	if n.Outcome != session.PermissionSelected || n.Option != "no" {
		t.Errorf("the row is %+v", n)
	}
}

func TestStopCancelsTheQuestion(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	got := make(chan session.PermissionResolved, 1)
	rig.Start(t, only(func(ctx context.Context, _ turn.Input, out *turn.Output) (session.Outcome, error) {
		// A context of the backend's own: the turn's end alone must do.
		answer, err := out.Permission(context.Background(), question("p"))
		if err != nil {
			t.Errorf("permission: %v", err)
		}
		got <- answer
		return session.Completed, nil
	}))
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	rig.Until(t, id, asked)
	stopTurn(t, rig, id)
	if answer := wait(t, got, "the answer"); answer.Outcome != session.PermissionCancelled || answer.PermissionID != "p" {
		t.Errorf("got %+v", answer)
	}
	state := rig.Ended(t, id, 1)
	if n := state.Nodes[1].(*session.PermissionNode); n.Outcome != session.PermissionCancelled {
		t.Errorf("the row is %+v", n)
	}
}

func TestWithdrawnQuestion(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	withdraw := make(chan struct{})
	rig.Start(t, only(func(ctx context.Context, _ turn.Input, out *turn.Output) (session.Outcome, error) {
		asking, cancel := context.WithCancel(ctx)
		go func() {
			<-withdraw
			cancel()
		}()
		answer, err := out.Permission(asking, question("p"))
		if err != nil {
			return "", err
		}
		return session.Completed, out.Text(answer.Outcome)
	}))
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	rig.Until(t, id, asked)
	close(withdraw)
	rig.Ended(t, id, 1)
	log := rig.Log(t, id)
	if got := turntest.Answer(log); got != session.PermissionCancelled {
		t.Errorf("the backend got %q", got)
	}
	if r := turntest.Of[session.PermissionResolved](log); len(r) != 1 || r[0].Outcome != session.PermissionCancelled {
		t.Errorf("logged %+v", r)
	}
}

// TestQuestionsAtOnce: an agent may ask from several goroutines.
func TestQuestionsAtOnce(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	const questions = 5
	rig.Start(t, only(func(ctx context.Context, _ turn.Input, out *turn.Output) (session.Outcome, error) {
		errs := make(chan error, questions)
		for i := range questions {
			go func() {
				id := fmt.Sprint("p", i)
				answer, err := out.Permission(ctx, question(id))
				if err == nil && (answer.OptionID != "yes" || answer.PermissionID != id) {
					err = fmt.Errorf("%s: %+v", id, answer)
				}
				errs <- err
			}()
		}
		var all error
		for range questions {
			all = errors.Join(all, <-errs)
		}
		return session.Completed, all
	}))
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	rig.Until(t, id, func(log []session.Event) bool {
		return len(turntest.Of[session.PermissionRequested](log)) == questions
	})
	for i := range questions {
		if err := rig.Store.AnswerPermission(t.Context(), rig.Viewer, id, fmt.Sprint("p", questions-1-i), "yes"); err != nil {
			t.Fatal(err)
		}
	}
	rig.Ended(t, id, 1)
	if outcome, message := turntest.Outcome(t, rig.Log(t, id)); outcome != session.Completed {
		t.Errorf("ended as %s %q", outcome, message)
	}
}

func TestQuestionsThatAreRefused(t *testing.T) {
	t.Parallel()
	rig := turntest.New(t)
	with := func(options ...session.PermissionOption) session.PermissionRequested {
		q := question("x")
		q.Options = options
		return q
	}
	refused := map[string]session.PermissionRequested{
		"no options":        with(),
		"an empty id":       with(session.PermissionOption{Label: "Yes"}),
		"one id twice":      with(session.PermissionOption{OptionID: "a"}, session.PermissionOption{OptionID: "a"}),
		"too many options":  with(make([]session.PermissionOption, 33)...),
		"a detail too long": {PermissionID: "y", Detail: string(make([]byte, 1<<20)), Options: question("").Options},
	}
	rig.Start(t, only(func(ctx context.Context, _ turn.Input, out *turn.Output) (session.Outcome, error) {
		for name, q := range refused {
			if _, err := out.Permission(ctx, q); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
		answer, err := out.Permission(ctx, question(""))
		if err != nil || answer.PermissionID == "" {
			t.Errorf("a question without an id: %+v, %v", answer, err)
		}
		if _, err := out.Permission(ctx, question(answer.PermissionID)); err == nil {
			t.Error("an id may be used twice")
		}
		return session.Completed, nil
	}))
	id := rig.Session(t, "a")
	rig.Say(t, id, "go")
	log := rig.Until(t, id, asked)
	q := turntest.Of[session.PermissionRequested](log)[0]
	if err := rig.Store.AnswerPermission(t.Context(), rig.Viewer, id, q.PermissionID, "yes"); err != nil {
		t.Fatal(err)
	}
	rig.Ended(t, id, 1)
	if n := len(turntest.Of[session.PermissionRequested](rig.Log(t, id))); n != 1 {
		t.Errorf("%d questions were logged", n)
	}
}
