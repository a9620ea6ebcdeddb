//go:build linux || darwin

package localpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// Attach gives a subcommand the database of a data folder, beside a server that
// uses it or alone. If the folder is locked, it waits until the cluster of the
// lock's holder answers; if not, it starts the cluster itself. release stops what
// Attach started, and nothing else; it is never nil when err is nil. ctx bounds
// the wait. Errors are those of [Start].
func Attach(ctx context.Context, o Options) (url string, release func(), err error) {
	take := func(dir *os.Root) (*lock, error) { return takeLock(dir, holdAttach) }
	again := time.NewTicker(pollEvery)
	defer again.Stop()
	for {
		s, err := start(ctx, o, take)
		if err == nil {
			return s.URL(), func() { _ = s.Stop(context.Background()) }, nil
		}
		if !errors.Is(err, ErrLocked) {
			return "", nil, err
		}
		url, err := running(ctx, o.Dir)
		if err == nil {
			return url, func() {}, nil
		}
		if !errors.Is(err, errNotYet) {
			return "", nil, err
		}
		select {
		case <-ctx.Done():
			return "", nil, fmt.Errorf("waiting for the running webshell's database was broken off: %w", context.Cause(ctx))
		case <-again.C:
		}
	}
}

// running is the connection string of the cluster that the lock's holder runs.
// Its socket is taken from the cluster's own state file: the holder's temporary
// folder need not be ours.
func running(ctx context.Context, dir string) (string, error) {
	l, err := layoutOf(dir)
	if err != nil {
		return "", err
	}
	major, err := clusterMajor(l.data)
	if err != nil {
		return "", err
	}
	if major == "" {
		return "", errNotYet
	}
	pf, err := readPidFile(l.data)
	if err != nil {
		return "", err
	}
	if pf == nil || pf.status != "ready" || pf.port != port {
		return "", errNotYet
	}
	owner, err := ownerOf(l.data)
	if err != nil {
		return "", folderProblem(l.data, err)
	}
	if !isPrivate(pf.socket, owner) {
		return "", errNotYet // stale, or not the holder's
	}
	if err := probe(ctx, pf.socket); err != nil {
		return "", err
	}
	return urlOf(pf.socket, database), nil
}
