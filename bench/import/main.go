// Command import measures how long "webshell import" takes for a log of 10,000
// events, beside a running server, and then the server's answer for the session's
// page: for a conversation, and for one turn of tool calls and their updates.
//
//	make build && go run ./bench/import
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"webshell/e2e/stage"
)

var (
	binary = flag.String("binary", "bin/webshell", "the program")
	events = flag.Int("events", 10_000, "events of a log")
	rounds = flag.Int("rounds", 5, "logs of each kind to import")
)

func main() {
	flag.Parse()
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) (err error) {
	p, err := stage.Start(*binary)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Stop()) }()
	for _, kind := range []struct {
		name  string
		lines func(round, n int) []string
	}{{"conversation", conversation}, {"one turn", oneTurn}} {
		if err := measure(ctx, p, kind.name, kind.lines); err != nil {
			return err
		}
	}
	return nil
}

// measure imports a log of its own in each round, and asks for its page.
func measure(ctx context.Context, p *stage.Program, name string, lines func(round, n int) []string) error {
	var imported, exported, opened []time.Duration
	var size int
	for round := range *rounds {
		file := filepath.Join(p.Dir, "log.jsonl")
		text := strings.Join(lines(round, *events), "\n")
		size = len(text)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
		var id []byte
		err := timed(&imported, func() (err error) {
			id, err = p.Command("import", file).Output()
			return err
		})
		if err != nil {
			return err
		}
		session := strings.TrimSpace(string(id))
		if err := timed(&exported, p.Command("export", session).Run); err != nil {
			return err
		}
		err = timed(&opened, func() error {
			_, err := p.Page(ctx, "/sessions/"+session)
			return err
		})
		if err != nil {
			return err
		}
	}
	fmt.Printf("%s, %d events, %d KiB: imported in %v, exported in %v, its page answered in %v (medians of %d; the slowest %v, %v, %v)\n",
		name, *events, size>>10, median(imported), median(exported), median(opened), *rounds,
		slices.Max(imported).Round(time.Millisecond), slices.Max(exported).Round(time.Millisecond), slices.Max(opened).Round(time.Millisecond))
	return nil
}

func timed(times *[]time.Duration, fn func() error) error {
	began := time.Now()
	err := fn()
	*times = append(*times, time.Since(began))
	return err
}

func median(times []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(times))[len(times)/2].Round(time.Millisecond)
}
