package templates

import "strings"

func (c Composer) placeholder(v View) string {
	if c.Placeholder != "" {
		return c.Placeholder
	}
	return v.P.T("composer.placeholder")
}

// needsText tells a form that would be refused without text: tags alone make a
// message too.
func (c Composer) needsText() bool {
	tags := strings.TrimSpace(c.Tags)
	return tags == "" || tags == "[]" || tags == "null"
}
