package handlers

import (
	"net/http"
	"net/url"
	"slices"
	"time"

	"webshell/web/locales"
)

// Cookies of a person's choices on one browser. They are no secret and tell
// nobody apart.
const (
	langCookie  = "ws-lang"  // one of the locales; none: what the browser asks for
	themeCookie = "ws-theme" // light or dark; none: the system's
)

// settingsKept is how long a choice lasts.
const settingsKept = 365 * 24 * time.Hour

var themes = []string{"light", "dark"}

// chosen is the value of a settings cookie, or "".
func chosen(r *http.Request, name string) string {
	c, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return c.Value
}

// theme is the theme that was chosen, or "".
func theme(r *http.Request) string {
	if value := chosen(r, themeCookie); slices.Contains(themes, value) {
		return value
	}
	return ""
}

// saveSettings takes a choice of language, theme or both; an empty value goes
// back to the browser's own. It works for who is signed out, too.
func (s *Server) saveSettings(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxSmallForm)
	form, err := readForm(r)
	if err != nil {
		return err
	}
	langs := make([]string, 0, len(locales.Langs()))
	for _, l := range locales.Langs() {
		langs = append(langs, string(l))
	}
	cookies := make([]*http.Cookie, 0, 2)
	for _, setting := range []struct {
		field, cookie string
		values        []string
	}{{"lang", langCookie, langs}, {"theme", themeCookie, themes}} {
		if _, sent := form[setting.field]; !sent {
			continue
		}
		value := form.Get(setting.field)
		if value != "" && !slices.Contains(setting.values, value) {
			return badRequest(setting.field, "want one of the values that the page offers, or none")
		}
		cookies = append(cookies, s.settingsCookie(r, setting.cookie, value))
	}
	if len(cookies) == 0 {
		return badRequest("", "want lang or theme")
	}
	for _, c := range cookies {
		http.SetCookie(w, c)
	}
	if wantsFragment(r) || wantsJSON(r) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, s.cameFrom(r), http.StatusSeeOther)
	return nil
}

func (s *Server) settingsCookie(r *http.Request, name, value string) *http.Cookie {
	c := &http.Cookie{
		Name: name, Value: value, Path: s.urls.Base, MaxAge: int(settingsKept / time.Second),
		Secure: s.credentials.overSecure(r), HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
	if c.Path == "" {
		c.Path = "/"
	}
	if value == "" {
		c.MaxAge = -1
	}
	return c
}

// cameFrom is the page of ours that a form was sent from, or home.
func (s *Server) cameFrom(r *http.Request) string {
	u, err := url.Parse(r.Referer())
	own := err == nil && (u.Host == r.Host || s.config.PublicURL != nil && u.Host == s.config.PublicURL.Host)
	if !own {
		return s.urls.Home()
	}
	return s.localPath(u.RequestURI())
}
