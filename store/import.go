package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"webshell/composer"
	"webshell/internal/session"
)

// Import keeps a checked log as a session that the given agent goes on with.
// The session's id follows from the person and the log: the same log again gives
// the same session, fresh is false then, and nothing is changed, whatever was
// said there since. A log that ends inside a turn, or with a question open, is
// closed as interrupted: nobody runs that turn.
func (s *Store) Import(ctx context.Context, v Viewer, agent string, log []Record) (sessionID string, fresh bool, err error) {
	sessionID, err = importID(v, log)
	if err != nil {
		return "", false, err
	}
	state := foldRecords(log)
	if !state.AtRest() {
		log, err = closed(log, state)
		if err != nil {
			return "", false, err
		}
	}
	err = s.inTx(ctx, func(tx pgx.Tx) error {
		fresh = false
		const insert = `insert into sessions (id, owner_id, agent, title, last_seq) values ($1, $2, $3, $4, $5) on conflict (id) do nothing`
		tag, err := tx.Exec(ctx, insert, sessionID, v.UserID, agent, importedTitle(state), len(log))
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		fresh = true
		return importEvents(ctx, tx, v, sessionID, agent, log, state)
	})
	return sessionID, fresh, err
}

// importID is a UUID (version 8) of what the log says, however it is written.
func importID(v Viewer, log []Record) (string, error) {
	h := sha256.New()
	enc := json.NewEncoder(h)
	if err := enc.Encode(v.UserID); err != nil {
		return "", err
	}
	for _, r := range log {
		source, err := normalJSON(r.Source)
		if err != nil {
			return "", err
		}
		body, err := normalJSON(r.Body)
		if err != nil {
			return "", err
		}
		line := []any{r.Kind, r.At.UnixMicro(), r.RPCID, r.Content, string(composer.Encode(r.Annotations)), source, body}
		if err := enc.Encode(line); err != nil {
			return "", err
		}
	}
	return uuid.NewHash(sha256.New(), uuid.Nil, h.Sum(nil), 8).String(), nil
}

// normalJSON is a JSON value in one form, whether it is written by hand or was
// laid out by Postgres: no white space, keys in order. Nothing is nil, which is
// not null.
func normalJSON(raw json.RawMessage) (*string, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	dec := json.NewDecoder(bytes.NewReader(storableJSON(raw)))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, err
	}
	out, err := json.Marshal(value)
	return ptr(string(out)), err
}

func foldRecords(log []Record) *session.State {
	state := session.NewState("")
	for _, r := range log {
		e := session.Event{
			Seq: r.Seq, At: r.At, Source: r.Source, RPCID: r.RPCID, Annotations: r.Annotations,
			Payload: session.DecodePayload(session.Kind(r.Kind), r.Body),
		}
		if r.Content != nil {
			e.Content = *r.Content
		}
		state.Apply(e)
	}
	return state
}

// closed ends the turn that a log leaves open.
func closed(log []Record, state *session.State) ([]Record, error) {
	end := session.Event{Seq: int64(len(log) + 1), At: time.Now(), Payload: session.TurnEnded{Turn: state.Turn, Outcome: session.Interrupted}}
	body, err := session.EncodePayload(end.Payload)
	if err != nil {
		return nil, err
	}
	state.Apply(end)
	return append(log[:len(log):len(log)], Record{Seq: end.Seq, Kind: string(end.Kind()), At: end.At, Body: body}), nil
}

// maxImportedTitle bounds a title that comes with a log, in UTF-16 units.
const maxImportedTitle = 200

// importedTitle is the log's own title, or else one from its first message.
func importedTitle(state *session.State) string {
	title := state.Title
	if composer.UTF16Len(title) > maxImportedTitle {
		title = session.TitleFrom(title)
	}
	for _, n := range state.Nodes {
		if title != "" {
			break
		}
		if user, ok := n.(*session.UserNode); ok {
			title = session.TitleFrom(user.Content)
			break
		}
	}
	return storableText(title)
}

func importEvents(ctx context.Context, tx pgx.Tx, v Viewer, sessionID, agent string, log []Record, state *session.State) error {
	columns := []string{"session_id", "seq", "kind", "at", "source", "rpc_id", "content", "annotations", "body"}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"events"}, columns, pgx.CopyFromSlice(len(log), func(i int) ([]any, error) {
		return importedRow(sessionID, log[i]), nil
	}))
	if err != nil {
		return fmt.Errorf("write the events: %w", err)
	}
	// Their request ids count as used, as if they had been sent to this session.
	var sent []Record
	for _, r := range log {
		if r.RPCID != "" && r.Kind == string(session.KindUserMessage) && r.Content != nil {
			sent = append(sent, r)
		}
	}
	columns = []string{"session_id", "request_id", "user_id", "body_hash", "state", "seq"}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"submissions"}, columns, pgx.CopyFromSlice(len(sent), func(i int) ([]any, error) {
		r := sent[i]
		message := composer.Message{Content: *r.Content, Annotations: r.Annotations}
		return []any{sessionID, r.RPCID, v.UserID, hashOf(message), StateLogged, r.Seq}, nil
	}))
	if err != nil {
		return fmt.Errorf("write the request ids: %w", err)
	}
	message := messageToRetry(state)
	if message == 0 {
		return nil
	}
	const turn = `insert into turns (session_id, message_seq, agent, state, outcome, ended_at) values ($1, $2, $3, 'ended', $4, now())`
	_, err = tx.Exec(ctx, turn, sessionID, message, agent, session.Interrupted)
	return err
}

func importedRow(sessionID string, r Record) []any {
	var source, annotations *string
	if len(r.Source) > 0 {
		source = ptr(string(storableJSON(r.Source)))
	}
	if r.Annotations != nil {
		annotations = ptr(string(composer.Encode(r.Annotations)))
	}
	content := r.Content
	if content != nil {
		content = ptr(storableText(*content))
	}
	return []any{
		sessionID, r.Seq, storableText(r.Kind), r.At, source, nonEmpty(r.RPCID), content, annotations, string(storableJSON(r.Body)),
	}
}

// messageToRetry is the seq of the message that the last turn was to answer, if
// the log offers to run it again, else 0.
func messageToRetry(state *session.State) (seq int64) {
	offered := false
	for _, n := range state.Nodes {
		switch n := n.(type) {
		case *session.UserNode:
			if !n.Steering {
				seq = n.Seq
			}
		case *session.NoticeNode:
			offered = offered || n.Retry
		}
	}
	if !offered {
		return 0
	}
	return seq
}
