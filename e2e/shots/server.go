package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"webshell/e2e/stage"
)

// server is the program under the camera.
type server struct {
	dir, url, link, token string
	cmd                   *exec.Cmd
}

// start starts the program on a data folder and a workspace of its own.
func start() (*server, error) {
	dir, err := os.MkdirTemp("", "webshell-shots-")
	if err != nil {
		return nil, err
	}
	s := &server{dir: dir}
	if err := os.Chmod(dir, 0o755); err != nil { // Postgres runs as another user under root
		return nil, err
	}
	if err := stage.Workspace(filepath.Join(dir, "ledger")); err != nil {
		return nil, err
	}
	if err := s.serve(); err != nil {
		return nil, err
	}
	token, err := s.command("token", "create", "shots").Output()
	s.token = strings.TrimSpace(string(token))
	return s, err
}

func (s *server) command(args ...string) *exec.Cmd {
	cmd := exec.Command(*binary, args...)
	cmd.Env = append(os.Environ(), "WEBSHELL_DATA="+s.dir, "WEBSHELL_ADDR=127.0.0.1:0", "WEBSHELL_CONFIG="+os.DevNull,
		"WEBSHELL_WORKSPACE="+filepath.Join(s.dir, "ledger"), "DATABASE_URL=")
	return cmd
}

func (s *server) serve() error {
	s.cmd = s.command("serve")
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.cmd.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return err
	}
	s.link = strings.TrimSpace(strings.TrimPrefix(line, "Sign in: "))
	s.url, _, _ = strings.Cut(s.link, "/login?")
	return nil
}

// talk has the conversations. The program is killed in between, so that a turn
// is interrupted.
func (s *server) talk(ctx context.Context, set *stage.Set) error {
	interrupted, err := stage.Begin(ctx, s.call)
	if err != nil {
		return err
	}
	if err := s.cmd.Process.Kill(); err != nil {
		return err
	}
	_ = s.cmd.Wait() // it says that it was killed
	if err := s.serve(); err != nil {
		return err
	}
	set.URL, set.Link = s.url, s.link
	if set.Talks, err = stage.Talk(ctx, s.call); err != nil {
		return err
	}
	set.Talks["interrupted"] = interrupted
	return nil
}

func (s *server) remove() {
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		log.Print(err)
	}
	if err := s.cmd.Wait(); err != nil {
		log.Print(err)
	}
	os.RemoveAll(s.dir)
}

// call is a stage.API.
func (s *server) call(ctx context.Context, method, path string, in, out any) error {
	raw, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, bytes.NewReader(raw))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s %s", method, path, res.Status, body)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(body, out)
}
