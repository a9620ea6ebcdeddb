package main

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// acceptance is one vulnerability that the check passes over until a day.
type acceptance struct {
	id     string
	until  time.Time
	reason string
}

var acceptanceLine = regexp.MustCompile(`^(GO-\d{4}-\d{4,}) (\d{4}-\d{2}-\d{2}) (\S.*)$`)

// parseAccepted reads accepted.txt. A line that is not of its form, and one
// whose day is over, are errors.
func parseAccepted(text string, now time.Time) ([]acceptance, error) {
	var all []acceptance
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m := acceptanceLine.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("accepted.txt:%d: want: GO-YEAR-NUMBER YYYY-MM-DD reason", i+1)
		}
		until, err := time.Parse(time.DateOnly, m[2])
		if err != nil {
			return nil, fmt.Errorf("accepted.txt:%d: %w", i+1, err)
		}
		if now.After(until.AddDate(0, 0, 1)) {
			return nil, fmt.Errorf("accepted.txt:%d: %s was accepted until %s: upgrade, or decide again", i+1, m[1], m[2])
		}
		all = append(all, acceptance{id: m[1], until: until, reason: m[3]})
	}
	return all, nil
}
