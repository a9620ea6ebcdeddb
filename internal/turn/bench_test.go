package turn_test

import (
	"context"
	"testing"
	"time"

	"webshell/internal/session"
	"webshell/internal/turn"
	"webshell/internal/turn/turntest"
)

// BenchmarkTurn measures one turn after another in one session: from the
// submission to the call of the backend (start-ns) and to the stored end
// (ns/op). Durability of the test database is off.
func BenchmarkTurn(b *testing.B) {
	rig := turntest.New(b)
	begun, ended := make(chan time.Time, 1), make(chan struct{}, 1)
	c := only(func(context.Context, turn.Input, *turn.Output) (session.Outcome, error) {
		begun <- time.Now()
		return session.Completed, nil
	})
	c.Observe.TurnEnded = func(string, session.Outcome, time.Duration) { ended <- struct{}{} }
	rig.Start(b, c)
	id := rig.Session(b, "a")
	var start time.Duration
	b.ResetTimer()
	for range b.N {
		submitted := time.Now()
		rig.Say(b, id, "go")
		start += wait(b, begun, "the start").Sub(submitted)
		wait(b, ended, "the end")
	}
	b.ReportMetric(float64(start.Nanoseconds())/float64(b.N), "start-ns")
}
