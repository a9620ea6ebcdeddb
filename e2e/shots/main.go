// Command shots takes the pictures of the documentation: it starts the
// program on a data folder of its own, talks to the demo agent, and
// photographs the pages in Chromium, in both themes and languages, wide and
// narrow.
//
//	make build && go run ./e2e/shots -out docs/pictures
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/google/uuid"
)

var (
	binary   = flag.String("binary", "bin/webshell", "the program")
	browser  = flag.String("chromium", "chromium", "the browser")
	out      = flag.String("out", "docs/pictures", "folder for the pictures")
	every    = flag.Bool("all", false, "every page in both themes and languages, wide and narrow")
	fullPage = flag.Bool("full", false, "whole pages instead of what a window shows")
)

func main() {
	flag.Parse()
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	s, err := start()
	if err != nil {
		return err
	}
	defer s.stop()
	pages, err := s.talk()
	if err != nil {
		return err
	}
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), chromedp.ExecPath(*browser), chromedp.Headless, chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.UserDataDir(filepath.Join(s.dir, "browser")), chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate(s.link), chromedp.Click(chromedp.CSS(`form[action$="/login"] button`)),
		chromedp.WaitVisible(chromedp.CSS("textarea"))); err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	pages = append(pages, page{"home", "/"}, page{"login", "/login"}, page{"missing", "/nothing/here"})
	for _, p := range pages {
		for _, l := range looks() {
			if !*every && p.name != "session" {
				continue
			}
			if err := shoot(ctx, s.url+p.path, p.name+"-"+l.String(), l); err != nil {
				return fmt.Errorf("%s %s: %w", p.name, l, err)
			}
		}
	}
	return nil
}

type page struct{ name, path string }

// look is how a page is looked at.
type look struct {
	scheme, lang  string
	width, height int64
}

func (l look) String() string { return fmt.Sprintf("%s-%s-%d", l.scheme, l.lang, l.width) }

func looks() []look {
	if !*every {
		return []look{{"light", "en", 1280, 860}, {"dark", "en", 1280, 860}}
	}
	var all []look
	for _, scheme := range []string{"light", "dark"} {
		for _, lang := range []string{"en", "zh-CN"} {
			all = append(all, look{scheme, lang, 1280, 860}, look{scheme, lang, 320, 640})
		}
	}
	return all
}

func shoot(ctx context.Context, url, name string, l look) error {
	media := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.scheme}}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: media}); err != nil {
		return err
	}
	headers := network.Headers{"Accept-Language": l.lang}
	if _, err := chromedp.Call(ctx, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: headers}); err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(l.width, l.height), chromedp.Navigate(url)); err != nil {
		return err
	}
	picture := chromedp.CaptureScreenshot()
	if *fullPage {
		picture = chromedp.FullScreenshot(100)
	}
	png, err := chromedp.Run(ctx, picture)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(*out, name+".png"), png, 0o644)
}

// server is the program under the camera.
type server struct {
	dir, url, link, token string
	cmd                   *exec.Cmd
}

func start() (*server, error) {
	dir, err := os.MkdirTemp("", "webshell-shots-")
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, err
	}
	s := &server{dir: dir}
	env := append(os.Environ(), "WEBSHELL_DATA="+dir, "WEBSHELL_ADDR=127.0.0.1:0", "WEBSHELL_CONFIG="+os.DevNull, "DATABASE_URL=")
	s.cmd = exec.Command(*binary)
	s.cmd.Env = env
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
	token := exec.Command(*binary, "token", "create", "shots")
	token.Env = env
	printed, err := token.Output()
	s.token = strings.TrimSpace(string(printed))
	return s, err
}

func (s *server) stop() {
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		log.Print(err)
	}
	if err := s.cmd.Wait(); err != nil {
		log.Print(err)
	}
	os.RemoveAll(s.dir)
}

// talk has the conversations of the pictures.
func (s *server) talk() ([]page, error) {
	const hello = "compare @Makefile the way I typed it with @src/Makefile and check the rows of @dataset:users"
	chips := json.RawMessage(`[{"id":"f","kind":"file","value":"src/Makefile","serialized":"@src/Makefile","start":42,"end":55},
		{"id":"d","kind":"dataset","label":"Dataset","value":"users","serialized":"@dataset:users","start":78,"end":92}]`)
	var pages []page
	for _, c := range []struct {
		name string
		wait bool
		said []any
	}{
		{"empty", true, nil},
		{"markdown", true, []any{"/markdown"}},
		{"rtl", true, []any{"اقرأ الملف @src/Makefile ثم اشرح ما يفعله السطر الأول"}},
		{"context", true, []any{"/context"}},
		{"failed", true, []any{"/fail"}},
		{"tool", true, []any{"/tool", "/think"}},
		{"long", true, []any{strings.Repeat("A long paste stays real text, and its bubble folds. ", 80)}},
		{"asks", false, []any{"/ask"}},
		{"running", false, []any{"/slow 600", "then write the release notes", "and check the links"}},
		{"session", true, []any{map[string]any{"text": hello, "tags": chips}, "/context", "/tool", "/markdown"}},
	} {
		var id string
		if len(c.said) == 0 {
			var info struct{ ID string }
			if err := s.post("/sessions", map[string]any{}, &info); err != nil {
				return nil, err
			}
			id = info.ID
		}
		for _, said := range c.said {
			fields, ok := said.(map[string]any)
			if !ok {
				fields = map[string]any{"text": said}
			}
			fields["requestId"] = uuid.NewString()
			path := "/sessions"
			if id != "" {
				path += "/" + id + "/messages"
			}
			var r struct{ SessionID string }
			if err := s.post(path, fields, &r); err != nil {
				return nil, err
			}
			id = r.SessionID
			if c.wait {
				if err := s.settle(id); err != nil {
					return nil, err
				}
			}
		}
		pages = append(pages, page{c.name, "/sessions/" + id})
		if c.name == "running" {
			pages = append(pages, page{"watch", "/sessions/" + id + "?watch"})
		}
	}
	<-time.After(2 * time.Second) // let the running turns say something
	return pages, nil
}

// settle waits until no turn runs.
func (s *server) settle(id string) error {
	for range 600 {
		var info struct{ Running bool }
		if err := s.do("GET", "/sessions/"+id, nil, &info); err != nil {
			return err
		}
		if !info.Running {
			return nil
		}
		<-time.After(50 * time.Millisecond)
	}
	return fmt.Errorf("session %s does not settle", id)
}

func (s *server) post(path string, in, out any) error { return s.do("POST", path, in, out) }

func (s *server) do(method, path string, in, out any) error {
	raw, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequest(method, s.url+path, bytes.NewReader(raw))
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
	return json.Unmarshal(body, out)
}
