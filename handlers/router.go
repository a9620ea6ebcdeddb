package handlers

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"webshell/web/static"
)

// requestTimeout bounds the work on any request but a stream.
const requestTimeout = 30 * time.Second

// maxBody bounds any request's body. A message of 1 MiB may arrive in six
// times as many bytes, each character as a \uXXXX escape; tags come on top.
const maxBody = 8 << 20

// routes is the whole of the HTTP surface. What stands before the credential
// check is open: health, sign-in, static files.
func (s *Server) routes(registry *prometheus.Registry) http.Handler {
	// /healthz and /readyz answer under any host name: who asks for them often
	// knows the server by an address only.
	open := chi.NewRouter()
	open.Use(s.countRequests, protect, s.recovered, headAsGet)
	open.MethodNotAllowed(s.handle(unknownMethod))
	open.Get("/healthz", s.healthz)
	open.Get("/readyz", s.readyz)

	own := chi.NewRouter()
	own.Use(s.ownHost, s.sameOrigin, limitBody)
	own.Handle("/static/*", static.Handler())
	own.With(bounded).Get("/login", s.handle(s.showLogin))
	own.With(bounded).Post("/login", s.handle(s.login))
	own.With(bounded).Post("/settings", s.handle(s.saveSettings))
	own.Mount("/", s.private(registry))
	open.Mount("/", own)
	return s.stripBase(open)
}

// private is what needs a credential. The check stands before the router.
func (s *Server) private(registry *prometheus.Registry) http.Handler {
	r := chi.NewRouter()
	r.Use(s.authenticated)
	r.NotFound(s.handle(func(http.ResponseWriter, *http.Request) error { return errNotFound }))
	r.MethodNotAllowed(s.handle(methodNotAllowed))

	r.Get("/sessions/{session}/stream", s.as(s.stream))
	r.Get("/sessions/{session}/export", s.as(s.export))
	r.Group(func(r chi.Router) {
		r.Use(bounded, compressed)
		r.Get("/", s.as(s.home))
		r.Post("/logout", s.handle(s.logout))
		r.Get("/sessions", s.as(s.sessionList))
		r.Post("/sessions", s.as(s.newSession))
		r.Get("/status", s.as(s.status))
		r.Put("/draft", s.as(s.saveDraft))
		r.Post("/preferences", s.as(s.savePreferences))
		r.Get("/commands", s.as(s.commands))
		r.Get("/mentions", s.as(s.mentions))
		r.Method(http.MethodGet, "/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
		r.Get("/sessions/{session}", s.as(s.showSession))
		r.Put("/sessions/{session}/draft", s.as(s.saveDraft))
		r.Get("/sessions/{session}/messages", s.as(s.ownMessages))
		r.Post("/sessions/{session}/messages", s.as(s.submit))
		r.Get("/sessions/{session}/events", s.as(s.events))
		r.Post("/sessions/{session}/queue/order", s.as(s.orderQueue))
		r.Post("/sessions/{session}/queue/resume", s.as(s.resumeQueue))
		r.Post("/sessions/{session}/queue/{request}", s.as(s.queued))
		r.Patch("/sessions/{session}/queue/{request}", s.as(s.patchQueued))
		r.Delete("/sessions/{session}/queue/{request}", s.as(s.removeQueued))
		r.Post("/sessions/{session}/stop", s.as(s.stop))
		r.Post("/sessions/{session}/retry", s.as(s.retry))
		// The id is the agent's own word and may hold a slash, which proxies
		// unescape.
		r.Post("/sessions/{session}/permissions/*", s.as(s.answerPermission))
	})
	return r
}

var (
	errNotFound  = &fault{status: http.StatusNotFound, code: "not_found"}
	errMethod    = &fault{status: http.StatusMethodNotAllowed, code: "method_not_allowed"}
	errForbidden = &fault{status: http.StatusForbidden, code: "forbidden"}
	errWrongHost = &fault{status: http.StatusMisdirectedRequest, code: "wrong_host"}
)

// headAsGet routes HEAD to what answers GET; net/http leaves the body out.
func headAsGet(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			chi.RouteContext(r.Context()).RouteMethod = http.MethodGet
		}
		next.ServeHTTP(w, r)
	})
}

// methods are those that any route takes.
var methods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// methodNotAllowed names the methods that the path takes, as a 405 has to
// (RFC 9110, 15.5.6).
func methodNotAllowed(w http.ResponseWriter, r *http.Request) error {
	path := r.URL.RawPath
	if path == "" {
		path = r.URL.Path
	}
	var allowed []string
	for _, method := range methods {
		if chi.RouteContext(r.Context()).Routes.Match(chi.NewRouteContext(), method, path) {
			allowed = append(allowed, method)
			if method == http.MethodGet {
				allowed = append(allowed, http.MethodHead)
			}
		}
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	return errMethod
}

// unknownMethod answers for a method that no route has. It comes before the
// credential check, so that it says nothing about the path.
func unknownMethod(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE")
	return errMethod
}

// stripBase takes the base path off, where the proxy in front left it on.
func (s *Server) stripBase(next http.Handler) http.Handler {
	base := s.urls.Base
	if base == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == base {
			http.Redirect(w, r, base+"/", http.StatusPermanentRedirect)
			return
		}
		if strings.HasPrefix(r.URL.Path, base+"/") {
			http.StripPrefix(base, next).ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ownHost refuses requests under a name that is not this server's: a foreign
// page may point a name of its own at this machine.
func (s *Server) ownHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.config.AcceptsHost(r.Host) {
			s.fail(w, r, errWrongHost)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// sameOrigin refuses requests that change something and come from another
// site's page (net/http's check of Sec-Fetch-Site and Origin).
func (s *Server) sameOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.fail(w, r, errForbidden) }))
	if u := s.config.PublicURL; u != nil {
		// A proxy may pass another Host on than the one the browser used.
		if err := protection.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
			panic("handlers: the public URL was checked when it was read: " + err.Error())
		}
	}
	return protection.Handler(next)
}

func limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		next.ServeHTTP(w, r)
	})
}

// bounded gives up on a request that takes too long.
func bounded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), requestTimeout)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

func (s *Server) healthz(w http.ResponseWriter, r *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	if err := s.store.Ready(ctx); err != nil {
		writeJSON(w, http.StatusServiceUnavailable, map[string]string{"status": "the database does not answer"})
		return
	}
	writeJSON(w, http.StatusOK, map[string]string{"status": "ready"})
}
