package handlers_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"webshell/handlers"
	"webshell/internal/mention"
	"webshell/internal/workspace"
)

// withFiles gives a site a workspace with these files.
func withFiles(t *testing.T, names ...string) func(*handlers.Options) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folder, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := mention.NewFiles(folder)
	t.Cleanup(func() {
		files.Close()
		folder.Close()
	})
	return func(o *handlers.Options) { o.Mentions = mention.NewMenu(files) }
}

func mentions(pairs ...string) string { return "/mentions?" + form(pairs...).Encode() }

func TestMentions(t *testing.T) {
	t.Parallel()
	s := newSite(t, withFiles(t, "Makefile", "docs/my notes.md", "用户/手册 🚀.md"))
	for query, want := range map[string]string{
		"mak": `{"tag":{"id":"file:Makefile","kind":"file","label":"Makefile","value":"Makefile","serialized":"@Makefile"},` +
			`"title":"Makefile","detail":"","directory":false,"matches":[[0,3]]}`,
		`docs/my\ n`: `{"tag":{"id":"file:docs/my notes.md","kind":"file","label":"my notes.md","value":"docs/my notes.md","serialized":"@docs/my\\ notes.md"},` +
			`"title":"my notes.md","detail":"docs","directory":false,"matches":[[0,4]]}`,
		"doc": `{"tag":{"id":"file:docs/","kind":"file","label":"docs/","value":"docs/","serialized":"@docs/"},` +
			`"title":"docs/","detail":"","directory":true,"matches":[[0,3]]},` +
			`{"tag":{"id":"file:docs/my notes.md","kind":"file","label":"my notes.md","value":"docs/my notes.md","serialized":"@docs/my\\ notes.md"},` +
			`"title":"my notes.md","detail":"docs","directory":false,"matches":[],"detailMatches":[[0,3]]}`,
		"🚀": `{"tag":{"id":"file:用户/手册 🚀.md","kind":"file","label":"手册 🚀.md","value":"用户/手册 🚀.md","serialized":"@用户/手册\\ 🚀.md"},` +
			`"title":"手册 🚀.md","detail":"用户","directory":false,"matches":[[3,5]]}`,
		"nothing here": "",
		"files":        "", // the group's name is none of its items
	} {
		a := s.request("GET", mentions("q", query), "", "", acceptJSON)
		if a.StatusCode != http.StatusOK || a.body != `{"groups":[{"provider":"files","label":"Files","items":[`+want+`]}]}` {
			t.Errorf("%s gives %d %s", query, a.StatusCode, a.body)
		}
		if a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Content-Type") != "application/json; charset=utf-8" {
			t.Errorf("headers %v", a.Header)
		}
	}
}

func TestMentionsOfASession(t *testing.T) {
	t.Parallel()
	s := newSite(t, withFiles(t, "a.txt"))
	for query, status := range map[string]int{
		"":                                   http.StatusOK, // before there is any session
		"session=" + s.newSession():          http.StatusOK,
		"session=":                           http.StatusOK,
		"session=" + uuid.NewString():        http.StatusNotFound,
		"session=../x":                       http.StatusNotFound,
		"provider=files":                     http.StatusOK,
		"provider=nothing":                   http.StatusNotFound,
		"q=" + strings.Repeat("a", 4096):     http.StatusOK,
		"q=" + strings.Repeat("a", 4097):     http.StatusBadRequest,
		"q=%ff":                              http.StatusBadRequest,
		"q=%00":                              http.StatusOK,
		"q=" + url.QueryEscape("../../etc/"): http.StatusOK,
	} {
		a := s.request("GET", "/mentions?"+query, "", "", acceptJSON)
		if a.StatusCode != status {
			t.Errorf("%.40s gives %d %s", query, a.StatusCode, a.body)
		}
		if status == http.StatusBadRequest {
			if code, field := s.fault(a); code != "bad_request" || field != "q" {
				t.Errorf("%.40s: %s about %q", query, code, field)
			}
		}
	}
}

func TestMentionsInChinese(t *testing.T) {
	t.Parallel()
	s := newSite(t, withFiles(t, "a.txt"))
	a := s.request("GET", "/mentions", "", "", acceptJSON, header("Accept-Language", "zh-CN"))
	if !strings.Contains(a.body, `"label":"文件"`) {
		t.Errorf("%s", a)
	}
}

// failing is a provider of another kind, whose failure must stay its own.
type failing struct {
	id  string
	err error
}

func (f failing) ID() string  { return f.id }
func (failing) Label() string { return "<b>Label</b>" }
func (f failing) Search(context.Context, string) ([]mention.Item, error) {
	return nil, f.err
}

func TestAFailingProviderSaysSo(t *testing.T) {
	t.Parallel()
	var groups struct {
		Groups []struct {
			Provider, Label, Error string
			Partial                bool
			Items                  []any
		}
	}
	s := newSite(t, func(o *handlers.Options) {
		o.Mentions = mention.NewMenu(failing{"broken", errors.New("secret cause")}, failing{"late", context.DeadlineExceeded},
			failing{"some", mention.ErrPartial}, failing{"fine", nil})
	})
	a := s.get("/mentions?q=a", &groups)
	if a.StatusCode != http.StatusOK || len(groups.Groups) != 4 || strings.Contains(a.body, "secret") || strings.Contains(a.body, "null") {
		t.Fatalf("%s", a)
	}
	for i, want := range []struct {
		id, says string
		partial  bool
	}{{"broken", "could not be searched", false}, {"late", "took too long", false}, {"some", "", true}, {"fine", "", false}} {
		g := groups.Groups[i]
		if g.Provider != want.id || g.Label != "<b>Label</b>" || g.Partial != want.partial || !strings.Contains(g.Error, want.says) || (g.Error == "") != (want.says == "") {
			t.Errorf("%+v, want %+v", g, want)
		}
	}
	if log := s.logged(); !strings.Contains(log, "secret cause") || !strings.Contains(log, "provider=broken") {
		t.Errorf("the log says %s", log)
	}
}
