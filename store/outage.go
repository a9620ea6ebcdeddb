package store

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Unavailable reports whether an error means that the database could not be
// reached or is going down or coming up: the same request may succeed later.
func Unavailable(err error) bool {
	var connect *pgconn.ConnectError
	var network net.Error
	switch {
	case err == nil:
		return false
	case errors.As(err, &connect), errors.As(err, &network), errors.Is(err, context.DeadlineExceeded), pgconn.SafeToRetry(err):
		return true
	case errors.Is(err, net.ErrClosed), strings.Contains(err.Error(), "conn closed"), strings.Contains(err.Error(), "unexpected EOF"):
		return true
	}
	return sqlState(err, "08", "57P", "25P03")
}

// Full reports whether an error means that the database has no room to write.
func Full(err error) bool { return sqlState(err, "53100", "53200") }

// sqlState reports whether an error is Postgres' and its SQLSTATE begins with one
// of the given codes (appendix A of the Postgres manual): 08 connection
// exception, 57P operator intervention, 25P03 transaction idle for too long,
// 53100 disk full, 53200 out of memory, 23505 unique violation, 40001
// serialization failure, 40P01 deadlock.
func sqlState(err error, codes ...string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && slices.ContainsFunc(codes, func(code string) bool { return strings.HasPrefix(pg.Code, code) })
}
