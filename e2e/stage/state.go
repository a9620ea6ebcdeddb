package stage

import (
	"context"
	"fmt"
	"slices"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Phase is what has happened before a state can be looked at.
type Phase int

// The phases, in order.
const (
	Stranger Phase = iota // nobody has signed in
	Fresh                 // signed in, and nothing was said yet
	Talked                // all conversations were had
)

// State is something that a page can look like.
type State struct {
	Name  string
	Phase Phase
	// Script says whether the page's scripts run.
	Script bool
	// Fails says that a request of this state is refused, which browsers write
	// to their console.
	Fails bool
	// Narrow says that the state is there on narrow screens alone.
	Narrow bool
	// Meant are rules of axe-core that this state breaks on purpose.
	Meant []string
	// Path is the page's address on the server.
	Path func(*Set) string
	// Steps lead from the loaded page to the state.
	Steps []chromedp.Action[chromedp.Void]
}

// Set is a program that is looked at.
type Set struct {
	URL   string // without a slash at its end
	Link  string // a sign-in link that nobody has used
	Talks Talks
}

// In are the states of a phase.
func In(p Phase) []State {
	return slices.DeleteFunc(States(), func(s State) bool { return s.Phase != p })
}

// Open loads the state's page in a language and takes its steps.
func (s State) Open(ctx context.Context, set *Set, lang string) error {
	look := Wide.With("light", lang)
	if s.Narrow {
		look = Narrow.With("light", lang)
	}
	if err := look.Speak(ctx); err != nil {
		return err
	}
	if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !s.Script}); err != nil {
		return err
	}
	if err := look.Show(ctx); err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(set.URL+s.Path(set))); err != nil {
		return err
	}
	for i, step := range s.Steps {
		if err := chromedp.Do(ctx, step); err != nil {
			return fmt.Errorf("%s, step %d: %w", s.Name, i+1, err)
		}
	}
	return nil
}

// SignIn opens the set's link and presses its button.
func SignIn(ctx context.Context, set *Set) error {
	return chromedp.Do(ctx, chromedp.Navigate(set.Link), chromedp.Click(chromedp.CSS(`form[action$="/login"] button`)),
		chromedp.WaitVisible(chromedp.CSS(`#composer`)))
}
