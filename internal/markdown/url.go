package markdown

import (
	"net/url"
	"strings"

	"github.com/yuin/goldmark/util"
)

// maxURL is the longest link target in bytes, after escaping.
const maxURL = 4096

// safeURL returns the target of a link as it goes into href (before HTML
// escaping), or "" where it must not be a link. What is left is absolute, has
// one of three schemes, a host where the scheme needs one, and only visible
// ASCII characters without quotes, angle brackets or backslashes. So a browser,
// which drops tabs and line feeds from a URL and takes a backslash for a slash,
// reads it as it was checked here. Relative targets are refused: they would lead
// into this application.
func safeURL(dest []byte) string {
	if len(dest) > maxURL {
		return ""
	}
	s := string(util.URLEscape(dest, true))
	if len(s) > maxURL || strings.IndexFunc(s, forbiddenInURL) >= 0 {
		return ""
	}
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok {
		return ""
	}
	switch strings.ToLower(scheme) {
	case "http", "https":
		if !strings.HasPrefix(rest, "//") {
			return ""
		}
		// https://bank.example@evil.example/ leads to the second host.
		if u, err := url.Parse(s); err != nil || u.Hostname() == "" || u.User != nil {
			return ""
		}
	case "mailto":
		if _, err := url.Parse(s); err != nil || rest == "" {
			return ""
		}
	default:
		return ""
	}
	return s
}

func forbiddenInURL(r rune) bool {
	return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"'<>\\`{|}^", r)
}
