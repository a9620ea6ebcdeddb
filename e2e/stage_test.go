package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"webshell/e2e/stage"
)

// setStage runs the program through the phases of the stage and calls each in
// every one of them. In between the program is killed and started again, so
// that a turn is interrupted.
func setStage(t *testing.T, each func(stage.Phase, *stage.Set, *tab)) {
	t.Helper()
	data, folder := dataDir(t), t.TempDir()
	if err := stage.Workspace(folder); err != nil {
		t.Fatal(err)
	}
	s := serve(t, data, "WEBSHELL_WORKSPACE="+folder)
	c := s.client()
	set := &stage.Set{URL: s.url, Link: s.link}
	b := openBrowserFor(t, 30*time.Minute)
	each(stage.Stranger, set, b)
	if err := stage.SignIn(b.ctx, set); err != nil {
		t.Fatal(err)
	}
	each(stage.Fresh, set, b)
	interrupted, err := stage.Begin(t.Context(), c.api)
	if err != nil {
		t.Fatal(err)
	}
	s.kill()
	s = serve(t, data, "WEBSHELL_WORKSPACE="+folder)
	c = s.clientWith(c.token)
	set.URL, set.Link = s.url, s.link
	if set.Talks, err = stage.Talk(t.Context(), c.api); err != nil {
		t.Fatal(err)
	}
	set.Talks["interrupted"] = interrupted
	each(stage.Talked, set, b)
	if err = stage.Liven(t.Context(), c.api, set.Talks); err != nil {
		t.Fatal(err)
	}
	each(stage.Live, set, b)
	s.interrupt()
}

// api is the client as the stage wants it.
func (c *client) api(ctx context.Context, method, path string, in, out any) error {
	status, err := c.do(ctx, method, path, in, out)
	if err == nil && status >= 300 {
		err = fmt.Errorf("%s %s: %d", method, path, status)
	}
	return err
}

// openTab opens a tab of a running browser. What it writes to the console as
// an error fails the test, but for requests that fail where that is meant.
func openTab(t *testing.T, parent context.Context, failing bool) *tab {
	t.Helper()
	if !failing {
		return newTab(t, parent)
	}
	ctx, cancel := chromedp.NewContext(parent)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, time.Minute)
	t.Cleanup(cancel)
	return &tab{t, ctx}
}
