package stage

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Program is the program on a data folder and a workspace of its own. Its Set
// is kept up to date.
type Program struct {
	Set
	Dir   string // removed with it
	path  string
	token string
	cmd   *exec.Cmd
}

// Start starts the program at path.
func Start(path string) (*Program, error) {
	dir, err := os.MkdirTemp("", "webshell-stage-")
	if err != nil {
		return nil, err
	}
	p := &Program{Dir: dir, path: path}
	if err := os.Chmod(dir, 0o755); err != nil { // Postgres runs as another user under root
		return nil, err
	}
	if err := Workspace(filepath.Join(dir, "ledger")); err != nil {
		return nil, err
	}
	if err := p.serve(); err != nil {
		return nil, err
	}
	token, err := p.Command("token", "create", "stage").Output()
	p.token = strings.TrimSpace(string(token))
	return p, err
}

// Command is a subcommand on the same data, to be run.
func (p *Program) Command(args ...string) *exec.Cmd {
	cmd := exec.Command(p.path, args...)
	cmd.Env = append(os.Environ(), "WEBSHELL_DATA="+p.Dir, "WEBSHELL_ADDR=127.0.0.1:0", "WEBSHELL_CONFIG="+os.DevNull,
		"WEBSHELL_WORKSPACE="+filepath.Join(p.Dir, "ledger"), "DATABASE_URL=")
	return cmd
}

func (p *Program) serve() error {
	p.cmd = p.Command("serve")
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return err
	}
	p.Link = strings.TrimSpace(strings.TrimPrefix(line, "Sign in: "))
	p.URL, _, _ = strings.Cut(p.Link, "/login?")
	return nil
}

// Talk has the conversations that come to rest. The program is killed in between, so that a turn
// is interrupted.
func (p *Program) Talk(ctx context.Context) error {
	interrupted, err := Begin(ctx, p.Call)
	if err != nil {
		return err
	}
	if err := p.cmd.Process.Kill(); err != nil {
		return err
	}
	_ = p.cmd.Wait() // it says that it was killed
	if err := p.serve(); err != nil {
		return err
	}
	if p.Talks, err = Talk(ctx, p.Call); err != nil {
		return err
	}
	p.Talks["interrupted"] = interrupted
	return nil
}

// Stop ends the program and removes what it wrote.
func (p *Program) Stop() error {
	return errors.Join(p.cmd.Process.Signal(os.Interrupt), p.cmd.Wait(), os.RemoveAll(p.Dir))
}

// Call is an API.
func (p *Program) Call(ctx context.Context, method, path string, in, out any) error {
	raw, err := json.Marshal(in)
	if err != nil {
		return err
	}
	body, err := p.request(ctx, method, path, "application/json", bytes.NewReader(raw))
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(body, out)
}

// Page is the HTML at path.
func (p *Program) Page(ctx context.Context, path string) ([]byte, error) {
	return p.request(ctx, http.MethodGet, path, "text/html", http.NoBody)
}

func (p *Program) request(ctx context.Context, method, path, accept string, body io.Reader) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, p.URL+path, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+p.token)
	req.Header.Set("Accept", accept)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s %s", method, path, res.Status, answer)
	}
	return answer, err
}
