package markdown

import (
	"fmt"
	"testing"
)

func BenchmarkRender(b *testing.B) {
	for _, size := range []int{1 << 10, 20 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			src := mixedAnswer(size)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				Render(src)
			}
		})
	}
}

// finishedBlocks returns what becomes final, piece by piece, of an answer.
func finishedBlocks(src string) []string {
	var blocks []string
	s := NewStream()
	for len(src) > 0 {
		n := min(100, len(src))
		before := string(s.open) + src[:n]
		if d := s.Write(src[:n]); d.Frozen != "" {
			blocks = append(blocks, before[:len(before)-len(s.open)])
		}
		src = src[n:]
	}
	return append(blocks, string(s.open))
}

// BenchmarkStreamRatio streams a 20 KB answer in pieces of 100 bytes and
// renders its finished blocks once each, in turns. x/once is the one over the
// other.
func BenchmarkStreamRatio(b *testing.B) {
	src := mixedAnswer(20 << 10)
	blocks := finishedBlocks(src)
	var streamed, once stopwatch
	b.ReportAllocs()
	for b.Loop() {
		streamed.run(func() {
			s := NewStream()
			for rest := src; rest != ""; {
				n := min(100, len(rest))
				s.Write(rest[:n])
				rest = rest[n:]
			}
			s.Close()
		})
		once.run(func() {
			for _, block := range blocks {
				Render(block)
			}
		})
	}
	b.ReportMetric(streamed.ms()/float64(b.N), "ms-streamed")
	b.ReportMetric(once.ms()/float64(b.N), "ms-once")
	b.ReportMetric(streamed.ms()/once.ms(), "x/once")
}

// BenchmarkPiece measures one piece of 100 bytes at three sizes of the answer,
// for answers of many blocks and of one.
func BenchmarkPiece(b *testing.B) {
	shapes := []struct {
		name string
		make func(int) string
	}{
		{"mixed", mixedAnswer}, {"fence", bigFence}, {"list", bigList},
		{"table", bigTable}, {"paragraph", bigParagraph}, {"quote", bigQuote},
	}
	const pieces = 40
	for _, shape := range shapes {
		for _, size := range []int{1 << 10, 16 << 10, 1 << 20} {
			b.Run(fmt.Sprintf("%s/%dKB", shape.name, size>>10), func(b *testing.B) {
				src := shape.make(size + 100*pieces + 1000)
				var w stopwatch
				for b.Loop() {
					b.StopTimer()
					s := NewStream()
					s.Write(src[:size])
					b.StartTimer()
					w.run(func() {
						for i := range pieces {
							s.Write(src[size+100*i : size+100*(i+1)])
						}
					})
				}
				b.ReportMetric(1000*w.ms()/float64(b.N)/pieces, "µs/piece")
			})
		}
	}
}
