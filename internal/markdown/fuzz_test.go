package markdown

import (
	"html"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// seeds adds documents that reach most of the code.
func seeds(f *testing.F, add func(src string)) {
	f.Helper()
	for _, src := range goldenSources(f) {
		add(src)
	}
	for _, bomb := range bombs {
		add(bomb(200))
	}
	links, texts := urlCorpus(f)
	for i, target := range append(links, texts...) {
		forms := linkForms(target)
		add(forms[i%len(forms)])
	}
	for _, src := range []string{
		"", "\n", "\xff\xfe", "a\xe4\xb8", "\x00", "```", "~~~\n", "- ", "1. a\n\n2", "> ", "|a|\n|-|", "[x]: ", "<br", "&#", "**", "~~",
		"- a\n```\nb\n```\n", "```\na\n~~~\nb\n```\nc\n", "  ```\n  a\n ```\n", "[a]: x\n# h\n[a]\n", "a\n===\nb\n---\n", "|a|b|\n|-|-|\n|`\\|`|\n",
		mixedAnswer(3 << 10), bigList(3 << 10), bigTable(3 << 10), bigQuote(1 << 10),
	} {
		add(src)
	}
}

func FuzzRender(f *testing.F) {
	seeds(f, func(src string) { f.Add(src) })
	f.Fuzz(func(t *testing.T, src string) {
		out := Render(src)
		checkSafe(t, out)
		if limit := 40*len(src) + 4096; len(out) > limit && len(src) > 1000 {
			t.Errorf("%d bytes became %d", len(src), len(out))
		}
	})
}

func FuzzStream(f *testing.F) {
	n := 0
	seeds(f, func(src string) {
		n++
		f.Add(src, uint16(n*7919))
	})
	f.Fuzz(func(t *testing.T, src string, seed uint16) {
		if len(src) > 4<<10 {
			return
		}
		// Small sizes take short texts through the code for long ones.
		sizes := []sizes{streamSizes, {parsed: 400, always: 40, series: 30}, {parsed: 60, always: 20, series: 10}, {parsed: 1 << 20, always: 20, series: 10}}[seed>>2%4]
		state := uint32(seed)
		p := follow(t, newStream(sizes), src, func(rest string) int {
			state = state*1664525 + 1013904223
			most := []int{3, 17, 120, 4096}[seed%4]
			return 1 + int(state>>16)%most
		})
		if p.plain {
			t.Error("plain text after Close")
		}
		if want := strings.TrimSpace(src); want != "" && p.done == "" && !strings.HasPrefix(want, "[") && strings.IndexFunc(want, visible) >= 0 {
			t.Errorf("%.200q became nothing", src)
		}
	})
}

// visible reports whether r alone makes a paragraph.
func visible(r rune) bool { return r >= 'a' && r <= 'z' }

func FuzzHighlight(f *testing.F) {
	code, err := os.ReadFile("testdata/golden/code.md")
	if err != nil {
		f.Fatal(err)
	}
	for i := range languages {
		f.Add(uint8(i), string(code))
	}
	f.Fuzz(func(t *testing.T, language uint8, code string) {
		if len(code) > 4<<10 || !utf8.ValidString(code) || strings.ContainsAny(code, "\x00\r") {
			return
		}
		checkHighlight(t, languages[int(language)%len(languages)], code)
	})
}

// checkHighlight holds that highlighted code is safe and still the code.
func checkHighlight(t testing.TB, language, code string) {
	t.Helper()
	var b buffer
	newHighlighter().write(&b.Buffer, language, code)
	checkSafe(t, b.String())
	text := b.String()
	for _, class := range tokenClasses() {
		text = strings.ReplaceAll(text, `<span class="`+class+`">`, "")
	}
	text = html.UnescapeString(strings.ReplaceAll(text, "</span>", ""))
	if text != code {
		t.Errorf("%s: %s", language, diff(text, code))
	}
}

func FuzzNormalize(f *testing.F) {
	f.Add("a\r\nb\rc\n\r\n\r", uint8(1))
	f.Add("\xff\xe4\xb8\xad\xe4\xb8\x00\xf0\x9f\x98\x80\xf0\x9f", uint8(2))
	f.Add("\uFFFD\xc3\x28\xed\xa0\x80", uint8(3))
	f.Fuzz(func(t *testing.T, src string, step uint8) {
		var whole, cut normalizer
		want := string(whole.flush(whole.append(nil, src)))
		var got []byte
		for rest := src; rest != ""; {
			n := min(int(step%5)+1, len(rest))
			got = cut.append(got, rest[:n])
			rest = rest[n:]
		}
		if got = cut.flush(got); string(got) != want {
			t.Errorf("in pieces %q, whole %q", got, want)
		}
		if plain := normalized(src); want != plain {
			t.Errorf("%q became %q, want %q", src, want, plain)
		}
	})
}

// normalized says the same as a normalizer, more simply.
func normalized(src string) string {
	src = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", replacement).Replace(src)
	return string([]rune(src))
}
