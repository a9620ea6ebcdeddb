package app

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// healthcheck asks the server that listens on WEBSHELL_ADDR whether it is
// ready: an image without a shell has nothing else to ask with.
func (p *program) healthcheck(ctx context.Context, _ []string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	url := p.config.ListenURL(p.config.Addr) + "/readyz"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	// Without a proxy: the server is on this machine, whatever address it has.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("the server does not answer: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("the server is not ready (%s)", res.Status)
	}
	return nil
}
