package handlers

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"webshell/internal/markdown"
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
	eventCursor = "cursor" // nothing to show: the cursor moves on
)

// Parts of an open block.
const (
	partDone = "done" // HTML to append to what is finished
	partTail = "tail" // HTML that takes the place of the rest
	partText = "text" // plain text to append to the rest
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

	pending fragment // held back until it is known whether it is an event's last
}

type fragment struct{ name, html string }

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

// send writes all that has come since the last time.
func (f *follower) send(ctx context.Context, out *sse.Writer) error {
	for {
		events, pieces, err := f.server.store.Follow(ctx, f.viewer, f.id, f.cursor)
		if err != nil {
			return err
		}
		queueAt := lastSplice(events)
		for i, e := range events {
			if err := f.event(ctx, out, e, i == queueAt); err != nil {
				return err
			}
			if out.Len() > maxHeld {
				if err := f.flush(ctx, out); err != nil {
					return err
				}
			}
		}
		// Pieces were read first: with events left to read they may be old.
		if len(events) < store.FollowLimit {
			if err := f.pieces(ctx, out, pieces); err != nil {
				return err
			}
			return f.flush(ctx, out)
		}
		if err := f.flush(ctx, out); err != nil {
			return err
		}
	}
}

// lastSplice is the last of the events that changed the queue, or -1. The
// queue is sent whole, as it is by now: once for all that came with it.
func lastSplice(events []session.Event) int {
	for i, e := range slices.Backward(events) {
		if _, ok := e.Payload.(session.InboxSpliced); ok {
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
func (f *follower) event(ctx context.Context, out *sse.Writer, e session.Event, withQueue bool) error {
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
	if withQueue {
		waiting, err := f.server.store.Inbox(ctx, f.viewer, f.id)
		if err != nil {
			return err
		}
		if err := f.hold(ctx, out, eventQueue, templates.Queue(f.view, f.id, queueRows(waiting, f.state))); err != nil {
			return err
		}
	}
	switch e.Payload.(type) {
	case session.TurnStarted, session.TurnEnded, session.PermissionRequested, session.PermissionResolved:
		running := f.state.Turn != ""
		writing := templates.Writing(running, f.state.Nodes)
		if err := f.hold(ctx, out, eventStatus, templates.RunLine(f.view, f.id, running, writing)); err != nil {
			return err
		}
	}
	f.release(out, streamPosition{seq: e.Seq})
	return nil
}

// pieces sends what is new of the open block: all of it at first, then only
// what its pieces changed.
func (f *follower) pieces(ctx context.Context, out *sse.Writer, pieces []session.Piece) error {
	var fresh []session.Piece
	for _, p := range pieces {
		if f.state.Node(session.BlockKey(p.Turn, p.Block)) == nil {
			fresh = append(fresh, p)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	last := fresh[len(fresh)-1]
	at := streamPosition{f.cursor.Seq, last.N}
	f.cursor.Turn, f.cursor.Block, f.cursor.N = last.Turn, last.Block, last.N
	if f.block.is(last) {
		if html := f.parts(fresh); html != "" {
			f.holdHTML(out, eventPart, html)
		}
		f.release(out, at)
		return nil
	}
	f.block = newLiveBlock(fresh[0])
	for _, p := range fresh {
		f.block.write(p)
	}
	if f.resumed.seq >= last.OpenedAfter && f.resumed.n >= last.N {
		return nil // the reader has all of it
	}
	if err := f.hold(ctx, out, eventRow, templates.OpenBlockRow(f.view, f.block.open())); err != nil {
		return err
	}
	f.release(out, at)
	return nil
}

// parts is what pieces changed of the open block.
func (f *follower) parts(pieces []session.Piece) string {
	var all markdown.Delta
	for _, p := range pieces {
		all = then(all, f.block.write(p))
	}
	if all == (markdown.Delta{}) {
		return ""
	}
	key := templ.EscapeString(f.block.key())
	var b strings.Builder
	part := func(name, html string) {
		b.WriteString(`<template data-block="` + key + `" data-part="` + name + `">` + html + `</template>`)
	}
	if all.Frozen != "" {
		part(partDone, all.Frozen)
	}
	if all.Plain == "" || all.PlainStart {
		part(partTail, all.Tail)
	}
	if all.Plain != "" {
		part(partText, templ.EscapeString(all.Plain))
	}
	return b.String()
}

// then is what two changes of a block, one after the other, amount to.
func then(a, b markdown.Delta) markdown.Delta {
	switch {
	case b == markdown.Delta{}:
		return a
	case b.Plain != "" && !b.PlainStart: // goes on with the text that a left
		a.Plain += b.Plain
		return a
	}
	b.Frozen = a.Frozen + b.Frozen
	return b
}

// hold renders a fragment and keeps it until the next one, or the cursor, comes.
func (f *follower) hold(ctx context.Context, out *sse.Writer, name string, c templ.Component) error {
	var b strings.Builder
	if err := c.Render(ctx, &b); err != nil {
		return err
	}
	f.holdHTML(out, name, b.String())
	return nil
}

func (f *follower) holdHTML(out *sse.Writer, name, html string) {
	f.flushHeld(out, "")
	f.pending = fragment{name, html}
}

// release sends what is held, with the cursor. Where nothing is to be shown
// the cursor goes alone: a reader need not read the same again.
func (f *follower) release(out *sse.Writer, at streamPosition) {
	if f.pending.name == "" {
		f.pending.name = eventCursor
	}
	f.flushHeld(out, at.String())
}

func (f *follower) flushHeld(out *sse.Writer, id string) {
	if f.pending.name == "" {
		return
	}
	out.Event(id, f.pending.name, f.pending.html)
	f.server.metrics.fragments.Inc()
	f.pending = fragment{}
}
