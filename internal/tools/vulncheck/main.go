// Command vulncheck runs govulncheck against the newest vulnerability database
// that the Go module proxy serves, and exits as govulncheck does: 0 when
// nothing is found, 3 when the code calls something vulnerable.
//
//	vulncheck [govulncheck flags] ./...
//
// The database's own host is out of reach where only a module proxy is
// allowed. Its source is a module too, golang.org/x/vulndb, and the newest
// commit of it is at least as new as what that host serves, so it is the one
// source used everywhere.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err == nil {
		return
	}
	var exit interface{ ExitCode() int }
	if errors.As(err, &exit) && exit.ExitCode() != 0 {
		os.Exit(exit.ExitCode())
	}
	fmt.Fprintln(os.Stderr, "vulncheck:", err)
	os.Exit(1)
}
