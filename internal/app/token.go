package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"webshell/store"
)

// maxTokenName bounds a token's name, in bytes.
const maxTokenName = 100

func (p *program) createToken(ctx context.Context, args []string) error {
	name := args[0]
	if name == "" || len(name) > maxTokenName || strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Errorf("a token's name has 1 to %d characters, none of them control characters", maxTokenName)
	}
	return p.withStore(ctx, func(s *store.Store, owner store.Viewer) error {
		token, err := s.NewToken(ctx, owner, name)
		if errors.Is(err, store.ErrNameTaken) {
			return fmt.Errorf("there is a token named %q already: take another name, or revoke it first (webshell token revoke %s)", name, name)
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(p.Stdout, token)
		return err
	})
}

func (p *program) listTokens(ctx context.Context, _ []string) error {
	return p.withStore(ctx, func(s *store.Store, owner store.Viewer) error {
		tokens, err := s.Tokens(ctx, owner)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
		for _, t := range tokens {
			used := "never used"
			if t.LastUsedAt != nil {
				used = "used " + t.LastUsedAt.Format(time.DateTime)
			}
			fmt.Fprintf(w, "%s\tcreated %s\t%s\n", t.Name, t.CreatedAt.Format(time.DateTime), used)
		}
		return w.Flush()
	})
}

func (p *program) revokeToken(ctx context.Context, args []string) error {
	return p.withStore(ctx, func(s *store.Store, owner store.Viewer) error {
		err := s.RevokeToken(ctx, owner, args[0])
		if errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("there is no token named %q in use (see: webshell token list)", args[0])
		}
		return err
	})
}
