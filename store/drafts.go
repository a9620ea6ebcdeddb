package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

// Draft is what a person has written and not sent: text, and its chips as the
// composer's tags (JSON). An empty SessionID is the home page's draft.
type Draft struct {
	SessionID string
	Text      string
	Tags      string
}

// Draft reads a draft; where there is none it is empty.
func (s *Store) Draft(ctx context.Context, v Viewer, sessionID string) (Draft, error) {
	d := Draft{SessionID: sessionID}
	err := s.pool.QueryRow(ctx, `select text, tags from drafts where user_id = $1 and session_id is not distinct from $2`,
		v.UserID, nonEmpty(sessionID)).Scan(&d.Text, &d.Tags)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return d, err
}

// A draft's key is the person and the session; the home page's has no session.
const (
	saveDraft = `insert into drafts (user_id, session_id, text, tags) values ($1, $2, $3, $4) on conflict `
	setDraft  = ` do update set text = excluded.text, tags = excluded.tags, updated_at = now()`

	saveSessionDraft = saveDraft + `(user_id, session_id) where session_id is not null` + setDraft
	saveHomeDraft    = saveDraft + `(user_id) where session_id is null` + setDraft
)

// SaveDraft replaces a draft; an empty one clears it. ErrNotFound where the
// session is not the viewer's. Of two tabs that save at once the last stands.
func (s *Store) SaveDraft(ctx context.Context, v Viewer, d Draft) error {
	id := nonEmpty(d.SessionID)
	save := saveHomeDraft
	return s.inTx(ctx, func(tx pgx.Tx) error {
		if id != nil {
			save = saveSessionDraft
			var one int
			if err := tx.QueryRow(ctx, `select 1 from sessions where id = $1 and owner_id = $2`, id, v.UserID).Scan(&one); err != nil {
				return notFound(err)
			}
		}
		if d.Text == "" && (d.Tags == "" || d.Tags == "[]") {
			_, err := tx.Exec(ctx, `delete from drafts where user_id = $1 and session_id is not distinct from $2`, v.UserID, id)
			return err
		}
		_, err := tx.Exec(ctx, save, v.UserID, id, storableText(d.Text), storableText(d.Tags))
		return err
	})
}
