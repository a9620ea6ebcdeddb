// Package handlers answers HTTP: pages and fragments for browsers, JSON for
// programs, and the stream of a session's transcript.
package handlers

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/a-h/templ"
	"github.com/prometheus/client_golang/prometheus"

	"webshell/internal/bus"
	"webshell/internal/config"
	"webshell/internal/markdown"
	"webshell/internal/mention"
	"webshell/internal/turn"
	"webshell/store"
	"webshell/web/templates"
)

// Options are what a server is made of.
type Options struct {
	Store    *store.Store
	Bus      *bus.Bus
	Config   config.Config
	Instance string                  // the instance's id
	Agents   map[string]turn.Backend // by name
	Agent    string                  // the one that new sessions get
	Mentions *mention.Menu           // what can be referred to with @
	Log      *slog.Logger
	Registry *prometheus.Registry
	// MaxStreams is how many streams may be open at once; 0: 2000.
	MaxStreams int
	// Icons adds to the built-in icons, kind → built-in name or data: URL.
	Icons map[string]string
	// UserContent takes over the rendering of a user message's content. It may
	// return nil to leave a message to the default.
	UserContent func(context.Context, templates.UserMessage) templ.Component
}

// Server answers requests. Make one with New.
type Server struct {
	store       *store.Store
	bus         *bus.Bus
	config      config.Config
	credentials *credentials
	agents      map[string]turn.Backend
	agent       string
	menu        *mention.Menu
	log         *slog.Logger
	urls        templates.URLs
	icons       *templates.IconSet
	userContent func(context.Context, templates.UserMessage) templ.Component
	metrics     *metrics
	markdown    *markdown.Cache
	streams     chan struct{} // one place for each stream that may be open

	closing context.Context // ends when the server begins to stop
	close   context.CancelFunc
	handler http.Handler
}

// markdownCache is how much HTML of answers is kept, in bytes: about a hundred
// answers of 20 KB with code.
const markdownCache = 16 << 20

// defaultStreams is a bound that one process can serve.
const defaultStreams = 2000

// New makes a server.
func New(o Options) (*Server, error) {
	icons, err := templates.NewIconSet(o.Icons)
	if err != nil {
		return nil, fmt.Errorf("icons: %w", err)
	}
	if o.MaxStreams <= 0 {
		o.MaxStreams = defaultStreams
	}
	https := o.Config.PublicURL != nil && o.Config.PublicURL.Scheme == "https"
	s := &Server{
		store:       o.Store,
		bus:         o.Bus,
		config:      o.Config,
		credentials: newCredentials(o.Store, https, o.Instance),
		agents:      o.Agents,
		agent:       o.Agent,
		menu:        cmp.Or(o.Mentions, mention.NewMenu()),
		log:         o.Log,
		urls:        templates.URLs{Base: o.Config.BasePath},
		icons:       icons,
		userContent: o.UserContent,
		metrics:     newMetrics(o.Registry),
		markdown:    markdown.NewCache(markdownCache),
		streams:     make(chan struct{}, o.MaxStreams),
	}
	s.closing, s.close = context.WithCancel(context.Background())
	s.handler = s.routes(o.Registry)
	return s, nil
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close ends the streams, so that an HTTP server can shut down.
func (s *Server) Close() { s.close() }
