// Package webshell is the server as a library: what cmd/webshell runs, for Go
// programs that want it with hooks of their own.
package webshell

import (
	"context"

	"webshell/internal/app"
	"webshell/web/templates"
)

// Options holds where output goes, and the hooks. The zero value is the
// command's own behaviour.
type Options = app.Options

// UserMessage is what the RenderUserMessageContent hook gets: the message's
// content and its annotations, UTF-16 ranges of content.
type UserMessage = templates.UserMessage

// Run runs one command of the program ("serve" without arguments) and returns
// when it is done or, for serve, when ctx ends. args are the arguments without
// the program's name, env the environment as KEY=value strings.
//
// An error is meant to be printed as it is.
func Run(ctx context.Context, args, env []string, o Options) error {
	return app.Run(ctx, args, env, o)
}
