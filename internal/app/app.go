// Package app is the program: its subcommands, and the wiring of a server.
package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"webshell/internal/config"
	"webshell/web/templates"
)

// Options holds where output goes, and the hooks of a Go host.
type Options struct {
	Stdout io.Writer // results only; nil is the process' own
	Stderr io.Writer // the log; nil is the process' own

	// RenderUserMessageContent takes over the rendering of a user message's
	// content. It may return nil to leave a message to the default. What it
	// returns is written as it is: it must escape what it shows.
	RenderUserMessageContent func(context.Context, templates.UserMessage) templ.Component
	// Icons adds to the built-in icons: kind → name of a built-in one, or a
	// data:image/… URL of at most 32 KiB. They win over the configuration's.
	Icons map[string]string
}

// program is one run of a subcommand.
type program struct {
	Options
	config config.Config
	log    *slog.Logger
}

// command is a subcommand; each noun has a file of its own.
type command struct {
	name  string // one or two words
	args  string
	about string
	run   func(p *program, ctx context.Context, args []string) error
}

func commands() []command {
	return []command{
		{"serve", "", "serve the web interface (the default)", (*program).serve},
		{"migrate", "", "bring the database to this version's schema", (*program).migrate},
		{"login-link", "", "print a link that signs in once", (*program).loginLink},
		{"token create", "NAME", "print a new API token", (*program).createToken},
		{"token list", "", "list the API tokens in use", (*program).listTokens},
		{"token revoke", "NAME", "end an API token", (*program).revokeToken},
		{"import", "FILE", "make a session of an exported log, and print its id", (*program).importLog},
		{"export", "SESSION", "print a session's log", (*program).exportLog},
		{"healthcheck", "", "ask the server on this machine whether it is ready", (*program).healthcheck},
		{"version", "", "print the version", (*program).version},
	}
}

// Run runs one subcommand.
func Run(ctx context.Context, args, env []string, o Options) error {
	if o.Stdout == nil {
		o.Stdout = os.Stdout
	}
	if o.Stderr == nil {
		o.Stderr = os.Stderr
	}
	if len(args) == 0 {
		args = []string{"serve"}
	}
	if args[0] == "help" || slices.ContainsFunc(args, isHelp) {
		_, err := io.WriteString(o.Stdout, usage())
		return err
	}
	if args[0] == "--version" {
		args = []string{"version"}
	}
	c, rest, err := find(args)
	if err != nil {
		return err
	}
	if want := len(strings.Fields(c.args)); len(rest) != want {
		return fmt.Errorf("want: %s", strings.TrimSpace("webshell "+c.name+" "+c.args))
	}
	p := &program{Options: o, log: slog.New(slog.NewTextHandler(o.Stderr, nil))}
	if c.name != "version" {
		if p.config, err = config.Load(env); err != nil {
			return err
		}
	}
	return c.run(p, ctx, rest)
}

func isHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

func find(args []string) (command, []string, error) {
	for _, c := range commands() {
		words := strings.Fields(c.name)
		if len(args) >= len(words) && slices.Equal(args[:len(words)], words) {
			return c, args[len(words):], nil
		}
	}
	return command{}, nil, fmt.Errorf("there is no command %q\n\n%s", strings.Join(args, " "), usage())
}

func usage() string {
	var b strings.Builder
	b.WriteString("usage: webshell [command]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-20s %s\n", strings.TrimSpace(c.name+" "+c.args), c.about)
	}
	b.WriteString("\nSettings come from the environment and webshell.yaml; see docs/configuration.md.\n")
	return b.String()
}
