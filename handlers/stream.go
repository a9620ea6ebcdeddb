package handlers

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"webshell/internal/sse"
	"webshell/store"
)

// Rhythm of a stream.
const (
	pingEvery  = 15 * time.Second // comment that keeps proxies from cutting it
	pollEvery  = 5 * time.Second  // reads again even if no wake came
	checkEvery = 3 * time.Second  // a revoked credential ends it within 5 s
	writeLimit = 10 * time.Second // a client that takes longer to read is cut
)

var errTooMany = &fault{status: http.StatusServiceUnavailable, code: "too_many"}

// stream sends the transcript as it grows: rendered fragments, each with the
// cursor from which a reader that lost the connection goes on.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	id, err := sessionID(r)
	if err != nil {
		return err
	}
	cursor, err := streamCursor(r)
	if err != nil {
		return err
	}
	info, err := s.store.Session(r.Context(), v, id)
	if err != nil {
		return err
	}
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		return errTooMany
	}
	s.metrics.streams.Inc()
	defer s.metrics.streams.Dec()

	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.closing, cancel)()

	// Listen before the first read: what commits in between is then woken for.
	woken, unsubscribe := s.bus.Subscribe(id)
	defer unsubscribe()
	f := &follower{
		server: s, viewer: v, id: id, view: s.view(r), cursor: store.Cursor{Seq: cursor.seq}, resumed: cursor,
		credential: credentialOf(r), checked: time.Now(),
		// A reader that was cut after a change of the queue may not have seen it.
		queueDue: true, steers: s.steers(ctx, info.Agent, id),
		held: held{sent: s.metrics.fragments},
	}
	if err := f.start(ctx); err != nil {
		return err
	}
	out := sse.NewWriter(w, writeLimit)
	if err := out.Open(); err != nil || r.Method == http.MethodHead {
		return nil
	}
	if err := s.follow(ctx, f, out, woken); err != nil && ctx.Err() == nil {
		s.log.Debug("a stream ended", "session", f.id, "err", err)
	}
	return nil
}

// follow runs a stream until it ends, and says why. What goes wrong from here
// on ends it, an outage of the database too: the answer has begun, and its
// reader comes back by itself.
func (s *Server) follow(ctx context.Context, f *follower, out *sse.Writer, woken <-chan struct{}) error {
	ping, poll, check := time.NewTicker(pingEvery), time.NewTicker(pollEvery), time.NewTicker(checkEvery)
	defer ping.Stop()
	defer poll.Stop()
	defer check.Stop()
	for {
		if err := f.send(ctx, out); err != nil {
			return err
		}
		for wait := true; wait; {
			var err error
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-woken:
				wait = false
			case <-poll.C:
				wait = false
			case <-ping.C:
				err = out.Comment("ping")
			case <-check.C:
				err = f.check(ctx)
			}
			if err != nil {
				return err
			}
		}
	}
}

// streamPosition is a cursor as it travels: "seq", or "seq.n" for piece n of
// the block open after seq.
type streamPosition struct {
	seq int64
	n   int
}

func (p streamPosition) String() string {
	if p.n == 0 {
		return strconv.FormatInt(p.seq, 10)
	}
	return strconv.FormatInt(p.seq, 10) + "." + strconv.Itoa(p.n)
}

func (p streamPosition) after(q streamPosition) bool {
	return p.seq > q.seq || p.seq == q.seq && p.n > q.n
}

// streamCursor is where to go on: ?after= or Last-Event-ID, whichever is later.
func streamCursor(r *http.Request) (streamPosition, error) {
	asked, err := parsePosition(r.URL.Query().Get("after"))
	if err != nil {
		return asked, err
	}
	last, err := parsePosition(r.Header.Get("Last-Event-ID"))
	if err != nil {
		return asked, err
	}
	if last.after(asked) {
		return last, nil
	}
	return asked, nil
}

func parsePosition(value string) (streamPosition, error) {
	head, tail, pair := strings.Cut(value, ".")
	seq, err := seqParam("after", head)
	if err != nil || !pair {
		return streamPosition{seq: seq}, err
	}
	n, err := strconv.ParseInt(tail, 10, 32)
	if err != nil || n < 0 || head == "" {
		return streamPosition{}, badRequest("after", "want a cursor like 12 or 12.3")
	}
	return streamPosition{seq, int(n)}, nil
}
