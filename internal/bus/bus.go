// Package bus wakes readers of a topic (a session's id, or the turns that
// wait) within this process. It carries no content: a reader that is woken
// reads the store, and a wake that comes while one is pending is the same wake.
package bus

import "sync"

// Bus is safe for use by several goroutines. The zero value is ready.
type Bus struct {
	mu     sync.Mutex
	topics map[string]map[chan struct{}]struct{}
}

// Subscribe returns a channel that receives when the topic is woken, and the
// function that ends the subscription. The channel is never closed.
func (b *Bus) Subscribe(topic string) (woken <-chan struct{}, cancel func()) {
	c := make(chan struct{}, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.topics == nil {
		b.topics = map[string]map[chan struct{}]struct{}{}
	}
	if b.topics[topic] == nil {
		b.topics[topic] = map[chan struct{}]struct{}{}
	}
	b.topics[topic][c] = struct{}{}
	return c, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.topics[topic], c)
		if len(b.topics[topic]) == 0 {
			delete(b.topics, topic)
		}
	}
}

// Wake wakes the topic's readers. It never blocks.
func (b *Bus) Wake(topic string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range b.topics[topic] {
		wake(c)
	}
}

// WakeAll wakes every reader: anything may have been missed.
func (b *Bus) WakeAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, readers := range b.topics {
		for c := range readers {
			wake(c)
		}
	}
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // one is pending already
	}
}
