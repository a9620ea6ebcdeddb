// Command webshell is a self-hosted web chat for AI agents.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"webshell"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	if err := webshell.Run(ctx, os.Args[1:], os.Environ(), webshell.Options{}); err != nil {
		fmt.Fprintln(os.Stderr, "webshell:", err)
		os.Exit(1)
	}
}
