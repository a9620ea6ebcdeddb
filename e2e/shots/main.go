// Command shots photographs the program: it starts it on a data folder of its
// own, has conversations with the demo agent, and takes pictures of the states
// that a page can be in, in Chromium.
//
//	make build && go run ./e2e/shots             the pictures of the documentation
//	go run ./e2e/shots -all -out FOLDER          every state, in every look
//	go run ./e2e/shots -only queued,asks -out FOLDER
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chromedp/chromedp"

	"webshell/e2e/stage"
)

var (
	binary   = flag.String("binary", "bin/webshell", "the program")
	out      = flag.String("out", "docs/pictures", "folder for the pictures")
	every    = flag.Bool("all", false, "every state in both themes and languages, wide and narrow, printed and in the system's colours")
	only     = flag.String("only", "", "these states alone, by name, with commas between them")
	fullPage = flag.Bool("full", false, "whole pages instead of what a window shows")
)

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) (err error) {
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	p, err := stage.Start(*binary)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Stop()) }()
	tab, cancel, err := openBrowser(ctx, p.Dir)
	if err != nil {
		return err
	}
	defer cancel()
	if err := shootPhase(tab, &p.Set, stage.Stranger); err != nil {
		return err
	}
	if err := stage.SignIn(tab, &p.Set); err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	if err := shootPhase(tab, &p.Set, stage.Fresh); err != nil {
		return err
	}
	if err := p.Talk(ctx); err != nil {
		return err
	}
	if err := shootPhase(tab, &p.Set, stage.Talked); err != nil {
		return err
	}
	if err := stage.Liven(ctx, p.Call, p.Talks); err != nil {
		return err
	}
	return shootPhase(tab, &p.Set, stage.Live)
}

func openBrowser(ctx context.Context, dir string) (context.Context, context.CancelFunc, error) {
	options, err := stage.BrowserOptions(filepath.Join(dir, "browser"))
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := chromedp.NewExecAllocator(ctx, append(options, chromedp.Flag("hide-scrollbars", true))...)
	tab, _ := chromedp.NewContext(ctx)
	return tab, cancel, chromedp.Do(tab, chromedp.Navigate("about:blank"))
}

// shootPhase takes the pictures of the states that can be seen in a phase.
func shootPhase(tab context.Context, set *stage.Set, p stage.Phase) error {
	for _, state := range stage.In(p) {
		for lang, looks := range wanted(state) {
			leave, err := state.Open(tab, set, lang)
			if err != nil {
				return fmt.Errorf("%s: %w", state.Name, err)
			}
			for _, look := range looks {
				if err := shoot(tab, state, look); err != nil {
					return fmt.Errorf("%s %s: %w", state.Name, look, err)
				}
			}
			if err := leave(); err != nil {
				return err
			}
		}
	}
	return nil
}

func shoot(tab context.Context, state stage.State, look stage.Look) error {
	if err := look.Show(tab); err != nil {
		return err
	}
	picture := chromedp.CaptureScreenshot()
	if *fullPage || look.Print {
		picture = chromedp.FullScreenshot(100)
	}
	png, err := chromedp.Run(tab, picture)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(*out, state.Name+"-"+look.String()+".png"), png, 0o644)
}

// pictures are those of the documentation.
var pictures = map[string][]stage.Look{
	"session":      {stage.Wide, stage.Wide.With("dark", "en"), stage.Narrow, stage.Narrow.With("dark", "zh-CN")},
	"mention-menu": {stage.Wide},
	"queue-open":   {stage.Narrow},
}

// wanted are the looks in which a state is photographed, by language.
func wanted(state stage.State) map[string][]stage.Look {
	looks := pictures[state.Name]
	if *every || *only != "" {
		looks = everyLook()
	}
	if *only != "" && !slices.Contains(strings.Split(*only, ","), state.Name) {
		return nil
	}
	byLang := map[string][]stage.Look{}
	for _, l := range looks {
		if !state.Narrow || l.Width <= stage.Narrow.Width {
			byLang[l.Lang] = append(byLang[l.Lang], l)
		}
	}
	return byLang
}

func everyLook() []stage.Look {
	var looks []stage.Look
	for _, lang := range []string{"en", "zh-CN"} {
		for _, scheme := range []string{"light", "dark"} {
			looks = append(looks, stage.Wide.With(scheme, lang), stage.Narrow.With(scheme, lang))
		}
	}
	zoomed, forced, printed := stage.Wide, stage.Wide.With("dark", "en"), stage.Wide.With("dark", "en")
	zoomed.Width, zoomed.Height, zoomed.Scale = 640, 430, 2
	forced.Forced, printed.Print = true, true
	return append(looks, zoomed, forced, printed)
}
