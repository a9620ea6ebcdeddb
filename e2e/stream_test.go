package e2e

import (
	"bufio"
	"strings"
	"testing"

	"github.com/google/uuid"
	"golang.org/x/net/html"
)

// streaming begins a long answer and returns when some of it was on screen,
// with that text.
func streaming(t *testing.T, c *client) (session, said string) {
	t.Helper()
	var opened struct{ SessionID string }
	c.must("POST", "/sessions", map[string]any{"requestId": uuid.NewString(), "text": "/slow 600"}, &opened)
	body, err := c.stream(t.Context(), opened.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, 1<<20)
	var data strings.Builder
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch {
		case field == "data":
			data.WriteString(value + "\n")
		case lines.Text() == "":
			if text := answerIn(t, data.String()); text != "" {
				return opened.SessionID, text
			}
			data.Reset()
		}
	}
	t.Fatalf("nothing was streamed: %v", lines.Err())
	return "", ""
}

// answerIn is the answer's text in a fragment.
func answerIn(t *testing.T, fragment string) string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(fragment))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data != "article" || attribute(n, "data-role") != "assistant" {
			continue
		}
		for d := range n.Descendants() {
			if d.Type == html.ElementNode && d.Data == "p" {
				for leaf := range d.Descendants() {
					if leaf.Type == html.TextNode {
						b.WriteString(leaf.Data)
					}
				}
			}
		}
	}
	return strings.TrimSpace(b.String())
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
