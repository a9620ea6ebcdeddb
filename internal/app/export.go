package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"webshell/internal/logfile"
	"webshell/store"
)

func (p *program) exportLog(ctx context.Context, args []string) error {
	id, err := uuid.Parse(args[0])
	if err != nil {
		return fmt.Errorf("%q is no session's id: it is the last part of the address of a session's page", args[0])
	}
	return p.withStore(ctx, func(s *store.Store, owner store.Viewer) error {
		out := bufio.NewWriterSize(p.Stdout, 64<<10)
		err := logfile.Export(ctx, s, owner, id.String(), out)
		if errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("there is no session %s", id)
		}
		return errors.Join(err, out.Flush())
	})
}
