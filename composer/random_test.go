package composer

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
)

// writer makes lists that are mostly right, which bytes turned at random never
// are: it takes real ranges of the content and spoils a few things.
type writer struct {
	*rand.Rand
	units []uint16
}

func (w writer) oneIn(n int) bool { return w.IntN(n) == 0 }

func pick[T any](w writer, from ...T) T { return from[w.IntN(len(from))] }

func (w writer) content() string {
	var out strings.Builder
	for range w.IntN(40) {
		out.WriteString(pick(w, "a", "@b", " ", "x", "é", "e\u0301", "\u200d", "😀", "👩\u200d👧", "\uFFFD", "\u2003", "中", "\u202e", "\u2028"))
		if w.oneIn(30) {
			out.WriteString(pick(w, "\n", "\r", "\t"))
		}
	}
	return out.String()
}

// spelled writes a JSON string, some characters of it as escapes.
func (w writer) spelled(s string) string {
	var out strings.Builder
	for _, r := range s {
		switch {
		case r < ' ' || r == '"' || r == '\\' || w.oneIn(25):
			for _, u := range utf16.AppendRune(nil, r) {
				fmt.Fprintf(&out, pick(w, `\u%04x`, `\u%04X`), u)
			}
		case r == '\uFFFD' && w.oneIn(2):
			out.WriteString(pick(w, `\ud800`, `\udfff`, `\u0000`))
		default:
			out.WriteRune(r)
		}
	}
	return `"` + out.String() + `"`
}

// stray writes a value of any type.
func (w writer) stray() string {
	long := strconv.Quote(strings.Repeat("x", pick(w, 255, 256, 257, 1024, 1025)))
	return pick(w, "null", "true", "false", "0", "-0", "1e2", "5", "[]", "{}", `""`, `"\u0000"`, `["a"]`,
		`["a",1]`, `[[["b"]]]`, `{"a":1,"a":2}`, `"file"`, `"custom"`, `"File"`, `"`+strings.Repeat("k", 65)+`"`, long)
}

// object writes members in any order, spoiling some.
func (w writer) object(members [][2]string) string {
	w.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	var parts []string
	for _, m := range members {
		key, value := m[0], m[1]
		if w.oneIn(25) {
			value = w.stray()
		}
		if w.oneIn(60) {
			key = strings.ToUpper(key[:1]) + key[1:]
		}
		if w.oneIn(40) {
			continue
		}
		parts = append(parts, w.spelled(key)+pick(w, ":", " : ")+value)
		if w.oneIn(80) {
			parts = append(parts, w.spelled(key)+":"+value)
		}
	}
	for range w.IntN(3) {
		parts = append(parts, w.spelled(pick(w, "icon", "x", "__proto__", "hx-on", "\uFFFD"))+":"+w.stray())
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// place takes a range of the content, now and then one that is not quite right.
func (w writer) place() (start, end int, text string) {
	if len(w.units) == 0 {
		return 0, 1, "a"
	}
	start = w.IntN(len(w.units))
	end = min(len(w.units), start+1+w.IntN(4))
	text = string(utf16.Decode(w.units[start:end]))
	if w.oneIn(20) {
		end += pick(w, -1, 1, 1<<31)
	}
	return start, end, text
}

func (w writer) tag(text string) [][2]string {
	var members [][2]string
	for _, member := range [][2]string{
		{"kind", pick(w, `"file"`, `"dataset"`, `"a.b:c-d_e"`, `"-x"`)},
		{"label", w.spelled(pick(w, "", "Label", "\u202eL"))},
		{"value", w.spelled(pick(w, "", "v", text))},
		{"removable", pick(w, "true", "false")},
		{"serialized", w.spelled(pick(w, text, text, text, "@other", ""))},
	} {
		if !w.oneIn(3) {
			members = append(members, member)
		}
	}
	return append(members, [2]string{"id", w.spelled("file:" + text)})
}

func (w writer) entry() string {
	start, end, text := w.place()
	members := [][2]string{{"start", strconv.Itoa(start)}, {"end", strconv.Itoa(end)}, {"text", w.spelled(text)}}
	if w.oneIn(3) {
		members = append(members, w.command()...)
	} else {
		members = append(members, [2]string{"type", `"reference"`}, [2]string{"reference", w.object(w.tag(text))})
	}
	return w.object(members)
}

func (w writer) command() [][2]string {
	return [][2]string{{"type", `"command"`}, {"subcommandPath", `["a","b"]`},
		{"command", w.object([][2]string{{"name", `"x"`}, {"description", `"d"`}, {"argumentHint", `""`},
			{"source", `"s"`}, {"displayCategory", pick(w, `"skill"`, `"other"`)}, {"subcommands", pick(w, `[]`, `["c"]`)}})}}
}

func (w writer) tagEntry() string {
	start, end, text := w.place()
	members := w.tag(text)
	switch {
	case w.oneIn(5):
		members = append(w.command(), [2]string{"text", w.spelled(text)})
		if w.oneIn(10) { // neither one nor the other
			members = append(members, w.tag(text)...)
		}
	case w.oneIn(10):
		members = append(members, [2]string{"type", pick(w, `"reference"`, `"Command"`, `5`, `""`)})
	}
	if !w.oneIn(3) {
		members = append(members, [2]string{"start", strconv.Itoa(start)}, [2]string{"end", strconv.Itoa(end)})
	}
	return w.object(members)
}

func (w writer) list(entry func() string) []byte {
	entries := make([]string, w.IntN(8))
	for i := range entries {
		entries[i] = entry()
		if w.oneIn(30) {
			entries[i] = w.stray()
		}
	}
	return []byte("[" + strings.Join(entries, ",") + "]")
}

func TestSanitizeAgreesWithASecondImplementation(t *testing.T) {
	t.Parallel()
	w := writer{Rand: rand.New(rand.NewPCG(1, 2))}
	kept := 0
	for range 2000 / slowdown {
		content := w.content()
		w.units = utf16.Encode([]rune(content))
		raw := w.list(w.entry)
		got, _ := Sanitize(content, raw)
		kept += len(got)
		wantJSON(t, Encode(got), mustMarshal(t, oracleSanitize(content, raw)))
		checkKept(t, content, got)
		if t.Failed() {
			t.Fatalf("content %q\nlist %s", content, raw)
		}
	}
	if kept < 1500/slowdown {
		t.Errorf("only %d annotations were kept: the lists no longer try much", kept)
	}
}

func TestBuildAgreesWithASecondImplementation(t *testing.T) {
	t.Parallel()
	w := writer{Rand: rand.New(rand.NewPCG(3, 4))}
	kept := 0
	for range 2000 / slowdown {
		text := w.content()
		w.units = utf16.Encode([]rune(text))
		raw := w.list(w.tagEntry)
		m, _, err := Build(text, raw)
		if err != nil {
			t.Fatalf("%v: %s", err, raw)
		}
		content, annotations, _ := oracleBuild(text, raw)
		kept += len(m.Annotations)
		if m.Content != content {
			t.Errorf("content %q, want %q", m.Content, content)
		}
		wantJSON(t, Encode(m.Annotations), mustMarshal(t, annotations))
		checkKept(t, m.Content, m.Annotations)
		if t.Failed() {
			t.Fatalf("text %q\ntags %s", text, raw)
		}
	}
	if kept < 1500/slowdown {
		t.Errorf("only %d annotations were made: the tags no longer try much", kept)
	}
}

func TestEncodeAgreesWithJSONTags(t *testing.T) {
	t.Parallel()
	w := writer{Rand: rand.New(rand.NewPCG(5, 6))}
	for range 500 {
		content := w.content()
		w.units = utf16.Encode([]rune(content))
		got, _ := Sanitize(content, w.list(w.entry))
		wantJSON(t, Encode(got), mustMarshal(t, got))
		var back []Annotation
		if err := json.Unmarshal(Encode(got), &back); err != nil || !reflect.DeepEqual(back, got) {
			t.Fatalf("%v\ngot  %s\nwant %s", err, Encode(back), Encode(got))
		}
	}
}
