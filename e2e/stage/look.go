package stage

import (
	"context"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// Look is how a browser shows a page.
type Look struct {
	Scheme        string // what the system prefers: "light" or "dark"
	Theme         string // what the person chose: "", "light" or "dark"
	Lang          string // "en" or "zh-CN"
	Width, Height int64  // of the window, in CSS pixels
	Scale         float64
	Forced        bool // the system's own colours
	Touch         bool // a phone: a finger instead of a mouse
	Still         bool // reduced motion
	Print         bool
}

// Wide and Narrow are the two sizes that pages are looked at in.
var (
	Wide   = Look{Scheme: "light", Lang: "en", Width: 1280, Height: 860}
	Narrow = Look{Scheme: "light", Lang: "en", Width: 320, Height: 640, Touch: true}
)

// String names the look, fit for a file's name.
func (l Look) String() string {
	name := []string{l.Scheme, l.Lang, fmt.Sprint(l.Width)}
	if l.Theme != "" {
		name = append(name, "chosen-"+l.Theme)
	}
	if l.Scale > 1 {
		name = append(name, fmt.Sprintf("zoom-%g", l.Scale))
	}
	if l.Forced {
		name = append(name, "forced")
	}
	if l.Print {
		name = append(name, "print")
	}
	return strings.Join(name, "-")
}

// With is the look in another scheme and language.
func (l Look) With(scheme, lang string) Look {
	l.Scheme, l.Lang = scheme, lang
	return l
}

// Speak sets the language that pages loaded from now on are in.
func (l Look) Speak(ctx context.Context) error {
	headers := network.Headers{"Accept-Language": l.Lang}
	_, err := chromedp.Call(ctx, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: headers})
	return err
}

// Show makes the browser show its page in this look, without loading it again:
// the language stays what it is.
func (l Look) Show(ctx context.Context) error {
	forced, motion, media := "none", "no-preference", "screen"
	if l.Forced {
		forced = "active"
	}
	if l.Still {
		motion = "reduce"
	}
	if l.Print {
		media = "print"
	}
	features := []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: l.Scheme}, {Name: "forced-colors", Value: forced}, {Name: "prefers-reduced-motion", Value: motion},
	}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media, Features: features}); err != nil {
		return err
	}
	screen := []chromedp.EmulateViewportOption{chromedp.EmulateScale(max(l.Scale, 1))}
	if l.Touch {
		screen = append(screen, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	const choose = `((root, theme) => { if (theme) root.dataset.theme = theme; else delete root.dataset.theme })(document.documentElement, %q)`
	return chromedp.Do(ctx, chromedp.EmulateViewport(l.Width, l.Height, screen...), run(fmt.Sprintf(choose, l.Theme)), run(fmt.Sprintf(hover, !l.Touch)))
}

// hover gives the page a mouse, or takes it away: a headless browser has none,
// and no command to say otherwise. What style sheets have for screens without
// one is turned off in them.
const hover = `{
	const set = (rules, mouse) => {
		for (const rule of rules) {
			if (rule instanceof CSSMediaRule) {
				rule.written ??= rule.media.mediaText;
				rule.media.mediaText = mouse ? rule.written.replaceAll("(hover: none)", "(width < 0px)").replaceAll("(hover: hover)", "(width)") : rule.written;
			}
			if (rule.cssRules) set(rule.cssRules, mouse);
		}
	};
	for (const sheet of document.styleSheets) set(sheet.cssRules, %t);
}`
