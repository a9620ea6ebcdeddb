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
		link, err := p.newLoginLink(ctx, s, owner, p.config.Addr)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(p.Stdout, link)
		return err
	})
}

// newLoginLink makes a link that signs in once. addr is where the server
// listens.
func (p *program) newLoginLink(ctx context.Context, s *store.Store, v store.Viewer, addr string) (string, error) {
	token, err := s.NewLoginLink(ctx, v, linkTTL)
	return templates.URLs{Base: p.config.BaseURL(addr)}.LoginLink(token), err
}
