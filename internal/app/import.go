package app

import (
	"context"
	"fmt"
	"os"

	"webshell/internal/logfile"
	"webshell/store"
	"webshell/web/templates"
)

// importLog makes a session of a file. All of it is read and checked before
// anything is written.
func (p *program) importLog(ctx context.Context, args []string) error {
	file, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer file.Close()
	log, err := logfile.Read(file)
	if err != nil {
		return fmt.Errorf("nothing was imported: %s: %w", args[0], err)
	}
	return p.withStore(ctx, func(s *store.Store, owner store.Viewer) error {
		id, fresh, err := s.Import(ctx, owner, demoAgent, log)
		if err != nil {
			return fmt.Errorf("nothing was imported: %w", err)
		}
		base, err := p.baseURL(ctx, s)
		if err != nil {
			return err
		}
		said := "imported"
		if !fresh {
			said = "this log was imported before"
		}
		p.log.Info(said, "events", len(log), "page", templates.URLs{Base: base}.Session(id))
		_, err = fmt.Fprintln(p.Stdout, id)
		return err
	})
}
