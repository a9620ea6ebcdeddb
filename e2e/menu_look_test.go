package e2e

import (
	"os"
	"path/filepath"

	"github.com/chromedp/chromedp"

	"webshell/e2e/stage"
)

// walkLooks opens each menu in each look: axe-core finds nothing, and
// the menu is where it belongs. With MENU_PICTURES set to a
// folder, pictures to be looked at are put there.
func walkLooks(b *menuBox) {
	source, err := axeSource()
	if err != nil {
		b.Fatal(err)
	}
	b.do(runScript(source))
	forced := stage.Wide
	forced.Forced = true
	for _, look := range []stage.Look{stage.Wide, stage.Wide.With("dark", "en"), stage.Narrow, stage.Narrow.With("dark", "en"), forced} {
		if err := look.Show(b.ctx); err != nil {
			b.Fatal(err)
		}
		b.focusBox()
		for name, text := range map[string]string{"files": "compare @src/Makefile and @ma", "folder": "see @", "nothing": "@zzz", "commands": "/"} {
			b.typeText(text)
			b.waits(`!!document.querySelector(".menu [role=option], .menu-note:not([hidden])")`)
			b.inside()
			for _, fault := range faults(b.tab, everyRule, nil) {
				b.Errorf("%s, %s: %s", name, look, fault)
			}
			b.picture(name + "-" + look.String())
			b.press("Escape")
			b.clear()
		}
	}
}

func (b *menuBox) picture(name string) {
	b.Helper()
	dir := os.Getenv("MENU_PICTURES")
	if dir == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), get(b.tab, chromedp.CaptureScreenshot()), 0o644); err != nil {
		b.Fatal(err)
	}
}
