package composer

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
)

func TestChipOf(t *testing.T) {
	t.Parallel()
	const none = "\x00" // an absent field
	tests := []struct{ name, kind, label, value, wantLabel, wantValue string }{
		{"file: the value", "file", "Label", "Value", "", "Value"},
		{"extension: the value", "extension", "Label", "Value", "", "Value"},
		{"mcp: the value", "mcp", "Label", "Value", "", "Value"},
		{"session: the value", "session", "Label", "Value", "", "Value"},
		{"skill: the value", "skill", "Label", "Value", "", "Value"},
		{"built in, no value: the label", "file", "Label", none, "Label", ""},
		{"built in, a blank value: the label", "file", "Label", " \t", "Label", ""},
		{"built in, neither", "file", none, none, "", ""},
		{"built in, both blank", "file", "", "\u3000", "", ""},
		{"another kind: both", "dataset", "Dataset", "users", "Dataset", "users"},
		{"another kind, only a label", "dataset", "Dataset", none, "Dataset", ""},
		{"another kind, only a value", "dataset", "", "users", "", "users"},
		{"another kind, neither", "dataset", none, "", "", ""},
		{"no kind: both", none, "Label", "Value", "Label", "Value"},
		{"a kind that begins like one built in", "file2", "Label", "Value", "Label", "Value"},
		{"markup is text", "x", "<b>", `"onload=`, "<b>", `"onload=`},
		{"white space around is kept", "x", " a ", "\tb", " a ", "⟨U+0009⟩b"},
		{"joiners alone show nothing", "x", "\u200d\u200c", "\u3164\u2800\ufe0f", "", ""},
		{"zero width alone is spelled out", "x", "\u200b", "\ufeff", "⟨U+200B⟩", "⟨U+FEFF⟩"},
		{"a direction override", "x", "a\u202egnp.exe", none, "a⟨U+202E⟩gnp.exe", ""},
		{"right-to-left text", "x", "שלום", "مرحبا", "שלום", "مرحبا"},
		{"ZWJ in an emoji", "x", "👩\u200d👧", none, "👩\u200d👧", ""},
		{"ZWNJ in a word", "x", "می\u200cخواهم", none, "می\u200cخواهم", ""},
		{"a variation selector", "x", "❤\ufe0f", none, "❤\ufe0f", ""},
		{"accents", "x", "e\u0301", none, "e\u0301", ""},
		{"tag characters", "x", "a\U000E0061\U000E007F", none, "a⟨U+E0061⟩⟨U+E007F⟩", ""},
		{"line breaks", "x", "a\r\nb\u2028c\u2029d", none, "a⟨U+000D⟩⟨U+000A⟩b⟨U+2028⟩c⟨U+2029⟩d", ""},
		{"other controls", "x", "\x1b[31m", "\u0090", "⟨U+001B⟩[31m", "⟨U+0090⟩"},
	}
	field := func(s string) *string {
		if s == none {
			return nil
		}
		return &s
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := ChipOf(Annotation{
				Type: TypeReference, Start: 3, End: 8, Text: "@\u202etext",
				Reference: &Reference{ID: "id", Kind: field(c.kind), Label: field(c.label), Value: field(c.value)},
			})
			want := Chip{
				Kind: strings.Trim(c.kind, none), ID: "id", Label: c.wantLabel, Value: c.wantValue,
				Text: "@\u202etext", Start: 3, End: 8,
			}
			if got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestChipSpellsOutWhatHidesOrReorders(t *testing.T) {
	t.Parallel()
	// Every bidi control, every format character but ZWNJ, ZWJ, the visible
	// number signs of Arabic, Syriac and Kaithi, and hieroglyph joiners.
	for r := rune(1); r <= unicode.MaxRune; r++ {
		escape := unicode.In(r, unicode.Bidi_Control, unicode.Cf, unicode.Cc, unicode.Zl, unicode.Zp) &&
			!unicode.In(r, unicode.Join_Control, unicode.Prepended_Concatenation_Mark) &&
			(r < 0x13430 || r > 0x1343F)
		if r == 0x2065 || 0xE0000 <= r && r <= 0xE007F { // unassigned among them
			escape = true
		}
		if 0xD800 <= r && r <= 0xDFFF {
			continue
		}
		label := "x" + string(r)
		want := label
		if escape {
			want = fmt.Sprintf("x⟨U+%04X⟩", r)
		}
		if got := ChipOf(Annotation{Reference: &Reference{Label: &label}}).Label; got != want {
			t.Errorf("U+%04X is shown as %q, want %q", r, got, want)
		}
	}
}

func TestChipOfACommand(t *testing.T) {
	t.Parallel()
	got := ChipOf(Annotation{Type: TypeCommand, Start: 0, End: 2, Text: "/x", Command: &Command{Name: "x"}})
	if want := (Chip{Text: "/x", End: 2}); got != want {
		t.Errorf("got %+v", got)
	}
}
