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
	return []check{{wide, everyRule}, {narrowDark, lookRules}, {chosenDark, lookRules}, {chosenLight, lookRules}, {forced, ""}, {zoomed, ""}}
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
		for _, fault := range slices.Concat(faults(b, c.rules, state.Meant), small(b, c.Look), broad(b, c.Look), faint(b, c.Look)) {
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

// runScript evaluates a script for what it does.
func runScript(script string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Run(ctx, chromedp.Evaluate[any](script+"\n;void 0"))
		return err
	})
}
