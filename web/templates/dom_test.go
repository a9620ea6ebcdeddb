package templates

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func parse(t testing.TB, source string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(source))
	if err != nil {
		t.Fatalf("parse: %v", err)
	}
	return doc
}

// elements are the elements of a tree for which keep holds, in document order.
func elements(root *html.Node, keep func(*html.Node) bool) []*html.Node {
	var found []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && keep(n) {
			found = append(found, n)
		}
	}
	return found
}

func named(tag string) func(*html.Node) bool {
	return func(n *html.Node) bool { return n.Data == tag }
}

func withClass(class string) func(*html.Node) bool {
	return func(n *html.Node) bool {
		value, _ := attribute(n, "class")
		for _, c := range strings.Fields(value) {
			if c == class {
				return true
			}
		}
		return false
	}
}

func withAttribute(name string) func(*html.Node) bool {
	return func(n *html.Node) bool {
		_, ok := attribute(n, name)
		return ok
	}
}

func withID(id string) func(*html.Node) bool {
	return func(n *html.Node) bool { got, _ := attribute(n, "id"); return got == id }
}

func attribute(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// only is the one element for which keep holds.
func only(t testing.TB, root *html.Node, keep func(*html.Node) bool) *html.Node {
	t.Helper()
	found := elements(root, keep)
	if len(found) != 1 {
		t.Fatalf("found %d elements, want 1", len(found))
	}
	return found[0]
}

// textContent is the DOM's textContent of n.
func textContent(n *html.Node) string {
	var out strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			out.WriteString(d.Data)
		}
	}
	return out.String()
}

// insideTemplate tells content that a browser keeps out of the document.
func insideTemplate(n *html.Node) bool {
	for a := range n.Ancestors() {
		if a.Type == html.ElementNode && a.Data == "template" {
			return true
		}
	}
	return false
}
