package logfile

import (
	"io"

	"webshell/store"
)

// ReadWithin is Read with other limits, the first two in MiB.
func ReadWithin(r io.Reader, line, bytes, events int) ([]store.Record, error) {
	return limits{line << 20, bytes << 20, events}.read(r)
}
