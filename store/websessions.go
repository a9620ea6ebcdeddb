package store

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// WebSessions keeps the signed-in browsers for scs (its CtxStore interface).
// Tokens arrive hashed: the manager is set to hash them.
type WebSessions struct{ s *Store }

// WebSessions gives access for the session manager.
func (s *Store) WebSessions() *WebSessions { return &WebSessions{s} }

// FindCtx returns a session's data, and whether there is one.
func (w *WebSessions) FindCtx(ctx context.Context, token string) (data []byte, found bool, err error) {
	err = w.s.pool.QueryRow(ctx, `select data from web_sessions where token = $1 and expires_at > now()`, token).Scan(&data)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, false, nil
	}
	return data, err == nil, err
}

// CommitCtx stores a session, and clears away some that have expired.
func (w *WebSessions) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	b := &pgx.Batch{}
	b.Queue(`delete from web_sessions where expires_at < now()`)
	b.Queue(`insert into web_sessions (token, data, expires_at) values ($1, $2, $3)
		on conflict (token) do update set data = excluded.data, expires_at = excluded.expires_at`, token, data, expiry)
	return w.s.pool.SendBatch(ctx, b).Close()
}

// DeleteCtx ends a session.
func (w *WebSessions) DeleteCtx(ctx context.Context, token string) error {
	_, err := w.s.pool.Exec(ctx, `delete from web_sessions where token = $1`, token)
	return err
}

// Find, Commit and Delete are the same without a context, which scs' Store
// interface asks for and its manager does not call when the others are there.
func (w *WebSessions) Find(token string) ([]byte, bool, error) {
	return w.FindCtx(context.Background(), token)
}

// Commit is CommitCtx without a context.
func (w *WebSessions) Commit(token string, data []byte, expiry time.Time) error {
	return w.CommitCtx(context.Background(), token, data, expiry)
}

// Delete is DeleteCtx without a context.
func (w *WebSessions) Delete(token string) error {
	return w.DeleteCtx(context.Background(), token)
}
