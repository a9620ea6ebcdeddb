package localpg

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
)

// Options say which cluster to run and how.
type Options struct {
	// Dir is the program's data folder (WEBSHELL_DATA). It is made if missing.
	Dir string
	// BinDir holds initdb and postgres (WEBSHELL_PG_BIN). Empty: the usual
	// places are searched, highest version first.
	BinDir string
	// Log receives the supervisor's messages; nil drops them. What Postgres
	// prints goes to <Dir>/postgres.log.
	Log *slog.Logger
	// Settings are further server settings, name → value, as in
	// postgresql.conf. Those that make the server private cannot be changed.
	Settings map[string]string
}

var settingName = regexp.MustCompile(`^[a-z][a-z0-9_.]*$`)

func (o Options) check() error {
	if o.Dir == "" {
		return fmt.Errorf("no data folder is known: set WEBSHELL_DATA to a folder, or DATABASE_URL to a running Postgres")
	}
	if hasControl(o.Dir) {
		return fmt.Errorf("the data folder's name %q holds a control character: choose another WEBSHELL_DATA", o.Dir)
	}
	for name, value := range o.Settings {
		if !settingName.MatchString(name) || strings.ContainsRune(value, 0) {
			return fmt.Errorf("%q is not a Postgres setting", name)
		}
	}
	return nil
}

func (o Options) logger() *slog.Logger {
	if o.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Log
}

// Line breaks would end a line of postmaster.pid, and NUL a path.
func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// starting wraps the end of ctx in words that fit an error line.
func starting(ctx context.Context) error {
	return fmt.Errorf("starting Postgres was broken off: %w", context.Cause(ctx))
}
