package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const (
	sourceModule = "golang.org/x/vulndb"
	// sourcePinned is used when the newest version cannot be had, for example
	// without a network but with a filled module cache.
	sourcePinned = "v0.0.0-20261105234957-e22db6528018"
	// fetchTimeout bounds one download; the module is about 25 MB.
	fetchTimeout = 2 * time.Minute
)

// source is one version of the database's source.
type source struct {
	version string
	// time is when the version was committed.
	time time.Time
	// entries is the folder of OSV files, one <ID>.json each.
	entries string
}

// fetchSource brings the newest version of the database's source into the
// module cache, or else the pinned one, and says on out when it had to.
func fetchSource(ctx context.Context, out io.Writer) (source, error) {
	src, err := download(ctx, "latest")
	if err == nil {
		return src, nil
	}
	src, pinnedErr := download(ctx, sourcePinned)
	if pinnedErr != nil {
		return source{}, fmt.Errorf("no vulnerability database: %w", errors.Join(err, pinnedErr))
	}
	fmt.Fprintf(out, "the newest vulnerability database cannot be had (%v)\n", err)
	return src, nil
}

func download(ctx context.Context, version string) (source, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	// An empty folder, so that no go.mod or go.work has a say.
	dir, err := os.MkdirTemp("", "vulndb-fetch-")
	if err != nil {
		return source{}, err
	}
	defer os.RemoveAll(dir)
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", sourceModule+"@"+version)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PWD="+dir, "GOWORK=off", "GOFLAGS=")
	printed, runErr := cmd.Output()
	var mod struct{ Version, Info, Dir, Error string }
	if err := json.Unmarshal(printed, &mod); err != nil {
		return source{}, fmt.Errorf("go mod download %s@%s: %w", sourceModule, version, errors.Join(runErr, err))
	}
	if mod.Error != "" || runErr != nil {
		return source{}, fmt.Errorf("go mod download %s@%s: %s", sourceModule, version, mod.Error)
	}
	raw, err := os.ReadFile(mod.Info)
	if err != nil {
		return source{}, err
	}
	var info struct{ Time time.Time }
	if err := json.Unmarshal(raw, &info); err != nil {
		return source{}, fmt.Errorf("%s: %w", mod.Info, err)
	}
	return source{version: mod.Version, time: info.Time, entries: filepath.Join(mod.Dir, "data", "osv")}, nil
}
