package templates

import (
	"encoding/base64"
	"fmt"
	"html"
	"maps"
	"mime"
	"regexp"
	"slices"
	"strings"
)

// This file is the one place that maps the kind of a reference to its icon.
// Icons are never stored with a message: a kind is looked up when it is drawn.

// builtInIcons are the icons that come with the product, by name. The name of
// a built-in kind is also the name of its icon.
var builtInIcons = map[string]glyph{
	"file":      line(`<path d="M3.5 1.8h5.5l3.5 3.5v8.9h-9zM9 1.8v3.5h3.5"/>`),
	"extension": line(`<path d="M6 4.5V3a1.5 1.5 0 0 1 3 0v1.5h3.5V8H11a1.5 1.5 0 0 0 0 3h1.5v3h-10V4.5z"/>`),
	"mcp":       line(`<path d="M5.5 2v3.5M10.5 2v3.5M3.8 5.5h8.4v2.2a4.2 4.2 0 0 1-8.4 0zM8 12v2.5"/>`),
	"session":   line(`<path d="M2.5 3.5h11v8H8l-3 2.5V11.5H2.5z"/>`),
	"skill":     line(`<path d="M8 2l1.5 4.5L14 8 9.5 9.5 8 14 6.5 9.5 2 8l4.5-1.5z"/>`),
	"generic":   line(`<path d="M2.5 2.5h5.3l6 6-5.3 5.3-6-6zM5.3 5.3h.1"/>`),
}

// maxIconBytes bounds an image that a host gives for a kind, as written.
const maxIconBytes = 32 << 10

// kindPattern is the rule for a kind of reference.
var kindPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._:-]{0,63}$`)

// IconSet finds the icon of a reference's kind. Its zero value and nil know
// the built-in kinds.
type IconSet struct {
	extra map[string]glyph
}

// NewIconSet is the built-in set with a host's icons over it: a kind, and for
// it the name of a built-in icon (file, extension, mcp, session, skill,
// generic) or a data:image/… URL of at most 32 KiB, which is drawn by an image
// element and never becomes part of the page. The error names the kind that
// cannot be used and why.
func NewIconSet(extra map[string]string) (*IconSet, error) {
	set := &IconSet{extra: make(map[string]glyph, len(extra))}
	for kind, value := range extra {
		if !kindPattern.MatchString(kind) {
			return nil, fmt.Errorf("icons: %q is no kind: use a-z, 0-9, . _ : - and at most 64 characters", kind)
		}
		drawn, err := iconOf(value)
		if err != nil {
			return nil, fmt.Errorf("icons: %s: %w", kind, err)
		}
		set.extra[kind] = drawn
	}
	return set, nil
}

func iconOf(value string) (glyph, error) {
	if g, ok := builtInIcons[value]; ok {
		return g, nil
	}
	if !strings.HasPrefix(value, "data:") {
		return "", fmt.Errorf("neither a built-in icon's name nor a data:image/… URL")
	}
	if len(value) > maxIconBytes {
		return "", fmt.Errorf("the image has %d bytes, at most %d are allowed", len(value), maxIconBytes)
	}
	if err := checkImage(value); err != nil {
		return "", err
	}
	return glyph(`<img alt="" src="` + html.EscapeString(value) + `">`), nil
}

// checkImage reads a data URL (RFC 2397) far enough to know that it holds an
// image and is whole.
func checkImage(value string) error {
	head, data, ok := strings.Cut(strings.TrimPrefix(value, "data:"), ",")
	if !ok || data == "" {
		return fmt.Errorf("the data URL holds no data")
	}
	head, encoded := strings.CutSuffix(head, ";base64")
	// Only the type counts: parameters such as a bare "utf8" are common.
	kind, _, _ := strings.Cut(head, ";")
	kind, _, err := mime.ParseMediaType(kind)
	if err != nil || !strings.HasPrefix(kind, "image/") {
		return fmt.Errorf("the data URL is no image")
	}
	if encoded {
		if _, err := base64.StdEncoding.DecodeString(data); err != nil {
			return fmt.Errorf("the image is no base64: %w", err)
		}
	}
	return nil
}

// drawn is every icon for a script to take: an element for each kind that has
// one, and one with an empty kind for all others.
func (s *IconSet) drawn() drawn {
	kinds := map[string]bool{"": true}
	for kind := range builtInIcons {
		kinds[kind] = kind != "generic"
	}
	if s != nil {
		for kind := range s.extra {
			kinds[kind] = true
		}
	}
	var b strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		if kinds[kind] {
			b.WriteString(`<span data-kind="` + html.EscapeString(kind) + `">` + string(s.icon(kind)) + `</span>`)
		}
	}
	return drawn(b.String())
}

// icon is the drawing for a kind, the generic one where nothing is known of it.
func (s *IconSet) icon(kind string) glyph {
	if s != nil {
		if g, ok := s.extra[kind]; ok {
			return g
		}
	}
	if g, ok := builtInIcons[kind]; ok {
		return g
	}
	return builtInIcons["generic"]
}
