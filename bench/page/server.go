package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// server is the program on a data folder of its own.
type server struct {
	dir, url, link, token string
	cmd                   *exec.Cmd
}

func start() (*server, error) {
	dir, err := os.MkdirTemp("", "webshell-bench-")
	if err != nil {
		return nil, err
	}
	s := &server{dir: dir}
	if err := os.Chmod(dir, 0o755); err != nil { // Postgres runs as another user under root
		return nil, err
	}
	s.cmd = s.command("serve")
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return nil, err
	}
	s.link = strings.TrimSpace(strings.TrimPrefix(line, "Sign in: "))
	s.url, _, _ = strings.Cut(s.link, "/login?")
	token, err := s.command("token", "create", "bench").Output()
	s.token = strings.TrimSpace(string(token))
	return s, err
}

func (s *server) command(args ...string) *exec.Cmd {
	cmd := exec.Command(*binary, args...)
	cmd.Env = append(os.Environ(), "WEBSHELL_DATA="+s.dir, "WEBSHELL_ADDR=127.0.0.1:0", "WEBSHELL_CONFIG="+os.DevNull, "DATABASE_URL=")
	return cmd
}

func (s *server) stop() {
	if err := s.cmd.Process.Signal(os.Interrupt); err == nil {
		_ = s.cmd.Wait()
	}
	os.RemoveAll(s.dir)
}

// call sends in as JSON and decodes the answer into out; either may be nil.
func (s *server) call(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(raw)
	}
	raw, err := s.request(ctx, method, path, "application/json", body)
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(raw, out)
}

func (s *server) request(ctx context.Context, method, path, accept string, body io.Reader) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Header.Set("Accept", accept)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= 400 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, res.Status, raw)
	}
	return raw, err
}

// page is how long the server takes for a session's page.
func (s *server) page(ctx context.Context, session string) (time.Duration, error) {
	began := time.Now()
	_, err := s.request(ctx, "GET", "/sessions/"+session, "text/html", nil)
	return time.Since(began), err
}

func (s *server) say(ctx context.Context, session, text string) error {
	return s.call(ctx, "POST", "/sessions/"+session+"/messages", map[string]any{"requestId": uuid.NewString(), "text": text}, nil)
}

// logTurns writes so many turns into a session's log: a message with a chip, and
// an answer with a list and code.
const logTurns = `
insert into events (session_id, seq, kind, source, rpc_id, content, annotations, body)
select $1, t * 4 + e.n, e.kind,
	case when e.n = 1 then jsonb_build_object('kind', 'user', 'rpcId', ids.rpc) end,
	case when e.n = 1 then ids.rpc end,
	case e.n when 1 then '@Makefile question ' || t || ' ' || repeat('and why is that so? ', t % 7)
		when 3 then 'Answer ' || t || E'. ' || repeat('It goes on for a while. ', 5 + t % 20) || E'\n\n- one\n- two\n\n' || $3 || E'\n\nThat is all.' end,
	case when e.n = 1 then '[{"type":"reference","start":0,"end":9,"text":"@Makefile","reference":{"id":"f","kind":"file","value":"Makefile","serialized":"@Makefile"}}]'::jsonb end,
	case e.n when 1 then '{}'::jsonb
		when 2 then jsonb_build_object('turn', ids.turn, 'message', t * 4 + 1, 'agent', 'demo', 'attempt', 1)
		when 3 then jsonb_build_object('turn', ids.turn, 'block', 0)
		else jsonb_build_object('turn', ids.turn, 'outcome', 'completed') end
from generate_series(0, $2::int - 1) t,
	lateral (select gen_random_uuid() rpc, gen_random_uuid() turn where t is not null) ids,
	(values (1, 'user/message'), (2, 'turn/started'), (3, 'assistant/message'), (4, 'turn/ended')) e (n, kind)`

const code = "```go\nfunc main() {\n\tfor i := range 10 {\n\t\tfmt.Println(i, \"times\")\n\t}\n}\n```"

// seed makes a session that has had so many turns.
func (s *server) seed(ctx context.Context, turns int) (session string, err error) {
	var made struct{ ID string }
	if err := s.call(ctx, "POST", "/sessions", map[string]any{}, &made); err != nil {
		return "", err
	}
	query := url.Values{"host": {filepath.Join(s.dir, "postgres", "run")}, "user": {"webshell"}, "dbname": {"webshell"}}
	db, err := pgx.Connect(ctx, "postgres://?"+query.Encode())
	if err != nil {
		return "", err
	}
	defer db.Close(ctx)
	if _, err := db.Exec(ctx, logTurns, made.ID, turns, code); err != nil {
		return "", err
	}
	_, err = db.Exec(ctx, `update sessions set last_seq = $2 where id = $1`, made.ID, turns*4)
	return made.ID, err
}
