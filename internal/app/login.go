package app

import (
	"context"
	"fmt"
	"time"

	"webshell/store"
	"webshell/web/templates"
)

// linkTTL is how long a sign-in link can be used.
const linkTTL = 10 * time.Minute

func (p *program) loginLink(ctx context.Context, _ []string) error {
	return p.withStore(ctx, func(s *store.Store, owner store.Viewer) error {
		base, err := p.baseURL(ctx, s)
		if err != nil {
			return err
		}
		link, err := newLoginLink(ctx, s, owner, base)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(p.Stdout, link)
		return err
	})
}

// baseURL is where people reach the server, for a command beside it, which may
// not have been told the server's own settings.
func (p *program) baseURL(ctx context.Context, s *store.Store) (string, error) {
	if p.config.PublicURL == nil {
		if noted, err := s.BaseURL(ctx); err != nil || noted != "" {
			return noted, err
		}
	}
	return p.config.BaseURL(p.config.Addr), nil
}

// newLoginLink makes a link that signs in once.
func newLoginLink(ctx context.Context, s *store.Store, v store.Viewer, base string) (string, error) {
	token, err := s.NewLoginLink(ctx, v, linkTTL)
	return templates.URLs{Base: base}.LoginLink(token), err
}
