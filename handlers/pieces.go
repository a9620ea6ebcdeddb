package handlers

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"webshell/internal/markdown"
	"webshell/internal/session"
	"webshell/internal/sse"
	"webshell/web/templates"
)

// Parts of an open block.
const (
	partDone = "done" // HTML to append to what is finished
	partTail = "tail" // HTML that takes the place of the rest
	partText = "text" // plain text to append to the rest
)

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
			f.held.hold(out, eventPart, html)
		}
		f.held.release(out, at)
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
	f.held.release(out, at)
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
