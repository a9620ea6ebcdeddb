package markdown

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"
)

// newPolicy builds the allow-list: exactly what the writer can produce, see the
// package comment. URLs are judged by a pattern on the decoded attribute and not
// by bluemonday's own parsing, which rewrites queries ("?a;b" becomes "?a&b").
var newPolicy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.RequireParseableURLs(false)
	one := func(values ...string) *regexp.Regexp {
		for i, v := range values {
			values[i] = regexp.QuoteMeta(v)
		}
		return regexp.MustCompile(`^(?:` + strings.Join(values, "|") + `)$`)
	}
	p.AllowElements("p", "h2", "h3", "h4", "h5", "h6", "hr", "br", "blockquote",
		"ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "code", "em", "strong", "del")
	p.AllowAttrs("dir").Matching(one("auto")).OnElements(
		"p", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "table", "pre")
	p.AllowAttrs("start").Matching(regexp.MustCompile(`^[0-9]{1,9}$`)).OnElements("ol")
	p.AllowAttrs("align").Matching(one("left", "center", "right")).OnElements("th", "td")

	p.AllowAttrs("class").Matching(one("code", "table-scroll")).OnElements("div")
	p.AllowAttrs("tabindex").Matching(one("0")).OnElements("div", "pre")
	p.AllowAttrs("data-lang").Matching(languageName).OnElements("div")
	p.AllowAttrs("class").Matching(one("chroma", "plain")).OnElements("pre")
	p.AllowAttrs("dir").Matching(one("ltr")).OnElements("pre")
	p.AllowAttrs("class").Matching(one(append(tokenClasses(), "md-link", "md-image")...)).OnElements("span")

	// After entities are decoded: one of three schemes, a host where the scheme
	// needs one, and nothing that a browser drops or mends while it reads a URL.
	// Letters are spelled in both cases: (?i) would take "ſ" for an s.
	const forbidden = "\\x00-\\x20\"'<>\\\\`{|}^\\x7f-\\x{10ffff}"
	p.AllowAttrs("href").Matching(regexp.MustCompile(
		"^(?:[hH][tT][tT][pP][sS]?://[^/?#" + forbidden + "]|[mM][aA][iI][lL][tT][oO]:)[^" + forbidden + "]*$")).OnElements("a")
	p.AllowAttrs("rel").Matching(one("noopener noreferrer nofollow")).OnElements("a")
	p.AllowAttrs("target").Matching(one("_blank")).OnElements("a")
	p.AllowAttrs("class").Matching(one("md-image")).OnElements("a")
	p.AllowAttrs("title").OnElements("a", "span")

	p.AllowNoAttrs().OnElements("label")
	p.AllowAttrs("type").Matching(one("checkbox")).OnElements("input")
	p.AllowAttrs("disabled", "checked").Matching(one("")).OnElements("input")
	return p
})

// sanitize passes HTML through the allow-list.
func sanitize(html []byte) string {
	var out strings.Builder
	out.Grow(len(html) + len(html)/16)
	if err := newPolicy().SanitizeReaderToWriter(bytes.NewReader(html), &out); err != nil {
		return plain(html)
	}
	return out.String()
}
