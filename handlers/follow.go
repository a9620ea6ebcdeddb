package handlers

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"webshell/internal/session"
	"webshell/internal/sse"
	"webshell/store"
	"webshell/web/templates"
)

// Names of a stream's events. The data of each is HTML.
const (
	eventRow    = "row"    // an article: takes the place of the one with its id, or comes last
	eventPart   = "part"   // a <template> with a part of the open block data-block names
	eventQueue  = "queue"  // the whole of #queue
	eventStatus = "status" // the whole of #run-line: whether a turn runs
	eventBar    = "bar"    // the whole of #bar: title, mode and model
	eventCursor = "cursor" // nothing to show: the cursor moves on
)

// maxHeld is how much is collected before it is sent, in bytes; one fragment
// may go beyond.
const maxHeld = 64 << 10

// follower is a stream's place in a session: the fold up to it, and the block
// under way.
type follower struct {
	server  *Server
	viewer  store.Viewer
	id      string
	view    templates.View
	state   *session.State
	cursor  store.Cursor
	resumed streamPosition // where the reader said it was
	block   *liveBlock

	credential credential
	checked    time.Time // when it was last known to hold

	steers   bool // the session's agent takes messages while it works
	waits    bool // the queue that the reader was last sent has rows
	queueDue bool // the queue is not what the reader was last sent
	held     held
}

// start folds the page of the log that ends at the cursor, so that what comes
// after can change its rows.
func (f *follower) start(ctx context.Context) error {
	f.state = session.NewState("")
	if f.cursor.Seq == 0 {
		return nil
	}
	page, err := f.server.store.Page(ctx, f.viewer, f.id, f.cursor.Seq+1)
	if err != nil {
		return err
	}
	f.state = session.Fold(page.Turn, page.Events)
	if f.state.LastSeq < f.cursor.Seq {
		// The reader knows events that this log does not have: it was restored
		// from a backup. The page must be loaded anew.
		return &fault{status: http.StatusConflict, code: "cursor_ahead"}
	}
	return nil
}

// send writes all that has come since the last time: rows, then the queue. What
// leaves the queue is in the transcript by then.
func (f *follower) send(ctx context.Context, out *sse.Writer) error {
	for {
		waiting, err := f.queue(ctx)
		if err != nil {
			return err
		}
		events, pieces, err := f.server.store.Follow(ctx, f.viewer, f.id, f.cursor)
		if err != nil {
			return err
		}
		if err := f.events(ctx, out, events); err != nil {
			return err
		}
		more := len(events) == store.FollowLimit
		if waiting != nil && !more {
			f.queueDue = f.changesQueue(events)
			if err := f.holdQueue(ctx, out, *waiting); err != nil {
				return err
			}
			f.held.flush(out)
		}
		// Pieces were read first: with events left to read they may be old.
		if !more {
			if err := f.pieces(ctx, out, pieces); err != nil {
				return err
			}
		}
		if !more && !f.queueDue {
			return f.flush(ctx, out)
		}
		if err := f.flush(ctx, out); err != nil {
			return err
		}
	}
}

// queue reads what waits, where that is to be sent; nil where it is not. It is
// read before the events: what a turn takes in between is then among them, and
// never neither here nor there.
func (f *follower) queue(ctx context.Context) (*store.Queue, error) {
	if !f.queueDue {
		return nil, nil
	}
	waiting, err := f.server.store.Queue(ctx, f.viewer, f.id)
	return &waiting, err
}

// holdQueue sends the queue.
func (f *follower) holdQueue(ctx context.Context, out *sse.Writer, waiting store.Queue) error {
	q := queueView(f.id, waiting, f.state)
	q.Turn, q.Steers = f.state.Turn, f.steers
	f.waits = len(q.Rows) > 0
	return f.hold(ctx, out, eventQueue, templates.Queue(f.view, q))
}

// changesQueue tells events after which the queue looks different: with a turn
// its rows can do other things.
func (f *follower) changesQueue(events []session.Event) bool {
	return slices.ContainsFunc(events, func(e session.Event) bool {
		switch e.Payload.(type) {
		case session.InboxSpliced, session.InboxChanged:
			return true
		case session.TurnStarted, session.TurnEnded:
			return f.waits
		}
		return false
	})
}

// events sends the rows of what was logged.
func (f *follower) events(ctx context.Context, out *sse.Writer, events []session.Event) error {
	f.queueDue = f.queueDue || f.changesQueue(events)
	barAt := lastOfBar(events)
	for i, e := range events {
		if err := f.event(ctx, out, e, i == barAt); err != nil {
			return err
		}
		if out.Len() > maxHeld {
			if err := f.flush(ctx, out); err != nil {
				return err
			}
		}
	}
	return nil
}

// lastOfBar is the last of the events that changed what the bar says, or -1.
// The bar is sent whole, as it is by now: once for all of them. The first
// message gives a session its title.
func lastOfBar(events []session.Event) int {
	for i, e := range slices.Backward(events) {
		switch e.Payload.(type) {
		case session.SessionTitled, session.ModeChanged, session.ModelChanged:
			return i
		}
		if e.Seq == 1 {
			return i
		}
	}
	return -1
}

// flush sends what is queued, if the credential still holds: a reader that is
// slow, or has much to catch up on, must not outlive it.
func (f *follower) flush(ctx context.Context, out *sse.Writer) error {
	if time.Since(f.checked) > checkEvery {
		if err := f.check(ctx); err != nil {
			return err
		}
	}
	return out.Flush()
}

// check fails where the credential holds no more. Where that cannot be found
// out it passes: then the log cannot be read either, which ends the stream.
func (f *follower) check(ctx context.Context) error {
	err := f.credential.check(ctx)
	if errors.Is(err, errNoCredential) {
		return err
	}
	if err == nil {
		f.checked = time.Now()
	}
	return nil
}

// event sends the rows that an event made or changed. The cursor goes with the
// last of them: a reader that was cut off before it gets all of them again.
func (f *follower) event(ctx context.Context, out *sse.Writer, e session.Event, withBar bool) error {
	changed := f.state.Apply(e)
	f.cursor.Seq = e.Seq
	if f.block != nil && f.state.Node(f.block.key()) != nil {
		f.block = nil // closed by this event
	}
	for _, n := range changed {
		if err := f.hold(ctx, out, eventRow, templates.Row(f.view, f.id, n)); err != nil {
			return err
		}
	}
	if withBar {
		if err := f.holdBar(ctx, out); err != nil {
			return err
		}
	}
	switch e.Payload.(type) {
	case session.TurnStarted, session.TurnEnded, session.PermissionRequested, session.PermissionResolved:
		writing := templates.Writing(f.state.Turn != "", f.state.Nodes)
		if err := f.hold(ctx, out, eventStatus, templates.RunLine(f.view, f.id, f.state.Turn, writing)); err != nil {
			return err
		}
	}
	f.held.release(out, streamPosition{seq: e.Seq})
	return nil
}

// holdBar sends the bar. The title may be older than what this stream has read.
func (f *follower) holdBar(ctx context.Context, out *sse.Writer) error {
	info, err := f.server.store.Session(ctx, f.viewer, f.id)
	if err != nil {
		return err
	}
	bar := templates.BarView{Title: info.Title, Agent: info.Agent, Mode: f.state.Mode, Model: f.state.Model}
	return f.hold(ctx, out, eventBar, templates.Bar(f.view, bar))
}

// hold renders a fragment and keeps it until the next one, or the cursor, comes.
func (f *follower) hold(ctx context.Context, out *sse.Writer, name string, c templ.Component) error {
	var b strings.Builder
	if err := c.Render(ctx, &b); err != nil {
		return err
	}
	f.held.hold(out, name, b.String())
	return nil
}
