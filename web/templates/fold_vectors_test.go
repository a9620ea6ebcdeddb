package templates

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/width"
)

var writeFold = flag.Bool("write-fold", false, "write the client's table of wide characters and testdata/fold.json anew")

const (
	wideFile = "../client/src/wide.json"
	foldFile = "testdata/fold.json"
)

type foldVector struct {
	Name string `json:"name"`
	// Lines are joined by LF; each is Unit as often as Times says.
	Lines []foldLine `json:"lines"`
	Fold  string     `json:"fold"`
}

type foldLine struct {
	Unit  string `json:"unit"`
	Times int    `json:"times"`
}

func (v foldVector) content() string {
	lines := make([]string, len(v.Lines))
	for i, line := range v.Lines {
		lines[i] = strings.Repeat(line.Unit, line.Times)
	}
	return strings.Join(lines, "\n")
}

// TestFoldVectors keeps two files true which the client reads, so that an echo
// folds as the durable bubble will: "go test ./web/templates -run FoldVectors
// -write-fold" writes them anew.
func TestFoldVectors(t *testing.T) {
	t.Parallel()
	wantFile(t, wideFile, wideRanges())
	wantFile(t, foldFile, foldVectors())
}

func wantFile[T any](t *testing.T, name string, want T) {
	t.Helper()
	if *writeFold {
		raw, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, append(raw, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var have T
	if err := json.Unmarshal(raw, &have); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("%s is stale: write it anew and look at what changed", name)
	}
}

// wideRanges are the characters of two columns, as ranges with both ends.
func wideRanges() (ranges [][2]rune) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if columnsOf(string(r), 2) != 2 {
			continue
		}
		if n := len(ranges); n > 0 && ranges[n-1][1] == r-1 {
			ranges[n-1][1] = r
		} else {
			ranges = append(ranges, [2]rune{r, r})
		}
	}
	return ranges
}

func foldVectors() []foldVector {
	lines := func(n int, unit string, times int) []foldLine {
		all := make([]foldLine, n)
		for i := range all {
			all[i] = foldLine{unit, times}
		}
		return all
	}
	vectors := []foldVector{
		{Name: "nothing", Lines: lines(1, "", 0)},
		{Name: "a line", Lines: lines(1, "x", 20)},
		{Name: "as many lines as fit", Lines: lines(17, "x", 1)},
		{Name: "one line too many", Lines: lines(18, "x", 1)},
		{Name: "as many empty lines as fit", Lines: lines(18, "", 0)},
		{Name: "one empty line too many", Lines: lines(19, "", 0)},
		{Name: "lines that wrap where it is narrow", Lines: lines(9, "x", 34)},
		{Name: "lines that just do not wrap", Lines: lines(9, "x", 32)},
		{Name: "a long line, narrow", Lines: lines(1, "x", 34*17)},
		{Name: "a long line, not narrow", Lines: lines(1, "x", 34*17-1)},
		{Name: "a long line, wide", Lines: lines(1, "x", 84*17)},
		{Name: "a long line, not wide", Lines: lines(1, "x", 84*17-1)},
		{Name: "a line without end", Lines: lines(1, "x", 100_000)},
		{Name: "wide characters, wide", Lines: lines(1, "漢", 42*17)},
		{Name: "wide characters, not wide", Lines: lines(1, "漢", 42*17-1)},
		{Name: "emoji, narrow", Lines: lines(1, "😀", 17*17)},
		{Name: "emoji, not narrow", Lines: lines(1, "😀", 17*17-1)},
		{Name: "Hangul", Lines: lines(1, "한", 42*17)},
		{Name: "full-width letters", Lines: lines(1, "Ａ", 42*17)},
		{Name: "half-width katakana", Lines: lines(1, "ｱ", 42*17)},
		{Name: "carriage returns end no line", Lines: lines(1, "x\r", 18)},
	}
	for i := range vectors {
		vectors[i].Fold = foldOf(vectors[i].content())
	}
	return vectors
}

// The limits that the vectors are about are where foldOf has them.
func TestFoldVectorsStandAtTheLimits(t *testing.T) {
	t.Parallel()
	folds := make(map[string]string)
	for _, v := range foldVectors() {
		folds[v.Name] = v.Fold
	}
	for name, want := range map[string]string{
		"as many lines as fit": "", "one line too many": foldsAlways,
		"a long line, narrow": foldsNarrow, "a long line, not narrow": "",
		"a long line, wide": foldsAlways, "a long line, not wide": foldsNarrow,
		"wide characters, wide": foldsAlways, "wide characters, not wide": foldsNarrow,
	} {
		if folds[name] != want {
			t.Errorf("%s: %q, want %q", name, folds[name], want)
		}
	}
	if k := width.LookupRune('漢').Kind(); k != width.EastAsianWide {
		t.Errorf("the wide character is %v", k)
	}
}
