package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Token is an API token as a list shows it; the token itself is shown once,
// when it is made.
type Token struct {
	Name       string
	CreatedAt  time.Time
	LastUsedAt *time.Time
}

// NewToken makes an API token for a user. Names are unique among the tokens
// in use: ErrNameTaken.
func (s *Store) NewToken(ctx context.Context, v Viewer, name string) (string, error) {
	token, hash := newSecret()
	_, err := s.pool.Exec(ctx, `insert into tokens (user_id, name, token_hash) values ($1, $2, $3)`, v.UserID, name, hash)
	if sqlState(err, "23505") {
		err = ErrNameTaken
	}
	return token, err
}

// Tokens are a user's tokens in use, by name.
func (s *Store) Tokens(ctx context.Context, v Viewer) ([]Token, error) {
	rows, err := s.pool.Query(ctx, `select name, created_at, last_used_at from tokens
		where user_id = $1 and revoked_at is null order by name`, v.UserID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Token])
}

// RevokeToken ends a token, or fails with ErrNotFound.
func (s *Store) RevokeToken(ctx context.Context, v Viewer, name string) error {
	tag, err := s.pool.Exec(ctx, `update tokens set revoked_at = now() where user_id = $1 and name = $2 and revoked_at is null`, v.UserID, name)
	if err == nil && tag.RowsAffected() == 0 {
		err = ErrNotFound
	}
	return err
}

// TokenUser is whom a bearer token stands for, or ErrNotFound. When a token
// was last used is noted once a minute, not with each request.
func (s *Store) TokenUser(ctx context.Context, token string) (Viewer, error) {
	var v Viewer
	var stale bool
	hash := hashSecret(token)
	err := s.pool.QueryRow(ctx, `
select u.id::text, u.name, coalesce(t.last_used_at < now() - interval '1 minute', true)
from tokens t join users u on u.id = t.user_id where t.token_hash = $1 and t.revoked_at is null`, hash).
		Scan(&v.UserID, &v.Name, &stale)
	if err != nil {
		return v, notFound(err)
	}
	if stale {
		// A database that takes no writes (a full disk) still serves reads.
		if _, err := s.pool.Exec(ctx, `update tokens set last_used_at = now() where token_hash = $1`, hash); err != nil {
			s.log.Warn("note when a token was used", "err", err)
		}
	}
	return v, nil
}
