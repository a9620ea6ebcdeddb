// Package mention measures the @ menu over a workspace of 100,000 files.
//
//	go test ./bench/mention -bench .
package mention

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"webshell/internal/mention"
	"webshell/internal/workspace"
)

const fileCount = 100_000

var (
	words  = []string{"app", "build", "client", "config", "controller", "core", "data", "handler", "index", "internal", "main", "menu", "model", "render", "session", "store", "test", "user", "utils", "view", "文档", "用户", "设置", "手册"}
	ends   = []string{".go", ".ts", ".md", ".json", ".test.ts", ".css", ".txt"}
	folder string
)

func TestMain(m *testing.M) {
	code := m.Run()
	if folder != "" {
		os.RemoveAll(folder)
	}
	os.Exit(code)
}

// tree makes the files once, up to eight folders deep, about fifteen in each.
func tree(b *testing.B) string {
	b.Helper()
	if folder != "" {
		return folder
	}
	var err error
	if folder, err = os.MkdirTemp("", "webshell-bench-mention-"); err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string { return words[r.IntN(len(words))] }
	dirs := []string{""}
	for i := range fileCount {
		if i%15 == 0 {
			parent := dirs[r.IntN(len(dirs))]
			for strings.Count(parent, "/") > 6 {
				parent = filepath.Dir(parent)
			}
			dir := filepath.Join(parent, fmt.Sprint(word(), i/15%40))
			if err := os.MkdirAll(filepath.Join(folder, dir), 0o755); err != nil {
				b.Fatal(err)
			}
			dirs = append(dirs, dir)
		}
		name := filepath.Join(dirs[len(dirs)-1], fmt.Sprint(word(), "-", word(), i, ends[r.IntN(len(ends))]))
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for name, text := range map[string]string{"Makefile": "", ".gitignore": "*.log\n/dist/\nnode_modules\n**/tmp/*\n!keep\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return folder
}

func open(b *testing.B) (*mention.Menu, func()) {
	b.Helper()
	w, err := workspace.Open(tree(b))
	if err != nil {
		b.Fatal(err)
	}
	files := mention.NewFiles(w)
	return mention.NewMenu(files), func() {
		files.Close()
		w.Close()
	}
}

// ask searches and reports whether everything was searched.
func ask(b *testing.B, m *mention.Menu, query string) (whole bool, items int) {
	b.Helper()
	groups, err := m.Search(b.Context(), query, "")
	if err != nil || groups[0].Err != nil {
		b.Fatal(err, groups)
	}
	return !groups[0].Partial, len(groups[0].Items)
}

// processorTime is what this process has taken of the processors, which the
// load of other processes changes less than the clock's time.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkFirst is the first search of a workspace: until something is
// answered, and until everything has been walked.
func BenchmarkFirst(b *testing.B) {
	tree(b)
	var answered, walked time.Duration
	for b.Loop() {
		m, done := open(b)
		began := time.Now()
		whole, _ := ask(b, m, "makefile")
		answered += time.Since(began)
		for !whole {
			whole, _ = ask(b, m, "makefile")
		}
		walked += time.Since(began)
		done()
	}
	b.ReportMetric(float64(answered.Milliseconds())/float64(b.N), "ms/first-answer")
	b.ReportMetric(float64(walked.Milliseconds())/float64(b.N), "ms/walk")
}

// BenchmarkSearch types each query letter by letter, after the first walk.
func BenchmarkSearch(b *testing.B) {
	m, done := open(b)
	defer done()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for whole := false; !whole; {
		whole, _ = ask(b, m, "makefile")
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	kept := float64(after.HeapAlloc-before.HeapAlloc) / (1 << 20)
	for _, query := range []string{"makefile", "handler-store", "hdlrstr", "用户手册", "main3/store", "zzzz"} {
		b.Run(query, func(b *testing.B) {
			var took []time.Duration
			worked := processorTime(b)
			for b.Loop() {
				letters := []rune(query)
				for i := range letters {
					began := time.Now()
					ask(b, m, string(letters[:i+1]))
					took = append(took, time.Since(began))
				}
			}
			worked = processorTime(b) - worked
			slices.Sort(took)
			at := func(share float64) float64 {
				return float64(took[int(share*float64(len(took)-1))].Microseconds()) / 1000
			}
			b.ReportMetric(float64(worked.Microseconds())/1000/float64(len(took)), "ms-cpu/search")
			b.ReportMetric(at(0.5), "ms/p50")
			b.ReportMetric(at(0.95), "ms/p95")
			b.ReportMetric(at(1), "ms/max")
			b.ReportMetric(kept, "MiB-kept")
		})
	}
}
