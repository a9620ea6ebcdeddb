package markdown

import (
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// allowed lists, independently of the policy, the elements that may appear and
// the attributes each may have.
var allowed = map[string]map[string]*regexp.Regexp{
	"p": {"dir": re(`auto`)}, "label": {}, "h2": {"dir": re(`auto`)},
	"h3": {"dir": re(`auto`)}, "h4": {"dir": re(`auto`)}, "h5": {"dir": re(`auto`)},
	"h6": {"dir": re(`auto`)}, "hr": {}, "br": {}, "em": {}, "strong": {}, "del": {},
	"code": {}, "li": {}, "ul": {"dir": re(`auto`)},
	"ol":         {"dir": re(`auto`), "start": re(`[0-9]{1,9}`)},
	"blockquote": {"dir": re(`auto`)},
	"table":      {"dir": re(`auto`)}, "thead": {}, "tbody": {}, "tr": {},
	"th":    {"align": re(`left|center|right`)},
	"td":    {"align": re(`left|center|right`)},
	"div":   {"class": re(`code|table-scroll`), "data-lang": re(`[a-zA-Z0-9+#._-]{1,32}`), "tabindex": re(`0`)},
	"pre":   {"class": re(`chroma|plain`), "dir": re(`ltr|auto`), "tabindex": re(`0`)},
	"span":  {"class": re(`[a-z][a-z0-9]{0,2}|md-link|md-image`), "title": re(`(?s).*`)},
	"input": {"type": re(`checkbox`), "disabled": re(``), "checked": re(``)},
	"a": {"href": re(`(?s).*`), "rel": re(`noopener noreferrer nofollow`), "target": re(`_blank`),
		"class": re(`md-image`), "title": re(`(?s).*`)},
}

func re(s string) *regexp.Regexp { return regexp.MustCompile(`^(?:` + s + `)$`) }

// unsafe returns what is wrong with a fragment of HTML, or nil. It reads the
// fragment twice: token by token, where every start tag has to have its end tag
// in order, and as a browser's parser would.
func unsafe(fragment string) error {
	if err := unsafeTokens(fragment); err != nil {
		return err
	}
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(fragment), body)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		if err := unsafeNode(n, false); err != nil {
			return err
		}
	}
	return nil
}

func unsafeTokens(fragment string) error {
	void := []string{"br", "hr", "input"}
	var open []string
	z := html.NewTokenizer(strings.NewReader(fragment))
	for {
		switch z.Next() {
		case html.ErrorToken:
			if z.Err() != io.EOF {
				return z.Err()
			}
			if len(open) > 0 {
				return fmt.Errorf("unclosed %v", open)
			}
			return nil
		case html.StartTagToken:
			t := z.Token()
			if err := unsafeElement(t.Data, t.Attr); err != nil {
				return err
			}
			if !slices.Contains(void, t.Data) {
				open = append(open, t.Data)
			}
		case html.EndTagToken:
			t := z.Token()
			if len(open) == 0 || open[len(open)-1] != t.Data {
				return fmt.Errorf("end tag %s with %v open", t.Data, open)
			}
			open = open[:len(open)-1]
		case html.TextToken:
			if s := string(z.Raw()); strings.ContainsAny(s, "<\x00") {
				return fmt.Errorf("raw text %q", s)
			}
		default:
			return fmt.Errorf("token %q", z.Raw())
		}
	}
}

func unsafeNode(n *html.Node, inLink bool) error {
	if n.Type != html.ElementNode && n.Type != html.TextNode {
		return fmt.Errorf("node of type %d: %q", n.Type, n.Data)
	}
	if n.Type == html.ElementNode {
		if err := unsafeElement(n.Data, n.Attr); err != nil {
			return err
		}
		if n.Data == "a" {
			if inLink {
				return fmt.Errorf("link in a link")
			}
			inLink = true
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if err := unsafeNode(c, inLink); err != nil {
			return err
		}
	}
	return nil
}

func unsafeElement(name string, attrs []html.Attribute) error {
	rules, ok := allowed[name]
	if !ok {
		return fmt.Errorf("element %q", name)
	}
	for _, a := range attrs {
		if r := rules[a.Key]; r == nil || !r.MatchString(a.Val) {
			return fmt.Errorf("attribute %s=%q on %s", a.Key, a.Val, name)
		}
	}
	if name == "a" {
		return unsafeLink(attrs)
	}
	return nil
}

// unsafeLink reads href as browsers do: they drop tabs and line ends anywhere
// and control characters and spaces around it, and ignore case.
func unsafeLink(attrs []html.Attribute) error {
	values := map[string]string{}
	for _, a := range attrs {
		values[a.Key] = a.Val
	}
	for _, key := range []string{"href", "rel", "target"} {
		if values[key] == "" {
			return fmt.Errorf("link without %s: %v", key, attrs)
		}
	}
	href := strings.Trim(values["href"], "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\v\f\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f ")
	href = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(href)
	if href != values["href"] || strings.Contains(href, `\`) {
		return fmt.Errorf("href %q would be changed by a browser", values["href"])
	}
	u, err := url.Parse(href)
	if err != nil {
		return err
	}
	switch u.Scheme {
	case "http", "https":
		if u.Host == "" || !strings.Contains(strings.ToLower(href), u.Scheme+"://") {
			return fmt.Errorf("href %q has no host", href)
		}
	case "mailto":
	default:
		return fmt.Errorf("href %q", href)
	}
	return nil
}

func checkSafe(t testing.TB, fragment string) {
	t.Helper()
	if err := unsafe(fragment); err != nil {
		t.Fatalf("unsafe: %v\n%.2000s", err, fragment)
	}
}
