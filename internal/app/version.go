package app

import (
	"context"
	"fmt"
	"runtime"
)

// Version is set by the linker where the build knows it.
var Version = "development"

func (p *program) version(context.Context, []string) error {
	_, err := fmt.Fprintf(p.Stdout, "webshell %s %s %s/%s\n", Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
