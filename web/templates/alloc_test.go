package templates

import (
	"context"
	"io"
	"testing"

	"webshell/internal/session"
	"webshell/web/locales"
)

// maxBubbleAllocs is what a bubble with three chips may cost.
const maxBubbleAllocs = 60

func chipBubble(t testing.TB) *session.UserNode {
	return &session.UserNode{
		NodeBase: base(123456), RequestID: "6f9619ff-8b86-d011-b42d-00cf4fc964ff",
		Content: threeChips, Annotations: threeAnnotations(t),
	}
}

func TestBubbleAllocations(t *testing.T) {
	v, n, ctx := viewIn(locales.English), chipBubble(t), context.Background()
	got := testing.AllocsPerRun(200, func() {
		if err := Row(v, "s1", n).Render(ctx, io.Discard); err != nil {
			t.Fatal(err)
		}
	})
	if got > maxBubbleAllocs {
		t.Errorf("a bubble with three chips takes %.0f allocations, at most %d are allowed", got, maxBubbleAllocs)
	}
	t.Logf("%.0f allocations", got)
}

func BenchmarkBubble(b *testing.B) {
	v, n, ctx := viewIn(locales.English), chipBubble(b), context.Background()
	b.ReportAllocs()
	for b.Loop() {
		if err := Row(v, "s1", n).Render(ctx, io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
