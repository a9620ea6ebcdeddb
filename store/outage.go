package store

import (
	"context"
	"errors"
	"net"
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
	return hasClass(err, "08", "57P", "25P03")
}

// Full reports whether an error means that the database has no room to write.
func Full(err error) bool { return hasClass(err, "53100", "53200") }

// hasClass compares with the beginnings of SQLSTATE codes (appendix A of the
// Postgres manual): 08 connection exception, 57P operator intervention, 25P03
// transaction idle for too long, 53100 disk full, 53200 out of memory.
func hasClass(err error, classes ...string) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return false
	}
	for _, class := range classes {
		if strings.HasPrefix(pg.Code, class) {
			return true
		}
	}
	return false
}
