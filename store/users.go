package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"github.com/jackc/pgx/v5"
)

// newSecret makes a token of 256 random bits and the hash under which it is
// stored. A fast hash is right here: nobody can guess 256 bits.
func newSecret() (token string, hash []byte) {
	var b [32]byte
	rand.Read(b[:]) // never fails, by its contract
	token = base64.RawURLEncoding.EncodeToString(b[:])
	return token, hashSecret(token)
}

func hashSecret(token string) []byte {
	h := sha256.Sum256([]byte(token))
	return h[:]
}

const selectViewer = `select u.id::text, u.name from users u `

func scanViewer(row pgx.Row) (Viewer, error) {
	var v Viewer
	err := row.Scan(&v.UserID, &v.Name)
	return v, notFound(err)
}

// InstanceID tells this database's instance from others. It is made once.
func (s *Store) InstanceID(ctx context.Context) (id string, err error) {
	err = s.pool.QueryRow(ctx, `select id::text from instance`).Scan(&id)
	return id, err
}

// SetBaseURL notes where the server is reached.
func (s *Store) SetBaseURL(ctx context.Context, url string) error {
	_, err := s.pool.Exec(ctx, `update instance set base_url = $1`, url)
	return err
}

// BaseURL is where the server was last reached, or "" if none ever ran.
func (s *Store) BaseURL(ctx context.Context) (url string, err error) {
	err = s.pool.QueryRow(ctx, `select base_url from instance`).Scan(&url)
	return url, err
}

// Owner is the instance's first user.
func (s *Store) Owner(ctx context.Context) (Viewer, error) {
	return scanViewer(s.pool.QueryRow(ctx, selectViewer+`order by u.created_at, u.id limit 1`))
}

// User finds a user by id: the person a signed-in browser stands for.
func (s *Store) User(ctx context.Context, userID string) (Viewer, error) {
	return scanViewer(s.pool.QueryRow(ctx, selectViewer+`where u.id = $1`, userID))
}

// NewLoginLink makes a token that signs a user in once, within ttl.
func (s *Store) NewLoginLink(ctx context.Context, v Viewer, ttl time.Duration) (string, error) {
	token, hash := newSecret()
	b := &pgx.Batch{}
	b.Queue(`delete from login_links where expires_at < now() - interval '1 day'`)
	b.Queue(`insert into login_links (token_hash, user_id, expires_at) values ($1, $2, now() + $3)`, hash, v.UserID, ttl)
	return token, s.pool.SendBatch(ctx, b).Close()
}

// LoginLinkValid reports whether a link's token can still be used, without
// using it: browsers and mail scanners fetch links ahead of the person.
func (s *Store) LoginLinkValid(ctx context.Context, token string) (valid bool, err error) {
	err = s.pool.QueryRow(ctx, `select exists (
		select from login_links where token_hash = $1 and used_at is null and expires_at > now())`, hashSecret(token)).Scan(&valid)
	return valid, err
}

// UseLoginLink spends a link's token and returns whom it signs in, or
// ErrNotFound where it was used, has expired or never was.
func (s *Store) UseLoginLink(ctx context.Context, token string) (Viewer, error) {
	return scanViewer(s.pool.QueryRow(ctx, `
with used as (
	update login_links set used_at = now()
	where token_hash = $1 and used_at is null and expires_at > now() returning user_id)
`+selectViewer+`join used on used.user_id = u.id`, hashSecret(token)))
}
