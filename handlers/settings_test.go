package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"webshell/handlers"
)

// look is what a page says of its settings.
func look(t *testing.T, page string) (lang, theme string) {
	t.Helper()
	root := all(parse(t, page), byTag("html"))[0]
	return attr(root, "lang"), attr(root, "data-theme")
}

// Language and theme are chosen on a page, signed in or not, and last.
func TestSettingsWithoutScript(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser()
	page := b.open("/login")
	settings := all(parse(t, page.body), byAttr("id", "settings"))
	if len(settings) != 1 {
		t.Fatalf("%d forms on the sign-in page", len(settings))
	}
	names := map[string]bool{}
	for _, n := range all(settings[0], func(n *html.Node) bool { return n.Data == "select" }) {
		names[attr(n, "name")] = true
	}
	if !names["lang"] || !names["theme"] {
		t.Errorf("one can choose %v", names)
	}
	a := b.submit(attr(settings[0], "action"), form("lang", "zh-CN", "theme", "dark"))
	if lang, theme := look(t, a.body); a.StatusCode != http.StatusOK || lang != "zh-CN" || theme != "dark" {
		t.Errorf("%d: %s, %s", a.StatusCode, lang, theme)
	}
	b.signIn()
	for _, step := range []struct {
		change      url.Values
		lang, theme string
	}{
		{nil, "zh-CN", "dark"},
		{form("theme", "light"), "zh-CN", "light"},
		{form("lang", "en"), "en", "light"},
		{form("lang", "zh-CN"), "zh-CN", "light"},
		{form("lang", "", "theme", ""), "en", ""},
	} {
		if step.change != nil {
			b.submit("/settings", step.change)
		}
		if lang, theme := look(t, b.open("/").body); lang != step.lang || theme != step.theme {
			t.Errorf("after %v: %s, %q", step.change, lang, theme)
		}
	}
}

func TestSettingsCookies(t *testing.T) {
	t.Parallel()
	for base, path := range map[string]string{"": "/", "/ws": "/ws"} {
		s := newSite(t, func(o *handlers.Options) { o.Config.BasePath = base })
		a := s.request("POST", base+"/settings", formEncoded, "lang=zh-CN&theme=dark", anonymous, asScript)
		if a.StatusCode != http.StatusNoContent || a.body != "" || len(a.Cookies()) != 2 {
			t.Fatal(a)
		}
		for _, c := range a.Cookies() {
			if c.Path != path || c.SameSite != http.SameSiteLaxMode || c.MaxAge != 365*24*3600 || !c.Secure || !c.HttpOnly {
				t.Errorf("%s", c)
			}
		}
	}
	s := newSite(t, func(o *handlers.Options) { o.Config.Hosts = []string{"box.lan"} })
	a := s.request("POST", "/settings", formEncoded, "theme=", anonymous, func(r *http.Request) { r.Host = "box.lan" })
	if c := a.Cookies(); len(c) != 1 || c[0].Name != "ws-theme" || c[0].MaxAge >= 0 || c[0].Secure {
		t.Errorf("%v", c)
	}
}

func TestSettingsRefuse(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for body, field := range map[string]string{
		"lang=de": "lang", "theme=pink": "theme", "theme=light&lang=en;x": "", "lang=EN": "lang", "": "", "other=1": "",
	} {
		a := s.request("POST", "/settings", formEncoded, body, anonymous, acceptJSON)
		if code, of := s.fault(a); a.StatusCode != http.StatusBadRequest || code != "bad_request" || of != field || len(a.Cookies()) != 0 {
			t.Errorf("%q: %d %s %s %v", body, a.StatusCode, code, of, a.Cookies())
		}
	}
	a := s.request("POST", "/settings", formEncoded, "theme=dark", anonymous, header("Origin", "https://evil.example"), acceptJSON)
	if a.StatusCode != http.StatusForbidden || len(a.Cookies()) != 0 {
		t.Errorf("from another site: %s", a)
	}
	if a := s.request("GET", "/settings", "", "", acceptJSON); a.StatusCode != http.StatusMethodNotAllowed || a.Header.Get("Allow") != "POST" {
		t.Errorf("GET: %d, Allow %s", a.StatusCode, a.Header.Get("Allow"))
	}
	// What a cookie says is hostile until checked.
	for _, cookie := range []string{"ws-theme=pink; ws-lang=de", `ws-theme="><script>; ws-lang=` + strings.Repeat("zh-CN,", 300), "ws-theme=; ws-lang=", "ws-theme=light x"} {
		page := s.request("GET", "/", "", "", acceptHTML, header("Cookie", cookie))
		if lang, theme := look(t, page.body); lang != "en" || theme != "" {
			t.Errorf("%s: %s, %q", cookie, lang, theme)
		}
	}
}

// A choice leads back to the page it was made on, and to no other site.
func TestSettingsLeadBack(t *testing.T) {
	t.Parallel()
	for base, cases := range map[string]map[string]string{
		"": {
			"":                               "/",
			"OWN/sessions/x?before=3":        "/sessions/x?before=3",
			"OWN/login?token=t":              "/login?token=t",
			"OWN//evil.example/":             "/",
			"OWN/\\evil.example":             "/%5Cevil.example",
			"https://evil.example/sessions/": "/",
			"https://proxy.example/a":        "/a",
			"javascript:alert(1)":            "/",
			"nonsense %zz":                   "/",
		},
		"/ws": {"OWN/ws/sessions/x": "/ws/sessions/x", "OWN/elsewhere": "/ws/", "OWN/ws": "/ws/"},
	} {
		s := newSite(t, func(o *handlers.Options) {
			o.Config.BasePath = base
			o.Config.PublicURL = mustURL(t, "https://proxy.example")
			o.Config.Hosts = []string{"127.0.0.1", "proxy.example"}
		})
		for from, want := range cases {
			from = strings.Replace(from, "OWN", s.server.URL, 1)
			a := s.request("POST", base+"/settings", formEncoded, "theme=dark", anonymous, acceptHTML, header("Referer", from))
			if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != want {
				t.Errorf("from %s: %d %s", from, a.StatusCode, a.Header.Get("Location"))
			}
		}
	}
}
