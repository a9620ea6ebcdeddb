package handlers

import (
	"net/http"
	"net/url"
	"strings"

	"webshell/web/templates"
)

// maxSmallForm bounds the forms of a few fields.
const maxSmallForm = 64 << 10

// showLogin shows a link's page: one form, one button. Looking at it spends
// nothing, since browsers and mail scanners fetch links ahead of the person.
func (s *Server) showLogin(w http.ResponseWriter, r *http.Request) error {
	token := r.URL.Query().Get("token")
	login := templates.Login{Token: token, Next: s.localPath(r.URL.Query().Get("next"))}
	if token != "" {
		valid, err := s.store.LoginLinkValid(r.Context(), token)
		if err != nil {
			return err
		}
		login.Expired = !valid
	} else if _, err := s.credentials.of(r); err == nil {
		http.Redirect(w, r, login.Next, http.StatusSeeOther) // signed in already
		return nil
	}
	return s.renderLogin(w, r, http.StatusOK, login)
}

// login is the button: it spends the token and signs the browser in. A script
// does the same where the sign-in has ended, and its page stays.
func (s *Server) login(w http.ResponseWriter, r *http.Request) error {
	token, next, err := loginFields(w, r)
	if err != nil {
		return err
	}
	next = s.localPath(next)
	viewer, err := s.store.UseLoginLink(r.Context(), token)
	if faultOf(err).status == http.StatusNotFound {
		if wantsJSON(r) {
			return &fault{status: http.StatusUnauthorized, code: "link_expired"}
		}
		return s.renderLogin(w, r, http.StatusUnauthorized, templates.Login{Expired: true, Next: next})
	}
	if err != nil {
		return err
	}
	if err := s.credentials.signIn(w, r, viewer); err != nil {
		return err
	}
	if wantsJSON(r) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, next, http.StatusSeeOther)
	return nil
}

// loginFields reads a link's token, and where to go from there.
func loginFields(w http.ResponseWriter, r *http.Request) (token, next string, err error) {
	if mediaType(r) == "application/json" {
		token, err = field(w, r, "token")
		return token, "", err
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxSmallForm)
	form, err := readForm(r)
	return form.Get("token"), form.Get("next"), err
}

func (s *Server) renderLogin(w http.ResponseWriter, r *http.Request, status int, login templates.Login) error {
	v := s.view(r)
	page := templates.LoginPage(v, login)
	return s.render(w, r, v, status, page, page)
}

func (s *Server) logout(w http.ResponseWriter, r *http.Request) error {
	if err := s.credentials.signOut(w, r); err != nil {
		return err
	}
	http.Redirect(w, r, s.urls.Login(), http.StatusSeeOther)
	return nil
}

// localPath is where to go after signing in: a path of this server, or home.
// Anything that a browser could read as another site's address is home.
func (s *Server) localPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil ||
		!strings.HasPrefix(next, s.urls.Base+"/") || strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\r\n\t") {
		return s.urls.Home()
	}
	return next
}
