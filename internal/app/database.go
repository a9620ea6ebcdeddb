package app

import (
	"context"
	"fmt"

	"webshell/internal/localpg"
	"webshell/store"
)

// postgresOptions are those of the private Postgres.
func (p *program) postgresOptions() localpg.Options {
	dir := p.config.Data
	if dir == "" {
		dir = localpg.DefaultDir()
	}
	return localpg.Options{Dir: dir, BinDir: p.config.PGBin, Log: p.log}
}

// database is the address that a subcommand beside the server uses: the one
// that was set, or that of the private Postgres, started for as long as the
// command runs if no server has it.
func (p *program) database(ctx context.Context) (url string, release func(), err error) {
	if p.config.DatabaseURL != "" {
		return p.config.DatabaseURL, func() {}, nil
	}
	return localpg.Attach(ctx, p.postgresOptions())
}

// migrateStore migrates; it is the first to reach the database, so that it says
// which setting to look at.
func (p *program) migrateStore(ctx context.Context, url string) ([]string, error) {
	applied, err := store.Migrate(ctx, url)
	if err != nil && p.config.DatabaseURL != "" {
		err = fmt.Errorf("%w\n(DATABASE_URL is set: the database it names is used; unset it for a private one)", err)
	}
	return applied, err
}

// withStore runs fn with a migrated store and the instance's owner.
func (p *program) withStore(ctx context.Context, fn func(*store.Store, store.Viewer) error) error {
	url, release, err := p.database(ctx)
	if err != nil {
		return err
	}
	defer release()
	if _, err := p.migrateStore(ctx, url); err != nil {
		return err
	}
	s, err := store.Open(ctx, url, store.Options{Log: p.log, MaxConns: 2})
	if err != nil {
		return err
	}
	defer s.Close()
	owner, err := s.Owner(ctx)
	if err != nil {
		return err
	}
	return fn(s, owner)
}
