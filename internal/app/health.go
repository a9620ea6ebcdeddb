package app

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"
)

// healthcheck asks the server that listens on WEBSHELL_ADDR whether it is
// ready: an image without a shell has nothing else to ask with.
func (p *program) healthcheck(ctx context.Context, _ []string) error {
	_, port, err := net.SplitHostPort(p.config.Addr)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	url := "http://" + net.JoinHostPort("127.0.0.1", port) + p.config.BasePath + "/readyz"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("the server does not answer: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("the server is not ready (%s)", res.Status)
	}
	return nil
}
