package locales

import (
	"strconv"
	"time"
)

// Clock gives a moment as short as it can be told apart from now: the time of
// day, the day with it when it was another day, the year when it was another
// year. Both are taken in now's time zone.
func (p *Printer) Clock(t, now time.Time) string {
	t = t.In(now.Location())
	key := "layout.clock"
	switch {
	case t.Year() != now.Year():
		key = "layout.year"
	case t.YearDay() != now.YearDay():
		key = "layout.day"
	}
	return t.Format(p.T(key))
}

// Elapsed gives a duration in words: tenths of a second under ten seconds,
// whole seconds under a minute, then minutes, then hours.
func (p *Printer) Elapsed(d time.Duration) string {
	d = max(d, 0)
	seconds := int(d / time.Second)
	switch {
	case d < 10*time.Second:
		return p.T("elapsed.seconds", strconv.FormatFloat(float64(d/(100*time.Millisecond))/10, 'f', 1, 64))
	case d < time.Minute:
		return p.T("elapsed.seconds", strconv.Itoa(seconds))
	case d < time.Hour:
		return p.T("elapsed.minutes", seconds/60, seconds%60)
	}
	return p.T("elapsed.hours", seconds/3600, seconds/60%60)
}
