package main

import (
	"fmt"
	"time"
)

// load is what one load of a page took.
type load struct {
	paint time.Duration // to the first contentful paint, from the start of the navigation
	typed time.Duration // to a typed character in the message box
	early int           // bytes of the page and its style sheet, headers included, as they came
	bytes int           // bytes of everything
	asked int           // requests
}

func (l load) String() string {
	return fmt.Sprintf("first paint %v, first typed character %v, %.1f KB of page and style sheet, %.1f KB in all, %d requests",
		l.paint.Round(time.Millisecond), l.typed.Round(time.Millisecond), float64(l.early)/1000, float64(l.bytes)/1000, l.asked)
}

// misses names the figures that are out of bounds.
func (l load) misses() []string {
	var missed []string
	for name, missing := range map[string]bool{
		"first paint":             l.paint > maxPaint,
		"first typed character":   l.typed > maxTyped,
		"bytes before that paint": l.early > maxEarlyBytes,
		"bytes":                   l.bytes > maxBytes,
		"requests":                l.asked > maxRequests,
	} {
		if missing {
			missed = append(missed, name)
		}
	}
	return missed
}
