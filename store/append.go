package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"webshell/composer"
	"webshell/internal/session"
)

// eventColumns are the columns of events to insert, one slice each: what
// unnest wants.
type eventColumns struct {
	kinds                                          []string
	sources, rpcIDs, contents, annotations, bodies []*string
}

func columnsOf(events []session.Event) (eventColumns, error) {
	var c eventColumns
	for _, e := range events {
		body, err := session.EncodePayload(e.Payload)
		if err != nil {
			return c, fmt.Errorf("encode %s: %w", e.Kind(), err)
		}
		var source, content, annotations *string
		if len(e.Source) > 0 {
			source = ptr(string(storableJSON(e.Source)))
		}
		if hasContent(e) {
			content = ptr(storableText(e.Content))
		}
		if e.Kind() == session.KindUserMessage {
			annotations = ptr(string(composer.Encode(e.Annotations)))
		}
		c.kinds = append(c.kinds, storableText(string(e.Kind())))
		c.sources = append(c.sources, source)
		c.rpcIDs = append(c.rpcIDs, nonEmpty(e.RPCID))
		c.contents = append(c.contents, content)
		c.annotations = append(c.annotations, annotations)
		c.bodies = append(c.bodies, ptr(string(storableJSON(body))))
	}
	return c, nil
}

func hasContent(e session.Event) bool {
	switch e.Payload.(type) {
	case session.UserMessage, session.ContextMessage, session.AssistantMessage, session.AssistantThought:
		return true
	}
	return e.Content != ""
}

// insertEvents raises the session's counter and inserts the events with the
// numbers that gives. The session's row stays locked until the transaction
// ends, which is what keeps seq without gaps and in commit order.
const insertEvents = `
with bumped as (
	update sessions set last_seq = last_seq + cardinality($2::text[]), updated_at = clock_timestamp()
	where id = $1 returning last_seq
)
insert into events (session_id, seq, kind, source, rpc_id, content, annotations, body)
select $1, bumped.last_seq - cardinality($2::text[]) + e.ord, e.kind, e.source::jsonb, e.rpc_id::uuid, e.content, e.annotations::jsonb, e.body::jsonb
from bumped, unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
	with ordinality as e (kind, source, rpc_id, content, annotations, body, ord)
returning seq`

// appendEvents logs events and returns the last seq.
func appendEvents(ctx context.Context, tx pgx.Tx, sessionID string, events ...session.Event) (int64, error) {
	c, err := columnsOf(events)
	if err != nil {
		return 0, err
	}
	return lastSeq(tx.Query(ctx, insertEvents, c.args(sessionID)...))
}

// queueEvents logs events as a part of a batch.
func queueEvents(b *pgx.Batch, sessionID string, events ...session.Event) error {
	c, err := columnsOf(events)
	if err == nil {
		b.Queue(insertEvents, c.args(sessionID)...)
	}
	return err
}

func (c eventColumns) args(sessionID string) []any {
	return []any{sessionID, c.kinds, c.sources, c.rpcIDs, c.contents, c.annotations, c.bodies}
}

func lastSeq(rows pgx.Rows, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	seqs, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return 0, err
	}
	var last int64
	for _, seq := range seqs {
		last = max(last, seq)
	}
	return last, nil
}

// storedAnnotations reads annotations back; none is nil, as it was given.
func storedAnnotations(content string, stored []byte) []composer.Annotation {
	if a := composer.ReadStored(content, stored); len(a) > 0 {
		return a
	}
	return nil
}

func ptr[T any](v T) *T { return &v }

func nonEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
