package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"webshell/migrations"
)

// migrationLock is the advisory lock under which migrations run, so that of
// several processes starting at once one migrates and the others wait.
const migrationLock = 0x77656273 // "webs"

// migration is one numbered SQL file.
type migration struct {
	version  int
	name     string
	sql      string
	checksum string
}

// Migrate brings the database to this build's schema and returns the names of
// the migrations it applied. It fails closed: a database that a newer build
// has migrated, or whose applied migrations differ from this build's, is left
// as it is, and no server may run on it.
func Migrate(ctx context.Context, url string) ([]string, error) {
	return migrateFiles(ctx, url, migrations.Files)
}

func migrateFiles(ctx context.Context, url string, files fs.FS) ([]string, error) {
	all, err := readMigrations(files)
	if err != nil {
		return nil, err
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, fmt.Errorf("connect to migrate: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	// The lock belongs to the connection: it is given back when that closes,
	// whatever happens here.
	if _, err := conn.Exec(ctx, `select pg_advisory_lock($1)`, migrationLock); err != nil {
		return nil, fmt.Errorf("wait for the migration lock: %w", err)
	}
	const ledger = `create table if not exists schema_migrations (
		version int primary key, name text not null, checksum text not null,
		applied_at timestamptz not null default now())`
	if _, err := conn.Exec(ctx, ledger); err != nil {
		return nil, fmt.Errorf("read the applied migrations: %w", err)
	}
	done, err := checkApplied(ctx, conn, all)
	if err != nil {
		return nil, err
	}
	var applied []string
	for _, m := range all[done:] {
		if err := apply(ctx, conn, m); err != nil {
			return applied, fmt.Errorf("migration %s failed and was rolled back; the database is as it was before it: %w", m.name, err)
		}
		applied = append(applied, m.name)
	}
	return applied, nil
}

var migrationName = regexp.MustCompile(`^([0-9]{4})_[a-z0-9_]+\.sql$`)

func readMigrations(files fs.FS) ([]migration, error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var all []migration
	for i, name := range names {
		m := migrationName.FindStringSubmatch(path.Base(name))
		if m == nil {
			return nil, fmt.Errorf("migration %s: want a name like 0001_what.sql", name)
		}
		version, _ := strconv.Atoi(m[1])
		if version != i+1 {
			return nil, fmt.Errorf("migration %s: want number %04d", name, i+1)
		}
		sql, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(sql)
		all = append(all, migration{version, name, string(sql), hex.EncodeToString(sum[:])})
	}
	return all, nil
}

// checkApplied compares the ledger with this build's files and returns how
// many of them are applied.
func checkApplied(ctx context.Context, conn *pgx.Conn, all []migration) (int, error) {
	rows, err := conn.Query(ctx, `select version, name, checksum from schema_migrations order by version`)
	if err != nil {
		return 0, err
	}
	type entry struct {
		Version        int
		Name, Checksum string
	}
	applied, err := pgx.CollectRows(rows, pgx.RowToStructByPos[entry])
	if err != nil {
		return 0, err
	}
	for i, e := range applied {
		switch {
		case i >= len(all):
			return 0, fmt.Errorf("the database was migrated by a newer version (it has %s): run that version, or restore a backup from before the upgrade", e.Name)
		case e.Version != all[i].version || e.Checksum != all[i].checksum:
			return 0, fmt.Errorf("the database has another migration %04d (%s) than this version (%s): it was migrated by another build; nothing was changed", e.Version, e.Name, all[i].name)
		}
	}
	return len(applied), nil
}

func apply(ctx context.Context, conn *pgx.Conn, m migration) (err error) {
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ignoreClosed(tx.Rollback(context.WithoutCancel(ctx))))
		}
	}()
	if _, err := tx.Exec(ctx, m.sql); err != nil {
		return err
	}
	const record = `insert into schema_migrations (version, name, checksum) values ($1, $2, $3)`
	if _, err := tx.Exec(ctx, record, m.version, m.name, m.checksum); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func ignoreClosed(err error) error {
	if errors.Is(err, pgx.ErrTxClosed) {
		return nil
	}
	return err
}
