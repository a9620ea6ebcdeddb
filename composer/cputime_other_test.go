//go:build !linux

package composer

import (
	"testing"
	"time"
)

// costOf returns the time run takes, other work on the machine included.
func costOf(_ testing.TB, run func()) time.Duration {
	start := time.Now()
	run()
	return time.Since(start)
}
