package app

import (
	"context"
	"fmt"
)

func (p *program) migrate(ctx context.Context, _ []string) error {
	url, release, err := p.database(ctx)
	if err != nil {
		return err
	}
	defer release()
	applied, err := p.migrateStore(ctx, url)
	for _, name := range applied {
		fmt.Fprintln(p.Stdout, "applied", name)
	}
	if err == nil && len(applied) == 0 {
		fmt.Fprintln(p.Stdout, "the schema is up to date")
	}
	return err
}
