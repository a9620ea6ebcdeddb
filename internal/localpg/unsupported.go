//go:build !linux && !darwin

package localpg

import "context"

// Server is a supervised Postgres; there is none on this system.
type Server struct{}

// Start returns [ErrUnsupported] on this system.
func Start(context.Context, Options) (*Server, error) { return nil, ErrUnsupported }

// Attach returns [ErrUnsupported] on this system.
func Attach(context.Context, Options) (string, func(), error) { return "", nil, ErrUnsupported }

// URL is empty on this system.
func (*Server) URL() string { return "" }

// Stop returns [ErrUnsupported] on this system.
func (*Server) Stop(context.Context) error { return ErrUnsupported }

// Done is nil on this system.
func (*Server) Done() <-chan struct{} { return nil }

// Err returns [ErrUnsupported] on this system.
func (*Server) Err() error { return ErrUnsupported }
