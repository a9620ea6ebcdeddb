package markdown

import (
	"runtime"
	"testing"
)

// TestPieceCost holds that a piece allocates as much at 1 MB of answer as at
// 1 KB. Allocation stands for work here because it can be counted exactly.
func TestPieceCost(t *testing.T) {
	for name, shape := range map[string]func(int) string{
		"mixed": mixedAnswer, "fence": bigFence, "list": bigList,
		"table": bigTable, "paragraph": bigParagraph, "quote": bigQuote,
	} {
		t.Run(name, func(t *testing.T) {
			early := pieceAllocs(shape, 1<<10, 10_000)
			late := pieceAllocs(shape, 1<<20, 10_000)
			t.Logf("bytes allocated by piece: %d at 1 KB, %d at 1 MB", early, late)
			if late > early+early/2+4096 {
				t.Errorf("a piece allocates %d bytes at 1 MB, %d at 1 KB", late, early)
			}
		})
	}
}

// TestOpenBlockCost holds that a piece of a block that is still rendered, up to
// 32 KB, costs no more than a bounded amount of parsing.
func TestOpenBlockCost(t *testing.T) {
	for name, shape := range map[string]func(int) string{
		"fence": bigFence, "list": bigList, "table": bigTable, "paragraph": bigParagraph, "quote": bigQuote,
	} {
		t.Run(name, func(t *testing.T) {
			whole := parseAllocs(shape(30 << 10))
			piece := pieceAllocs(shape, 26<<10, 5_000)
			t.Logf("bytes allocated by piece: %d, by rendering 30 KB once: %d", piece, whole)
			if piece > whole/2 {
				t.Errorf("a piece allocates %d bytes, rendering all of it %d", piece, whole)
			}
		})
	}
}

func parseAllocs(src string) uint64 {
	return allocated(func() { Render(src) })
}

// pieceAllocs returns how many bytes a piece of 100 bytes allocates on average
// over the next span bytes of an answer of size bytes.
func pieceAllocs(shape func(int) string, size, span int) uint64 {
	src := shape(size + span + 1000)
	s := NewStream()
	s.highlight.bytes = 0 // colours have their own bound, by text
	s.Write(src[:size])
	return allocated(func() {
		for at := size; at < size+span; at += 100 {
			s.Write(src[at : at+100])
		}
	}) / uint64(span/100)
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
