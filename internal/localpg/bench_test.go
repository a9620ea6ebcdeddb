//go:build linux

package localpg

import (
	"context"
	"testing"
)

// BenchmarkStart measures from Start to a database that answers, with default
// durability. cold makes the cluster, warm finds it.
//
//	go test -run '^$' -bench Start -benchtime 10x ./internal/localpg
func BenchmarkStart(b *testing.B) {
	b.Run("cold", func(b *testing.B) {
		for range b.N {
			b.StopTimer()
			dir := folder(b)
			b.StartTimer()
			benchStart(b, dir)
		}
	})
	b.Run("warm", func(b *testing.B) {
		dir := folder(b)
		b.StopTimer()
		benchStart(b, dir)
		b.ResetTimer()
		for range b.N {
			benchStart(b, dir)
		}
	})
}

// benchStart counts the start alone, not the stop.
func benchStart(b *testing.B, dir string) {
	b.Helper()
	b.StartTimer()
	s, err := Start(context.Background(), Options{Dir: dir})
	b.StopTimer()
	if err != nil {
		b.Fatal(err)
	}
	mustStop(b, s)
}
