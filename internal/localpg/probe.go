//go:build linux || darwin

package localpg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// errNotYet says that Postgres does not take connections now but may soon.
var errNotYet = errors.New("the database is not ready")

// Error codes, see appendix A of PostgreSQL's documentation.
const (
	codeNoDatabase = "3D000" // invalid_catalog_name
	codeTooMany    = "53300" // too_many_connections
	codeAdminStop  = "57P01" // admin_shutdown
	codeCrashStop  = "57P02" // crash_shutdown
	codeNotNow     = "57P03" // cannot_connect_now
)

// probe connects once. nil: the database is there and answers; errNotYet: try
// again; anything else will not mend itself.
func probe(ctx context.Context, socket string) error {
	return verdict(connectOnce(ctx, urlOf(socket, database), ""))
}

// probeOrCreate is probe for the lock's holder, who makes the database if it is
// missing: initdb makes only "postgres" and the templates.
func probeOrCreate(ctx context.Context, socket string) error {
	err := connectOnce(ctx, urlOf(socket, database), "")
	if code(err) == codeNoDatabase {
		err = connectOnce(ctx, urlOf(socket, "postgres"), "create database "+database)
	}
	return verdict(err)
}

func connectOnce(ctx context.Context, url, sql string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	conn, err := pgconn.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if sql == "" {
		return nil
	}
	return conn.Exec(ctx, sql).Close()
}

func code(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code
	}
	return ""
}

func verdict(err error) error {
	switch code(err) {
	case "":
	case codeTooMany:
		return nil // it answers; who needs a connection waits for one
	case codeNoDatabase, codeNotNow, codeAdminStop, codeCrashStop:
		return fmt.Errorf("%w: %w", errNotYet, err)
	default:
		return fmt.Errorf("our connection was refused by Postgres: %w", err)
	}
	var parse *pgconn.ParseConfigError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &parse):
		return fmt.Errorf("the connection settings in the environment (PG… variables) are wrong: %w", err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EACCES):
		return fmt.Errorf("the socket of Postgres may not be used by this user; run as the data folder's owner or as root: %w", err)
	}
	// No socket yet, refused, cut off, too slow.
	return fmt.Errorf("%w: %w", errNotYet, err)
}
