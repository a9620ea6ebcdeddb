package markdown

import (
	"os"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	// What is compared must not depend on how busy the machine is.
	maxHighlightTime, matchTimeout = time.Hour, time.Hour
	os.Exit(m.Run())
}
