// Command pageload measures the first load of pages as a browser sees it, over
// a line of 10 Mbit/s with 40 ms to the server and back, with nothing cached:
// when something is painted, when a typed character stands in the message box,
// and how many bytes and requests that took. It fails where the product's
// bounds are passed.
//
//	make build && go run ./bench/pageload
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"webshell/e2e/stage"
)

var (
	binary = flag.String("binary", "bin/webshell", "the program")
	rounds = flag.Int("rounds", 7, "loads of each page; the medians count")
	mbps   = flag.Float64("mbps", 10, "the line's speed, in Mbit/s")
	rtt    = flag.Duration("rtt", 40*time.Millisecond, "the time to the server and back")
	keep   = flag.Bool("keep", false, "print the addresses and wait for Ctrl-C, for another tool to measure")
)

// Bounds of a first load.
const (
	maxEarlyBytes = 50_000 // of the page and its style sheet, before the first paint
	maxBytes      = 200_000
	maxRequests   = 12
	maxPaint      = 740 * time.Millisecond
	maxTyped      = 860 * time.Millisecond
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
	p, err := stage.Start(*binary)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Stop()) }()
	session, err := stage.Converse(ctx, p.Call, 50)
	if err != nil {
		return err
	}
	pages := []struct{ name, path string }{{"home", "/"}, {"a session of 50 messages", "/sessions/" + session}}
	if *keep {
		fmt.Println("sign in:", p.Link)
		for _, page := range pages {
			fmt.Println(page.name+":", p.URL+page.path)
		}
		<-ctx.Done()
		return nil
	}
	cookies, err := signIn(ctx, p.Link)
	if err != nil {
		return err
	}
	var missed []string
	for _, page := range pages {
		loads := make([]load, 0, *rounds)
		for range *rounds {
			l, err := measure(ctx, p.URL+page.path, cookies)
			if err != nil {
				return fmt.Errorf("%s: %w", page.name, err)
			}
			loads = append(loads, l)
		}
		m := medians(loads)
		fmt.Printf("%s: %s\n", page.name, m)
		for _, what := range m.misses() {
			missed = append(missed, page.name+": "+what)
		}
	}
	if len(missed) > 0 {
		return errors.New("out of bounds: " + strings.Join(missed, "; "))
	}
	return nil
}

// medians takes the median of each figure by itself.
func medians(loads []load) load {
	return load{
		paint: median(loads, func(l load) time.Duration { return l.paint }),
		typed: median(loads, func(l load) time.Duration { return l.typed }),
		early: median(loads, func(l load) int { return l.early }),
		bytes: median(loads, func(l load) int { return l.bytes }),
		asked: median(loads, func(l load) int { return l.asked }),
	}
}

func median[T int | time.Duration](loads []load, of func(load) T) T {
	values := make([]T, len(loads))
	for i, l := range loads {
		values[i] = of(l)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
