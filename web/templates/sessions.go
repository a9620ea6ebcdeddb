package templates

import "time"

// sessionGroup is a stretch of the list of sessions under one heading.
type sessionGroup struct {
	Key   string // of the locales
	Items []SessionItem
}

// groupSessions puts the sessions under Today, Yesterday and Earlier, by the
// calendar of now's time zone, in the order they came. What is newer than now
// (another clock) counts as today.
func groupSessions(items []SessionItem, now time.Time) []sessionGroup {
	groups := []sessionGroup{{Key: "nav.today"}, {Key: "nav.yesterday"}, {Key: "nav.earlier"}}
	year, month, day := now.Date()
	today := time.Date(year, month, day, 0, 0, 0, 0, now.Location())
	yesterday := time.Date(year, month, day-1, 0, 0, 0, 0, now.Location())
	for _, item := range items {
		i := 2
		switch {
		case !item.UpdatedAt.Before(today):
			i = 0
		case !item.UpdatedAt.Before(yesterday):
			i = 1
		}
		groups[i].Items = append(groups[i].Items, item)
	}
	filled := groups[:0]
	for _, g := range groups {
		if len(g.Items) > 0 {
			filled = append(filled, g)
		}
	}
	return filled
}

// state is the entry's data-state: a question to the person counts for more
// than the turn that waits for it.
func (i SessionItem) state() string {
	switch {
	case i.NeedsAnswer:
		return "asks"
	case i.Running:
		return "running"
	}
	return ""
}
