package handlers

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"

	"webshell/internal/config"
	"webshell/store"
)

// signedInFor is how long a browser stays signed in.
const signedInFor = 30 * 24 * time.Hour

// credential is what a request proved itself with.
type credential struct {
	viewer store.Viewer
	// check asks again whether the credential still holds, for streams, which
	// outlive the request's first look. It fails with errNoCredential.
	check func(context.Context) error
}

var errNoCredential = &fault{status: http.StatusUnauthorized, code: "unauthorized"}

// credentials reads and writes them. Browsers get a cookie; over https and on
// loopback one that only this host can set, elsewhere (plain http on a local
// network) browsers accept no Secure cookie. The instance's id is part of the
// name, since cookies do not tell ports apart.
type credentials struct {
	store         *store.Store
	https         bool // people reach the server over https, at a proxy
	secure, plain *scs.SessionManager
}

func newCredentials(s *store.Store, https bool, instance string) *credentials {
	c := &credentials{store: s, https: https}
	name := "ws-" + strings.ReplaceAll(instance, "-", "")[:12]
	c.secure = newManager(s, "__Host-"+name, true)
	c.plain = newManager(s, name, false)
	return c
}

func newManager(s *store.Store, cookie string, secure bool) *scs.SessionManager {
	m := scs.New()
	m.Store = s.WebSessions()
	m.HashTokenInStore = true
	m.Lifetime = signedInFor
	m.Cookie.Name = cookie
	m.Cookie.Path = "/"
	m.Cookie.HttpOnly = true
	m.Cookie.Secure = secure
	m.Cookie.SameSite = http.SameSiteLaxMode
	return m
}

// overSecure tells a request whose browser accepts a Secure cookie.
func (c *credentials) overSecure(r *http.Request) bool {
	return c.https || r.TLS != nil || config.IsLoopback(config.HostName(r.Host))
}

// manager is the one for the name by which this request reached the server.
func (c *credentials) manager(r *http.Request) *scs.SessionManager {
	if c.overSecure(r) {
		return c.secure
	}
	return c.plain
}

// of finds a request's credential, or fails with errNoCredential. A bearer
// token that is wrong is not made up for by a cookie.
func (c *credentials) of(r *http.Request) (credential, error) {
	if header := r.Header.Get("Authorization"); header != "" {
		scheme, token, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return credential{}, errNoCredential
		}
		return c.found(r.Context(), func(ctx context.Context) (store.Viewer, error) {
			return c.store.TokenUser(ctx, strings.TrimSpace(token))
		})
	}
	m := c.manager(r)
	cookie, err := r.Cookie(m.Cookie.Name)
	if err != nil {
		return credential{}, errNoCredential
	}
	return c.found(r.Context(), func(ctx context.Context) (store.Viewer, error) {
		ctx, err := m.Load(ctx, cookie.Value)
		if err != nil {
			return store.Viewer{}, err
		}
		user := m.GetString(ctx, userKey)
		if user == "" {
			return store.Viewer{}, store.ErrNotFound
		}
		return c.store.User(ctx, user)
	})
}

const userKey = "user"

func (c *credentials) found(ctx context.Context, find func(context.Context) (store.Viewer, error)) (credential, error) {
	check := func(ctx context.Context) (store.Viewer, error) {
		v, err := find(ctx)
		if errors.Is(err, store.ErrNotFound) {
			err = errNoCredential
		}
		return v, err
	}
	v, err := check(ctx)
	return credential{viewer: v, check: func(ctx context.Context) error {
		_, err := check(ctx)
		return err
	}}, err
}

// signIn gives the browser a fresh session for the user.
func (c *credentials) signIn(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	m := c.manager(r)
	ctx, err := m.Load(r.Context(), "")
	if err != nil {
		return err
	}
	m.Put(ctx, userKey, v.UserID)
	token, expires, err := m.Commit(ctx)
	if err != nil {
		return err
	}
	m.WriteSessionCookie(ctx, w, token, expires)
	return nil
}

// signOut ends the browser's session on the server and in the browser.
func (c *credentials) signOut(w http.ResponseWriter, r *http.Request) error {
	m := c.manager(r)
	cookie, err := r.Cookie(m.Cookie.Name)
	if err != nil {
		return nil
	}
	ctx, err := m.Load(r.Context(), cookie.Value)
	if err != nil {
		return err
	}
	if err := m.Destroy(ctx); err != nil {
		return err
	}
	m.WriteSessionCookie(ctx, w, "", time.Time{})
	return nil
}

type credentialKey struct{}

// authenticated lets requests with a credential through. It stands before the
// router: without one, an unknown path answers like a known one.
func (s *Server) authenticated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		looking, cancel := context.WithTimeout(r.Context(), requestTimeout)
		cred, err := s.credentials.of(r.WithContext(looking))
		cancel()
		if err == nil {
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), credentialKey{}, cred)))
			return
		}
		if errors.Is(err, errNoCredential) && browserNavigates(r) {
			http.Redirect(w, r, s.urls.LoginThen(s.urls.Base+r.URL.RequestURI()), http.StatusSeeOther)
			return
		}
		if errors.Is(err, errNoCredential) {
			w.Header().Set("WWW-Authenticate", "Bearer")
		}
		s.fail(w, r, s.keepTyped(r, err))
	})
}

// browserNavigates tells a person who opens a page from a script or a program,
// for which a sign-in page in place of an answer would be a trap.
func browserNavigates(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		r.Header.Get("Authorization") == "" && weight(r, "text/html") > 0 && !wantsFragment(r) && !wantsJSON(r)
}

func credentialOf(r *http.Request) credential {
	return r.Context().Value(credentialKey{}).(credential)
}

// personal is a handler that acts for a person: none can be written without.
type personal func(w http.ResponseWriter, r *http.Request, v store.Viewer) error

func (s *Server) as(h personal) http.HandlerFunc {
	return s.handle(func(w http.ResponseWriter, r *http.Request) error {
		return h(w, r, credentialOf(r).viewer)
	})
}
