package stage

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/chromedp/chromedp"
)

// Phase is what has happened before a state can be looked at.
type Phase int

// The phases, in order.
const (
	Stranger Phase = iota // nobody has signed in
	Fresh                 // signed in, and nothing was said yet
	Talked                // conversations were had
	Live                  // answers are being written
)

// State is something that a page can look like.
type State struct {
	Name  string
	Phase Phase
	// Plain turns scripts off.
	Plain bool
	// Fails says that a request of this state is refused, which browsers write
	// to their console.
	Fails bool
	// Narrow says that the state is there on narrow screens alone.
	Narrow bool
	// Meant are rules of axe-core that this state breaks on purpose.
	Meant []string
	// Path is the page's address on the server.
	Path func(*Set) string
	// Net are answers that requests of the page get from elsewhere.
	Net []Reply
	// Steps lead from the loaded page to the state.
	Steps []step
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

// Open loads the state's page in a language and takes its steps. The tab has to
// leave it before another is opened.
func (s State) Open(ctx context.Context, set *Set, lang string) (leave func() error, err error) {
	look := Wide.With("light", lang)
	if s.Narrow {
		look = Narrow.With("light", lang)
	}
	if err := errors.Join(look.Speak(ctx), withScript(ctx, !s.Plain), look.Show(ctx)); err != nil {
		return nil, err
	}
	ctx, closeDesk, err := openDesk(ctx, s.Net)
	if err != nil {
		return nil, err
	}
	steps := []step{chromedp.Navigate(set.URL + s.Path(set))}
	if !s.Plain {
		steps = append(steps, ready)
	}
	for i, step := range append(steps, s.Steps...) {
		if err := chromedp.Do(ctx, step); err != nil {
			return nil, fmt.Errorf("%s, step %d: %w", s.Name, i, err)
		}
	}
	return func() error { return errors.Join(closeDesk(), backOnline(ctx)) }, nil
}

// SignIn opens the set's link and presses its button.
func SignIn(ctx context.Context, set *Set) error {
	return chromedp.Do(ctx, chromedp.Navigate(set.Link), chromedp.Click(chromedp.CSS(`form[action$="/login"] button`)),
		chromedp.WaitVisible(chromedp.CSS(`#composer`)))
}
