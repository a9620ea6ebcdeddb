package composer

import (
	"strings"
	"testing"
)

func TestSanitizeOffsets(t *testing.T) {
	t.Parallel()
	const kept = `[{"type":"reference","start":0,"end":2,"text":"@a","reference":{"id":"x"}}]`
	at := func(start, end string) string { return over(`"start":` + start + `,"end":` + end + `,"text":"@a"`) }
	cases := []sanitizeCase{
		{"zero and two", "@a", at("0", "2"), kept, Report{}},
		{"white space around the number", "@a", at(" 0\n", "\t2 "), kept, Report{}},
		{"no start", "@a", over(`"end":2,"text":"@a"`), `[]`, badRange},
		{"no end", "@a", over(`"start":0,"text":"@a"`), `[]`, badRange},
		{"end before start", "@a", at("2", "0"), `[]`, badRange},
		{"end equal to start", "@a", at("1", "1"), `[]`, badRange},
		{"both zero", "@a", at("0", "0"), `[]`, badRange},
		{"end beyond the content", "@a", at("0", "3"), `[]`, badRange},
		{"start beyond the content", "@a", at("5", "7"), `[]`, badRange},
		{"start at the end of the content", "@a", at("2", "4"), `[]`, badRange},
		{"nine digits", "@a", at("0", "999999999"), `[]`, badRange},
		{"an empty content", "", at("0", "2"), `[]`, badRange},
	}
	for _, literal := range []string{
		`"0"`, `-1`, `-0`, `0.0`, `0e0`, `0E+0`, `1e-400`, `null`, `true`, `[0]`, `{}`, `""`,
		`-9223372036854775808`, `4294967296`, `18446744073709551616`, `1000000000`,
	} {
		cases = append(cases, sanitizeCase{"start " + literal, "@a", at(literal, "2"), `[]`, badRange})
	}
	for _, literal := range []string{
		`"2"`, `2.0`, `2e0`, `0.2e1`, `20e-1`, `1e400`, `-2`, `null`, `9223372036854775808`, `4294967298`, `1000000000`,
	} {
		cases = append(cases, sanitizeCase{"end " + literal, "@a", at("0", literal), `[]`, badRange})
	}
	runSanitize(t, cases)
}

func TestOffsetsHaveNineDigits(t *testing.T) {
	t.Parallel()
	for literal, want := range map[string]bool{"999999999": true, "100000000": true, "1000000000": false, "0": true, "-0": false} {
		if n, ok := (token{kind: numberToken, literal: literal}).offset(); ok != want {
			t.Errorf("%s is an offset: %v, %d", literal, ok, n)
		}
	}
}

func TestSanitizeCoveredText(t *testing.T) {
	t.Parallel()
	// one wraps a chip over the first units of content.
	one := func(text string) string { return `[` + reference(0, UTF16Len(text), text, "") + `]` }
	kept := func(text string) string {
		return string(Encode([]Annotation{{Type: TypeReference, End: UTF16Len(text), Text: text, Reference: &Reference{ID: "x"}}}))
	}
	x1024, astral := strings.Repeat("x", 1024), strings.Repeat("😀", 512)
	cjk := strings.Repeat("中", 1024)
	runSanitize(t, []sanitizeCase{
		{"1,024 units", x1024, one(x1024), kept(x1024), Report{}},
		{"1,025 units", x1024 + "x", one(x1024 + "x"), `[]`, badText},
		{"1,024 units of astral characters", astral, one(astral), kept(astral), Report{}},
		{"1,025 units of astral characters", astral + "x", one(astral + "x"), `[]`, badText},
		{"1,024 units in 3,072 bytes", cjk, one(cjk), kept(cjk), Report{}},
		{"1,025 units in 3,073 bytes", cjk + "x", one(cjk + "x"), `[]`, badText},
		{"with LF", "a\nb", over(`"start":0,"end":3,"text":"a\nb"`), `[]`, badText},
		{"with CR", "a\rb", over(`"start":0,"end":3,"text":"a\rb"`), `[]`, badText},
		{"with a line break written as an escape", "a\nb", over(`"start":0,"end":3,"text":"a\u000ab"`), `[]`, badText},
		{"with LF at its end", "@a\n", over(`"start":0,"end":3,"text":"@a\n"`), `[]`, badText},
		{"with a tab", "a\tb", over(`"start":0,"end":3,"text":"a\tb"`), `[{"type":"reference","start":0,"end":3,"text":"a\tb","reference":{"id":"x"}}]`, Report{}},
		{"only spaces", "   ", one("   "), `[]`, badText},
		{"only wide white space", "\u2003\u3000\u00a0\u0085", one("\u2003\u3000\u00a0\u0085"), `[]`, badText},
		{"a zero width space is not white space", "\u200b", one("\u200b"), kept("\u200b"), Report{}},
		{"white space around", " a ", one(" a "), kept(" a "), Report{}},
		{"differs in case", "@Makefile", over(`"start":0,"end":9,"text":"@makefile"`), `[]`, badRange},
		{"differs in normal form", "e\u0301", over(`"start":0,"end":2,"text":"é"`), `[]`, badRange},
		{"shorter than its range", "@ab", over(`"start":0,"end":3,"text":"@a"`), `[]`, badRange},
		{"longer than its range", "@ab", over(`"start":0,"end":2,"text":"@ab"`), `[]`, badRange},
		{"stands elsewhere only", "x @a", over(`"start":1,"end":3,"text":"@a"`), `[]`, badRange},
		{"canonical in place of NUL", "a\uFFFD", over(`"start":0,"end":2,"text":"a\u0000"`), kept("a\uFFFD"), Report{}},
		{"canonical in place of a lone surrogate", "a\uFFFD", over(`"start":0,"end":2,"text":"a\ud83d"`), kept("a\uFFFD"), Report{}},
		{"two lone surrogates are two units", "\uFFFD\uFFFD", over(`"start":0,"end":2,"text":"\ude00\ud83d"`), kept("\uFFFD\uFFFD"), Report{}},
		{"a surrogate before an escaped letter", "\uFFFDa", over(`"start":0,"end":2,"text":"\ud83d\u0061"`), kept("\uFFFDa"), Report{}},
		{"a surrogate before a pair", "\uFFFD😀", over(`"start":0,"end":3,"text":"\ud83d\ud83d\ude00"`), kept("\uFFFD😀"), Report{}},
		{"a pair in escapes", "😀", over(`"start":0,"end":2,"text":"\uD83D\uDE00"`), kept("😀"), Report{}},
		{"the last code point", "\U0010FFFF", one("\U0010FFFF"), kept("\U0010FFFF"), Report{}},
	})
}

func TestSanitizeOffsetsInsideCharacters(t *testing.T) {
	t.Parallel()
	family, accent := "👩\u200d👧", "e\u0301x"
	entry := func(start, end int, text string) string { return `[` + reference(start, end, text, "") + `]` }
	runSanitize(t, []sanitizeCase{
		{"start inside a surrogate pair", "😀@a", entry(1, 4, "\uFFFD@a"), `[]`, badRange},
		{"end inside a surrogate pair", "@a😀", entry(0, 3, "@a\uFFFD"), `[]`, badRange},
		{"both inside", "😀😀", entry(1, 3, "\uFFFD\uFFFD"), `[]`, badRange},
		{"start inside a pair, text of the rest", "😀@a", entry(1, 3, "@a"), `[]`, badRange},
		{"between two pairs", "😀😀", entry(2, 4, "😀"), entry(2, 4, "😀"), Report{}},
		{"after the joiner of a family", family, entry(3, 5, "👧"), entry(3, 5, "👧"), Report{}},
		{"the joiner alone", family, entry(2, 3, "\u200d"), entry(2, 3, "\u200d"), Report{}},
		{"between a letter and its accent", accent, entry(1, 3, "\u0301x"), entry(1, 3, "\u0301x"), Report{}},
		{"one half of a flag", "🇩🇪", entry(2, 4, "🇪"), entry(2, 4, "🇪"), Report{}},
	})
}
