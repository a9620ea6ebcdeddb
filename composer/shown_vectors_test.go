package composer

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"testing"
	"unicode"
	"unicode/utf8"
)

var writeShown = flag.Bool("write-shown", false, "write testdata/shown.json anew")

// shownVectors is testdata/shown.json: what browsers must draw of a chip as
// this package does. The client's tests read the same file.
type shownVectors struct {
	// Spelled and Unseen are ranges of code points, both ends included: those
	// that are spelled out, and those that alone show nothing.
	Spelled [][2]rune   `json:"spelled"`
	Unseen  [][2]rune   `json:"unseen"`
	Chips   []shownChip `json:"chips"`
}

type shownChip struct {
	Name      string  `json:"name"`
	Kind      *string `json:"kind,omitempty"`
	Label     *string `json:"label,omitempty"`
	Value     *string `json:"value,omitempty"`
	Text      string  `json:"text"`
	WantKind  string  `json:"wantKind"`
	WantLabel string  `json:"wantLabel"`
	WantValue string  `json:"wantValue"`
}

// TestShownVectors keeps the file true. "go test ./composer -run ShownVectors
// -write-shown" writes it anew.
func TestShownVectors(t *testing.T) {
	t.Parallel()
	const file = "testdata/shown.json"
	raw, err := os.ReadFile(file)
	if err != nil && !*writeShown {
		t.Fatal(err)
	}
	var have shownVectors
	if err == nil {
		if err := json.Unmarshal(raw, &have); err != nil {
			t.Fatal(err)
		}
	}
	want := shownVectors{
		Spelled: rangesOf(deceptive),
		Unseen:  rangesOf(func(r rune) bool { return !seen(r) }),
		Chips:   shownChips(),
	}
	if *writeShown {
		out, err := json.MarshalIndent(want, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(out, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("%s is stale: write it anew and look at what changed", file)
	}
}

func rangesOf(in func(rune) bool) (ranges [][2]rune) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) || !in(r) {
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

// shownChips are tags as a composer sends them, with what is drawn of each.
func shownChips() []shownChip {
	long := func(n int) *string {
		b := make([]byte, n)
		for i := range b {
			b[i] = 'x'
		}
		s := string(b)
		return &s
	}
	s := func(s string) *string { return &s }
	chips := []shownChip{
		{Name: "file: the value alone", Kind: s("file"), Label: s("Files"), Value: s("a b.go"), Text: `@a\ b.go`},
		{Name: "built in, a blank value", Kind: s("session"), Label: s("Yesterday"), Value: s(" \t"), Text: "@s"},
		{Name: "built in, neither", Kind: s("mcp"), Text: "@mcp:x"},
		{Name: "another kind: both", Kind: s("dataset"), Label: s("Dataset"), Value: s("users"), Text: "@users"},
		{Name: "another kind, only a label", Kind: s("dataset"), Label: s("Dataset"), Text: "@users"},
		{Name: "no kind", Label: s("Label"), Value: s("Value"), Text: "@x"},
		{Name: "an empty kind", Kind: s(""), Value: s("Value"), Text: "@x"},
		{Name: "a kind that is none", Kind: s("File"), Label: s("L"), Value: s("V"), Text: "@x"},
		{Name: "a kind with markup", Kind: s(`x" onclick="`), Value: s("V"), Text: "@x"},
		{Name: "a long kind", Kind: long(65), Value: s("V"), Text: "@x"},
		{Name: "the longest kind", Kind: long(64), Value: s("V"), Text: "@x"},
		{Name: "a long label", Kind: s("x"), Label: long(257), Value: s("V"), Text: "@x"},
		{Name: "the longest label", Kind: s("x"), Label: long(256), Value: s("V"), Text: "@x"},
		{Name: "a long value", Kind: s("file"), Label: s("L"), Value: long(1025), Text: "@x"},
		{Name: "a NUL in the label", Kind: s("x"), Label: s("a\x00"), Value: s("V"), Text: "@x"},
		{Name: "a NUL in the value of a file", Kind: s("file"), Label: s("L"), Value: s("a\x00"), Text: "@x"},
		{Name: "hidden characters", Kind: s("x"), Label: s("a\u202egnp.exe"), Value: s("\u200b\r\n\U000E0061"), Text: "@\u202ex"},
		{Name: "nothing but hidden text", Text: "\u200b\ufeff"},
		{Name: "nothing but joiners", Label: s("\u200d\u3164"), Value: s("\u2800\ufe0f"), Text: "@x"},
		{Name: "joiners in an emoji", Label: s("👩\u200d👧"), Text: "@x"},
		{Name: "right-to-left", Label: s("שלום"), Value: s("مرحبا"), Text: "@x"},
	}
	for i := range chips {
		c := &chips[i]
		c.WantKind, c.WantLabel, c.WantValue = drawnOf(*c)
	}
	return chips
}

// drawnOf goes the way of a submission: built, stored, drawn.
func drawnOf(c shownChip) (kind, label, value string) {
	tag := map[string]any{"id": "id", "serialized": c.Text, "start": 0, "end": UTF16Len(c.Text)}
	for name, field := range map[string]*string{"kind": c.Kind, "label": c.Label, "value": c.Value} {
		if field != nil {
			tag[name] = *field
		}
	}
	raw, err := json.Marshal([]any{tag})
	if err != nil {
		panic(err)
	}
	m, _, err := Build(c.Text, raw)
	if err != nil || len(m.Annotations) != 1 {
		panic(c.Name + ": no chip")
	}
	chip := ChipOf(m.Annotations[0])
	return chip.Kind, chip.Label, chip.Value
}
