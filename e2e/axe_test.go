package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"webshell/e2e/stage"
)

// axePath is where "make client" puts axe-core, beside the packages of the
// client.
const axePath = "../web/client/node_modules/axe-core/axe.min.js"

// axeSource is axe-core, which finds faults of accessibility in a page.
var axeSource = sync.OnceValues(func() (string, error) {
	source, err := os.ReadFile(filepath.FromSlash(axePath))
	if err != nil {
		return "", fmt.Errorf(`%w: run "make client", which installs axe-core with the client's packages`, err)
	}
	return string(source), nil
})

// Rules of axe-core: WCAG 2.2 at A and AA, and what it calls best practice. A
// page that was checked whole is checked in other looks by the rules whose
// result depends on the look. Sizes of targets are measured by small instead:
// axe-core takes a row that is scrolled half below the message box for a small
// one.
const (
	everyRule = `runOnly: {type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]},
		rules: {"target-size": {enabled: false}}`
	lookRules = `runOnly: {type: "rule", values: ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "aria-hidden-focus"]}`
)

// check is a look with the rules that are checked in it; "" are none, and what
// the test measures itself is all.
type check struct {
	stage.Look
	rules string
}

// checks are done in every state. Both themes come wide and narrow, preferred
// and chosen. What depends on the language are names, and whether words fit.
func checks(lang string) []check {
	wide, narrow := stage.Wide.With("light", lang), stage.Narrow.With("light", lang)
	wideDark, narrowDark := stage.Wide.With("dark", lang), stage.Narrow.With("dark", lang)
	zoomed, forced := wide, narrowDark
	zoomed.Width, zoomed.Height, zoomed.Scale = 640, 430, 2
	forced.Forced = true
	if lang != "en" {
		forced = wide
		forced.Forced = true
		return []check{{narrow, everyRule}, {wideDark, ""}, {zoomed, ""}, {forced, ""}}
	}
	chosenDark, chosenLight := wide, narrowDark
	chosenDark.Theme, chosenLight.Theme = "dark", "light"
	return []check{{wide, everyRule}, {narrowDark, lookRules}, {chosenDark, lookRules}, {chosenLight, lookRules}, {forced, lookRules}, {zoomed, ""}}
}

// TestAccessibility walks through every state of every page and lets axe-core
// look for faults; there are none.
func TestAccessibility(t *testing.T) {
	t.Parallel()
	setStage(t, func(p stage.Phase, set *stage.Set, browser *tab) {
		t.Run(fmt.Sprintf("phase %d", p), func(t *testing.T) {
			for _, state := range stage.In(p) {
				t.Run(state.Name, func(t *testing.T) {
					t.Parallel()
					b := openTab(t, browser.ctx, state.Fails)
					for _, lang := range []string{"en", "zh-CN"} {
						inspect(b, set, state, lang)
					}
				})
			}
		})
	})
}

// inspect checks one state in one language, in all looks. What it finds in
// several of them it reports once.
func inspect(b *tab, set *stage.Set, state stage.State, lang string) {
	b.Helper()
	source, err := axeSource()
	if err != nil {
		b.Fatal(err)
	}
	leave, err := state.Open(b.ctx, set, lang)
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := leave(); err != nil {
			b.Error(err)
		}
	}()
	// axe-core runs on timers, which wait for script to be allowed. What a page
	// without scripts misses it misses by now.
	if err := stage.AllowScript(b.ctx, true); err != nil {
		b.Fatal(err)
	}
	b.do(runScript(source))
	found := map[string][]string{} // the looks in which a fault is seen
	for _, c := range checks(lang) {
		if state.Narrow && c.Width > stage.Narrow.Width {
			continue
		}
		if err := c.Show(b.ctx); err != nil {
			b.Fatal(err)
		}
		for _, fault := range slices.Concat(faults(b, c.rules, state.Meant), small(b, c.Look), broad(b, c.Look)) {
			found[fault] = append(found[fault], c.String())
		}
	}
	for fault, looks := range found {
		b.Errorf("%s, in %s: %s", state.Name, strings.Join(looks, ", "), fault)
	}
}

// faults are those that axe-core finds, but for rules that are broken on purpose.
func faults(b *tab, rules string, meant []string) []string {
	b.Helper()
	if rules == "" {
		return nil
	}
	const script = `axe.run(document, {%s, resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations))`
	raw := get(b, chromedp.Evaluate[string](fmt.Sprintf(script, rules), chromedp.EvalAwaitPromise))
	var violations []struct {
		ID, Impact, Help string
		Nodes            []struct {
			Target         []any
			HTML           string
			FailureSummary string
		}
	}
	if err := json.Unmarshal([]byte(raw), &violations); err != nil {
		b.Fatal(err)
	}
	var all []string
	for _, v := range violations {
		if slices.Contains(meant, v.ID) {
			continue
		}
		for _, n := range v.Nodes {
			all = append(all, fmt.Sprintf("%s (%s): %s\n  %v\n  %.300s\n  %s", v.ID, v.Impact, v.Help, n.Target, n.HTML, n.FailureSummary))
		}
	}
	return all
}

// small are the targets that a finger or a pointer would miss: at least 24
// pixels each way (WCAG 2.2, 2.5.8), 40 for a finger. Links and buttons in a text
// are as high as its lines.
func small(b *tab, look stage.Look) []string {
	b.Helper()
	least := 24
	if look.Touch {
		least = 40
	}
	const script = `[...document.querySelectorAll("a[href], button, summary, select, textarea, input:not([type=hidden]), [role=textbox], [role=option]")]
		.filter(e => e.checkVisibility({visibilityProperty: true}) && !e.closest(".vh, .skip") && !e.matches(":disabled, .cm-line *, p a, li > a:not(.side-item), td a, h2 a"))
		.map(e => [e, e.getBoundingClientRect()]).filter(([, r]) => r.width && (Math.round(r.width) < %[1]d || Math.round(r.height) < %[1]d))
		.map(([e, r]) => "a target is " + Math.round(r.width) + " by " + Math.round(r.height) + " px, at least %[1]d are wanted: " + e.localName + (e.id && "#" + e.id) + [...e.classList].map(c => "." + c).join(""))`
	return get(b, chromedp.Evaluate[[]string](fmt.Sprintf(script, least)))
}

// broad says whether the page has to be scrolled sideways (WCAG 2.2, 1.4.10).
func broad(b *tab, look stage.Look) []string {
	b.Helper()
	if width := get(b, chromedp.Evaluate[int64](`document.documentElement.scrollWidth`)); width > look.Width {
		return []string{fmt.Sprintf("the page is %d px wide, the window %d", width, look.Width)}
	}
	return nil
}

// runScript evaluates a script for what it does.
func runScript(script string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Run(ctx, chromedp.Evaluate[any](script+"\n;void 0"))
		return err
	})
}

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
	b := openBrowserFor(t, 10*time.Minute)
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
