package handlers

import (
	"context"
	"errors"
	"net/http"
	"unicode/utf8"

	"webshell/internal/mention"
	"webshell/store"
	"webshell/web/locales"
)

// mentionGroup is what one provider has to say, as the @ menu shows it.
type mentionGroup struct {
	Provider string         `json:"provider"`
	Label    string         `json:"label"`
	Items    []mention.Item `json:"items"`
	// Partial is set where more may be found a moment later.
	Partial bool `json:"partial,omitempty"`
	// Error says to a person what happened and what to do.
	Error string `json:"error,omitempty"`
}

// mentions is the data of the @ menu: what fits a query in the workspace. It
// needs no session; one that is named must be the viewer's.
func (s *Server) mentions(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	if _, err := s.menuSession(r, v); err != nil {
		return err
	}
	query := r.URL.Query().Get("q")
	if len(query) > mention.MaxQuery {
		return badRequest("q", "want at most 4,096 bytes")
	}
	if !utf8.ValidString(query) {
		return badRequest("q", "want UTF-8")
	}
	groups, err := s.menu.Search(r.Context(), query, r.URL.Query().Get("provider"))
	if errors.Is(err, mention.ErrNoProvider) {
		return errNotFound
	}
	if err != nil {
		return err
	}
	p := s.printer(r)
	shown := []mentionGroup{}
	for _, g := range groups {
		shown = append(shown, mentionGroup{g.Provider, groupLabel(p, g), g.Items, g.Partial, s.groupError(r.Context(), p, g)})
	}
	writeJSON(w, http.StatusOK, map[string]any{"groups": shown})
	return nil
}

// groupLabel is a group's heading: in the person's language for the providers
// that we bring, the operator's word for others.
func groupLabel(p *locales.Printer, g mention.Group) string {
	if key := "mention." + g.Provider; p.Has(key) {
		return p.T(key)
	}
	return g.Label
}

func (s *Server) groupError(ctx context.Context, p *locales.Printer, g mention.Group) string {
	switch {
	case g.Err == nil:
		return ""
	case errors.Is(g.Err, mention.ErrSlow):
		return p.T("mention.error.slow")
	}
	s.log.WarnContext(ctx, "a provider of references failed", "provider", g.Provider, "err", g.Err)
	return p.T("mention.error.failed")
}
