package store

import "context"

// What Enter does with a message while a turn runs, and what becomes of the
// queue after Stop.
const (
	EnterQueue = "queue"
	EnterSteer = "steer"

	AfterStopWait  = "wait"
	AfterStopDrain = "drain"
)

// Preferences are a person's, on every browser.
type Preferences struct {
	Enter     string // EnterQueue or EnterSteer
	AfterStop string // AfterStopWait or AfterStopDrain
}

// Preferences reads the viewer's preferences.
func (s *Store) Preferences(ctx context.Context, v Viewer) (p Preferences, err error) {
	err = s.pool.QueryRow(ctx, `select enter, after_stop from users where id = $1`, v.UserID).Scan(&p.Enter, &p.AfterStop)
	return p, notFound(err)
}

// SavePreferences changes the viewer's preferences; what is empty stays.
func (s *Store) SavePreferences(ctx context.Context, v Viewer, p Preferences) error {
	const write = `update users set enter = coalesce($2, enter), after_stop = coalesce($3, after_stop) where id = $1`
	_, err := s.pool.Exec(ctx, write, v.UserID, nonEmpty(p.Enter), nonEmpty(p.AfterStop))
	return err
}
