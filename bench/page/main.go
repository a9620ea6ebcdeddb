// Command page measures a session's page in Chromium: how long it takes to open
// one of 2,000 messages, to load all that is older, and from a keystroke to the
// frame that shows it, while an answer is being written on the same page. An
// empty session is measured beside it, on the same machine in the same minute.
//
//	make build && go run ./bench/page
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"slices"
	"time"

	"github.com/chromedp/chromedp"
)

var (
	binary   = flag.String("binary", "bin/webshell", "the program")
	messages = flag.Int("messages", 2000, "messages of the long session")
	keys     = flag.Int("keys", 150, "keystrokes to measure")
	rounds   = flag.Int("rounds", 3, "times to open a page")
)

func main() {
	flag.Parse()
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	s, err := start()
	if err != nil {
		return err
	}
	defer s.stop()
	ctx, cancel, err := open(ctx, s)
	if err != nil {
		return err
	}
	defer cancel()
	for _, kind := range []struct {
		name     string
		messages int
	}{{"empty", 0}, {"long", *messages}} {
		session, err := s.seed(ctx, kind.messages/2)
		if err != nil {
			return err
		}
		fmt.Printf("%s session, %d messages\n", kind.name, kind.messages)
		if err := opening(ctx, s, session); err != nil {
			return err
		}
		if err := typing(ctx, s, session); err != nil {
			return err
		}
	}
	return nil
}

// opening measures the server's answer, and the page until it is loaded and
// until it follows its session.
func opening(ctx context.Context, s *server, session string) error {
	var served, loaded, live []time.Duration
	for range *rounds {
		d, err := s.page(ctx, session)
		if err != nil {
			return err
		}
		served = append(served, d)
		if err := chromedp.Do(ctx, chromedp.Navigate(s.url+"/sessions/"+session)); err != nil {
			return err
		}
		if _, err := chromedp.Run(ctx, chromedp.Poll[bool](`document.querySelector(".app")?.dataset.connection === "open"`)); err != nil {
			return err
		}
		at, err := chromedp.Run(ctx, chromedp.Evaluate[[]float64](`[performance.getEntriesByType("navigation")[0].loadEventEnd, performance.now()]`))
		if err != nil {
			return err
		}
		loaded, live = append(loaded, milliseconds(at[0])), append(live, milliseconds(at[1]))
	}
	fmt.Printf("  server's answer %v, page loaded %v, following at the latest %v (medians of %d)\n", median(served), median(loaded), median(live), *rounds)
	return nil
}

// typing loads all that is older, has an answer written, and types.
func typing(ctx context.Context, s *server, session string) error {
	took, err := chromedp.Run(ctx, chromedp.Evaluate[float64](loadAll, chromedp.EvalAwaitPromise))
	if err != nil {
		return err
	}
	rows, err := chromedp.Run(ctx, chromedp.Evaluate[int](`document.querySelectorAll("#transcript article").length`))
	if err != nil {
		return err
	}
	fmt.Printf("  all %d rows loaded in %v\n", rows, milliseconds(took).Round(time.Millisecond))
	if err := s.say(ctx, session, "/slow 600"); err != nil {
		return err
	}
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](`!!document.querySelector("[data-open]") && !!document.querySelector('#composer [role="textbox"]')`)); err != nil {
		return err
	}
	before, err := work(ctx)
	if err != nil {
		return err
	}
	times, err := press(ctx, *keys)
	if err != nil {
		return err
	}
	after, err := work(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("  keystroke to frame: p50 %v, p95 %v, worst %v (%d keys)\n", quantile(times, 0.5), quantile(times, 0.95), quantile(times, 1), len(times))
	fmt.Printf("  meanwhile:")
	for _, name := range worked {
		fmt.Printf(" %s %v", name, (after[name] - before[name]).Round(time.Millisecond))
	}
	fmt.Println()
	return s.call(ctx, "POST", "/sessions/"+session+"/stop", nil, nil)
}

func milliseconds(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }

func median(d []time.Duration) time.Duration { return quantile(d, 0.5) }

func quantile(d []time.Duration, q float64) time.Duration {
	d = slices.Sorted(slices.Values(d))
	return d[min(len(d)-1, int(q*float64(len(d))))].Round(100 * time.Microsecond)
}
