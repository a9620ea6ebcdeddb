package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
)

// kill9 ends whole processes, as an out-of-memory killer or a power cut does.
var kill9 = map[string]func(*server){
	"server":   func(s *server) { s.kill() },
	"Postgres": func(s *server) { killProcess(s, s.postmaster()) },
	"both": func(s *server) {
		pid := s.postmaster()
		killProcess(s, pid)
		s.kill()
	},
}

func killProcess(s *server, pid int) {
	s.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		s.Error(err)
	}
}

// sent is a message that a writer sends until it is acknowledged.
type sent struct {
	request, text string
	tags          json.RawMessage
	annotations   string
}

// In mid-submission: what was acknowledged is there, once, with its chips;
// what was not is sent again with its id, and is there once as well.
func TestNoAcknowledgedMessageIsLost(t *testing.T) {
	t.Parallel()
	for name, kill := range kill9 {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, dataDir(t))
			c := s.client()
			const writers, each, crashes = 4, 15, 3
			var ids [writers]string
			for i := range ids {
				var session struct{ ID string }
				c.must("POST", "/sessions", map[string]any{}, &session)
				ids[i] = session.ID
			}
			var mu sync.RWMutex // guards c: each restart has another port
			messages := [writers][]sent{}
			progress := make(chan struct{}, writers*each)
			var wg sync.WaitGroup
			for i := range writers {
				for j := range each {
					messages[i] = append(messages[i], newMessage(i, j))
				}
				wg.Go(func() {
					for _, m := range messages[i] {
						deliver(t, &mu, &c, ids[i], m)
						progress <- struct{}{}
					}
				})
			}
			for range crashes {
				for range writers * each / (crashes + 1) {
					<-progress
				}
				kill(s)
				if name == "Postgres" {
					continue // the server brings it back by itself
				}
				again := serve(t, s.data)
				mu.Lock()
				s, c = again, again.clientWith(c.token)
				mu.Unlock()
			}
			wg.Wait()
			for i, id := range ids {
				verify(t, c, id, messages[i])
			}
			s.interrupt()
		})
	}
}

func newMessage(i, j int) sent {
	// The emoji makes units and characters differ.
	text := fmt.Sprintf("writer %d message %d \U0001F600 @file%d", i, j, j)
	name := fmt.Sprintf("@file%d", j)
	start := len(text) - len(name) - 2 // four bytes are two units
	end := start + len(name)
	return sent{
		request:     uuid.NewString(),
		text:        text,
		tags:        json.RawMessage(fmt.Sprintf(`[{"id":"f%d","kind":"file","serialized":"%s","start":%d,"end":%d}]`, j, name, start, end)),
		annotations: fmt.Sprintf(`[{"type":"reference","start":%d,"end":%d,"text":"%s","reference":{"id":"f%d","kind":"file","serialized":"%s"}}]`, start, end, name, j, name),
	}
}

// deliver sends a message until the server says that it has it.
func deliver(t *testing.T, mu *sync.RWMutex, current **client, session string, m sent) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	for ctx.Err() == nil {
		mu.RLock()
		c := *current
		mu.RUnlock()
		status, err := c.do(ctx, "POST", "/sessions/"+session+"/messages", map[string]any{"requestId": m.request, "text": m.text, "tags": m.tags}, nil)
		switch {
		case err == nil && (status == http.StatusCreated || status == http.StatusOK):
			return
		case err == nil && status < 500:
			t.Errorf("%s: %d", m.text, status)
			return
		}
		select { // no answer: the server is down. A client waits a little as well.
		case <-ctx.Done():
		case <-time.After(time.Duration(20+rand.IntN(50)) * time.Millisecond):
		}
	}
	t.Errorf("%s was never acknowledged", m.text)
}

// verify waits until the queue has drained, and compares with the log.
func verify(t *testing.T, c *client, session string, want []sent) {
	t.Helper()
	events := c.until(session, "all messages", func(events []event) bool { return count(events, "user/message") >= len(want) })
	got := map[string][]event{}
	var order []string
	for _, e := range events {
		if e.Kind == "user/message" {
			got[e.RPCID] = append(got[e.RPCID], e)
			order = append(order, e.Content)
		}
	}
	for i, m := range want {
		found := got[m.request]
		if len(found) != 1 {
			t.Errorf("%q is there %d times", m.text, len(found))
			continue
		}
		if found[0].Content != m.text || string(found[0].Annotations) != m.annotations {
			t.Errorf("%q came back as %q with %s", m.text, found[0].Content, found[0].Annotations)
		}
		if i < len(order) && order[i] != m.text {
			t.Errorf("message %d is %q, want %q", i, order[i], m.text)
		}
	}
}

// In mid-stream: the partial text is kept, the turn is closed as interrupted
// and not run again, what waited goes on, and the session can be used.
func TestAnInterruptedTurnKeepsItsTextAndIsNotRunAgain(t *testing.T) {
	t.Parallel()
	for name, kill := range kill9 {
		if name == "Postgres" {
			continue // the turn lives on: see below
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, dataDir(t))
			c := s.client()
			session, said := streaming(t, c)
			c.must("POST", "/sessions/"+session+"/messages", map[string]any{"requestId": uuid.NewString(), "text": "waits"}, nil)
			kill(s)

			again := serve(t, s.data)
			c = again.clientWith(c.token)
			events := c.until(session, "both turns' ends", ended(2))
			var outcomes []string
			partial := ""
			for _, e := range events {
				switch e.Kind {
				case "turn/ended":
					outcomes = append(outcomes, e.Body.Outcome)
				case "assistant/message":
					if partial == "" {
						partial = e.Content
					}
				}
			}
			if strings.Join(outcomes, " ") != "interrupted completed" {
				t.Errorf("the turns ended %v", outcomes)
			}
			if !strings.HasPrefix(partial, said) || said == "" {
				t.Errorf("%q was on screen, %q was kept", said, partial)
			}
			if n := count(events, "turn/started"); n != 2 {
				t.Errorf("%d turns were started", n)
			}
			c.must("POST", "/sessions/"+session+"/messages", map[string]any{"requestId": uuid.NewString(), "text": "and on"}, nil)
			c.until(session, "one more turn", ended(3))
			again.interrupt()
		})
	}
}

// When only Postgres dies the turn goes on: nothing of its text is lost.
func TestATurnOutlivesPostgres(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	var session struct{ SessionID string }
	c.must("POST", "/sessions", map[string]any{"requestId": uuid.NewString(), "text": "/slow 4"}, &session)
	c.until(session.SessionID, "the turn's start", func(e []event) bool { return count(e, "turn/started") == 1 })
	killProcess(s, s.postmaster())
	events := c.until(session.SessionID, "the turn's end", ended(1))
	last := events[len(events)-1]
	if last.Kind != "turn/ended" || last.Body.Outcome != "completed" {
		t.Errorf("ended as %+v", last)
	}
	s.interrupt()
}

// A private Postgres whose data is gone can never come back: the program says
// so and ends, rather than answering 503 for ever.
func TestLosingTheDataEndsTheProgram(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	postmaster := s.postmaster()
	if err := os.Rename(filepath.Join(s.data, "postgres"), filepath.Join(s.data, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	killProcess(s, postmaster)
	s.wait()
	if s.err == nil || !strings.Contains(s.output.String(), s.data) {
		t.Errorf("%v: %s", s.err, s.output)
	}
}
