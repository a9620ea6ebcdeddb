package markdown

import (
	"syscall"
	"time"
)

// A stopwatch adds up the processor time of runs: of this whole process, but
// not of others on the machine.
type stopwatch struct{ total time.Duration }

func (w *stopwatch) run(f func()) {
	start := processorTime()
	f()
	w.total += processorTime() - start
}

func (w *stopwatch) ms() float64 { return float64(w.total) / float64(time.Millisecond) }

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
