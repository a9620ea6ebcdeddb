package bus

import (
	"sync"
	"testing"
)

func woken(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestWakeReachesTheTopicOnly(t *testing.T) {
	var b Bus
	a1, _ := b.Subscribe("a")
	a2, _ := b.Subscribe("a")
	other, _ := b.Subscribe("b")
	b.Wake("a")
	b.Wake("a") // a pending wake is the same wake
	if !woken(a1) || !woken(a2) {
		t.Error("a reader of the topic was not woken")
	}
	if woken(a1) {
		t.Error("two wakes before a read were kept apart")
	}
	if woken(other) {
		t.Error("a reader of another topic was woken")
	}
	b.WakeAll()
	if !woken(a1) || !woken(other) {
		t.Error("WakeAll missed a reader")
	}
}

func TestCancelledReadersAreForgotten(t *testing.T) {
	var b Bus
	c, cancel := b.Subscribe("a")
	cancel()
	cancel()
	b.Wake("a")
	if woken(c) {
		t.Error("a cancelled reader was woken")
	}
	if len(b.topics) != 0 {
		t.Errorf("%d topics are kept without readers", len(b.topics))
	}
}

func TestConcurrentUse(t *testing.T) {
	var b Bus
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 500 {
				c, cancel := b.Subscribe("a")
				b.Wake("a")
				<-c // its own wake, or another's
				cancel()
			}
		})
	}
	wg.Wait()
}
