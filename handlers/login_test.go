package handlers_test

import (
	"net/http"
	"testing"
	"time"
)

// A script signs its browser in again, and the page that it runs on stays.
func TestSigningInAgainInPlace(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	link := func() string {
		t.Helper()
		token, err := s.store.NewLoginLink(t.Context(), s.owner, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	for contentType, body := range map[string]func(token string) string{
		"application/x-www-form-urlencoded": func(token string) string { return form("token", token).Encode() },
		"application/json":                  func(token string) string { return `{"token":"` + token + `"}` },
	} {
		token := link()
		foreign := s.request("POST", "/login", contentType, body(token), anonymous, acceptJSON, header("Origin", "https://evil.test"))
		if code, _ := s.fault(foreign); foreign.StatusCode != http.StatusForbidden || code != "forbidden" || len(foreign.Cookies()) != 0 {
			t.Errorf("from another site: %s", foreign)
		}
		a := s.request("POST", "/login", contentType, body(token), anonymous, acceptJSON, header("Origin", s.server.URL))
		if a.StatusCode != http.StatusNoContent || a.body != "" || len(a.Cookies()) != 1 {
			t.Fatalf("%s: %s", contentType, a)
		}
		home := s.request("GET", "/", "", "", anonymous, acceptJSON, func(r *http.Request) { r.AddCookie(a.Cookies()[0]) })
		if home.StatusCode != http.StatusOK {
			t.Errorf("the cookie opens nothing: %s", home)
		}
		for _, spent := range []string{token, "nonsense", ""} {
			a := s.request("POST", "/login", contentType, body(spent), anonymous, acceptJSON)
			if code, _ := s.fault(a); a.StatusCode != http.StatusUnauthorized || code != "link_expired" || len(a.Cookies()) != 0 {
				t.Errorf("%s, token %q: %s", contentType, spent, a)
			}
		}
	}
	for _, body := range []string{"", "[]", `{"token":1}`, `{}`} {
		if a := s.request("POST", "/login", "application/json", body, anonymous, acceptJSON); a.StatusCode != http.StatusBadRequest {
			t.Errorf("%q: %s", body, a)
		}
	}
}
