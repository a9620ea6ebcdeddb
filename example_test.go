package webshell_test

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
	"strings"

	"github.com/a-h/templ"

	"webshell"
)

// A Go host runs the server with hooks of its own: it draws messages that
// begin with "!!" itself, and gives the kind "ticket" a built-in icon.
func ExampleRun() {
	options := webshell.Options{
		Icons: map[string]string{"ticket": "extension"},
		RenderUserMessageContent: func(_ context.Context, m webshell.UserMessage) templ.Component {
			urgent, ok := strings.CutPrefix(m.Content, "!!")
			if !ok {
				return nil // the default
			}
			return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
				_, err := io.WriteString(w, "<strong>"+templ.EscapeString(urgent)+"</strong>")
				return err
			})
		},
	}
	host := startHost(options)
	defer host.stop()
	fmt.Println(host.page("!! ship it <now>", `<strong> ship it &lt;now&gt;</strong>`))
	fmt.Println(host.page("as usual", `as usual`))
	// Output:
	// <strong> ship it &lt;now&gt;</strong>
	// as usual
}

// exampleHost is the server that the example runs.
type exampleHost struct {
	url, token string
	stop       func()
}

func startHost(options webshell.Options) exampleHost {
	dir, err := os.MkdirTemp("", "webshell-example-")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		log.Fatal(err)
	}
	env := append(os.Environ(), "WEBSHELL_DATA="+dir, "WEBSHELL_ADDR=127.0.0.1:0", "WEBSHELL_CONFIG="+os.DevNull, "DATABASE_URL=")
	printed, out := io.Pipe()
	options.Stdout, options.Stderr = out, io.Discard
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		err := webshell.Run(ctx, []string{"serve"}, env, options)
		out.CloseWithError(fmt.Errorf("the server ended: %w", err))
		ended <- err
	}()
	line, err := bufio.NewReader(printed).ReadString('\n')
	if err != nil {
		log.Fatal(err)
	}
	var token bytes.Buffer
	if err := webshell.Run(ctx, []string{"token", "create", "example"}, env, webshell.Options{Stdout: &token}); err != nil {
		log.Fatal(err)
	}
	url, _, _ := strings.Cut(strings.TrimPrefix(line, "Sign in: "), "/login")
	return exampleHost{url, strings.TrimSpace(token.String()), func() {
		cancel()
		if err := <-ended; err != nil {
			log.Print(err)
		}
		os.RemoveAll(dir)
	}}
}

// page sends a message and returns want if the session's page has it, else the
// page.
func (h exampleHost) page(text, want string) string {
	id := "00000000-0000-4000-8000-" + fmt.Sprintf("%012d", len(text))
	body, err := json.Marshal(map[string]string{"requestId": id, "text": text})
	if err != nil {
		log.Fatal(err)
	}
	var opened struct{ SessionID string }
	if err := json.Unmarshal(h.do("POST", "/sessions", body), &opened); err != nil {
		log.Fatal(err)
	}
	page := string(h.do("GET", "/sessions/"+opened.SessionID, nil))
	if strings.Contains(page, `dir="auto">`+want+`</div>`) {
		return want
	}
	return page
}

func (h exampleHost) do(method, path string, body []byte) []byte {
	req, err := http.NewRequest(method, h.url+path, bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+h.token)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		log.Fatal(err)
	}
	return answer
}
