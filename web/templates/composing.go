package templates

import "strings"

func (c Composer) placeholder(v View) string {
	if c.Placeholder != "" {
		return c.Placeholder
	}
	return v.P.T("composer.placeholder")
}

// stopURL is where Stop posts. A session that has not begun has only the place
// for its id.
func (c Composer) stopURL(v View) string {
	if c.StopURL != "" {
		return c.StopURL
	}
	return v.URLs.ofAny(URLs.Stop)
}

// needsText tells a form that would be refused without text: tags alone make a
// message too.
func (c Composer) needsText() bool {
	tags := strings.TrimSpace(c.Tags)
	return tags == "" || tags == "[]" || tags == "null"
}

// hint is the key of what becomes of a message that is sent while a turn runs.
func (c Composer) hint() string {
	if c.Steers {
		return "composer.steers"
	}
	return "composer.queues"
}
