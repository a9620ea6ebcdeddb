package handlers

import (
	"webshell/internal/markdown"
	"webshell/internal/session"
	"webshell/web/templates"
)

// liveBlock is a block under way, with its markdown rendered as it grows.
type liveBlock struct {
	first  session.Piece
	stream *markdown.Stream
}

func newLiveBlock(first session.Piece) *liveBlock {
	return &liveBlock{first: first, stream: markdown.NewStream()}
}

func (b *liveBlock) key() string { return session.BlockKey(b.first.Turn, b.first.Block) }

func (b *liveBlock) is(p session.Piece) bool {
	return b != nil && b.first.Turn == p.Turn && b.first.Block == p.Block
}

func (b *liveBlock) write(p session.Piece) markdown.Delta {
	return b.stream.Write(p.Text)
}

// open is the whole block as it stands.
func (b *liveBlock) open() templates.OpenBlock {
	done, tail, plain := b.stream.Snapshot()
	return templates.OpenBlock{
		Key: b.key(), Thought: b.first.Kind == session.KindAssistantThought,
		Done: done, Tail: tail, Plain: plain, At: b.first.At,
	}
}

// openBlock is the block that is still being written, unless the events that
// were read after its pieces have closed it.
func openBlock(state *session.State, pieces []session.Piece) *templates.OpenBlock {
	if len(pieces) == 0 {
		return nil
	}
	b := newLiveBlock(pieces[0])
	if state.Node(b.key()) != nil {
		return nil
	}
	for _, p := range pieces {
		b.write(p)
	}
	open := b.open()
	return &open
}
