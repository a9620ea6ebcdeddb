package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"webshell/e2e/stage"
)

// loadAll presses the link to older rows until there is none, and gives how
// long that took, in milliseconds.
const loadAll = `(async () => {
	const from = performance.now()
	for (let link; (link = document.querySelector("#transcript > a.older")); ) {
		if (link.getAttribute("aria-disabled") !== "true") link.click()
		await new Promise(requestAnimationFrame)
	}
	const took = performance.now() - from
	document.querySelector(".jump").click()
	return took
})()`

// watchKeys notes for each key how long it takes from when it was pressed to
// the end of the next frame.
const watchKeys = `(() => {
	globalThis.took = []
	const frames = new MessageChannel()
	const pressed = []
	frames.port1.onmessage = () => { for (const at of pressed.splice(0)) took.push(performance.now() - at) }
	addEventListener("keydown", (event) => {
		pressed.push(event.timeStamp)
		requestAnimationFrame(() => frames.port2.postMessage(null))
	}, { capture: true })
	document.querySelector('#composer [role="textbox"]').focus()
})()`

// between is the time from one key to the next: a fast typist's.
const between = 80 * time.Millisecond

// open starts a browser and signs in.
func open(ctx context.Context, s *server) (context.Context, context.CancelFunc, error) {
	options, err := stage.BrowserOptions(filepath.Join(s.dir, "browser"))
	if err != nil {
		return nil, nil, err
	}
	ctx, end := chromedp.NewExecAllocator(ctx, options...)
	ctx, close := chromedp.NewContext(ctx)
	cancel := func() { close(); end() }
	err = chromedp.Do(ctx, chromedp.Navigate(s.link), chromedp.Click(chromedp.CSS(`form[action$="/login"] button`)), chromedp.WaitVisible(chromedp.CSS("#composer")))
	if err != nil {
		cancel()
		return nil, nil, fmt.Errorf("sign in: %w", err)
	}
	return ctx, cancel, nil
}

// press types so many keys and gives the time of each.
func press(ctx context.Context, n int) ([]time.Duration, error) {
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[any](watchKeys)); err != nil {
		return nil, err
	}
	text := []rune("the quick brown fox jumps over the lazy dog ")
	for i := range n {
		key := string(text[i%len(text)])
		for _, e := range []input.DispatchKeyEventParams{
			{Type: input.DispatchKeyEventTypeKeyDown, Key: key, Text: key},
			{Type: input.DispatchKeyEventTypeKeyUp, Key: key},
		} {
			if _, err := chromedp.Call(ctx, input.DispatchKeyEvent, e); err != nil {
				return nil, err
			}
		}
		<-time.After(between)
	}
	took, err := chromedp.Run(ctx, chromedp.Evaluate[[]float64](`took`))
	times := make([]time.Duration, len(took))
	for i, ms := range took {
		times[i] = milliseconds(ms)
	}
	return times, err
}

// worked are the kinds of the main thread's work, as the browser counts them.
var worked = []string{"RecalcStyleDuration", "LayoutDuration", "ScriptDuration", "TaskDuration"}

// work is how long the main thread has worked so far, by kind.
func work(ctx context.Context) (map[string]time.Duration, error) {
	if _, err := chromedp.Call(ctx, performance.Enable, performance.EnableParams{}); err != nil {
		return nil, err
	}
	res, err := chromedp.Call(ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		return nil, err
	}
	spent := map[string]time.Duration{}
	for _, m := range res.Metrics {
		spent[m.Name] = time.Duration(m.Value * float64(time.Second))
	}
	return spent, nil
}
