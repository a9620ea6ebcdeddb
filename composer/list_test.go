package composer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// listCase is a list that can be used or not, whatever is in it.
type listCase struct {
	name, raw string
	usable    bool
}

func listCases() []listCase {
	good := reference(0, 2, "@a", "")
	deep := func(depth int) string { return "[" + good + "," + nested(depth-1) + "]" }
	full := "[" + good
	return []listCase{
		{"an empty list", "[]", true},
		{"white space around", " \t\r\n[" + good + "] \t\r\n", true},
		{"null", "null", false},
		{"an object", `{"0":` + good + "}", false},
		{"a string", `"[]"`, false},
		{"a number", "5", false},
		{"true", "true", false},
		{"only white space", " \n", false},
		{"a byte order mark", "\ufeff[" + good + "]", false},
		{"a form feed around", "\f[" + good + "]", false},
		{"not closed", "[" + good, false},
		{"a comma at the end", "[" + good + ",]", false},
		{"a comma at the beginning", "[," + good + "]", false},
		{"no comma between", "[" + good + good + "]", false},
		{"a second value after it", "[" + good + "][]", false},
		{"a byte NUL after it", "[" + good + "]\x00", false},
		{"closed by the wrong bracket", "[" + good + "}", false},
		{"comment", "[" + good + "/**/]", false},
		{"NaN anywhere", "[" + good + ",NaN]", false},
		{"Infinity anywhere", "[" + good + ",-Infinity]", false},
		{"a number with a leading zero", "[" + good + ",01]", false},
		{"a number with a plus", "[" + good + ",+1]", false},
		{"a number that ends in a point", "[" + good + ",1.]", false},
		{"a number without its exponent", "[" + good + ",1e+]", false},
		{"a hexadecimal number", "[" + good + ",0x1]", false},
		{"a minus alone", "[" + good + ",-]", false},
		{"a huge number", "[" + good + ",1e999999]", true},
		{"a line break in a string", "[" + good + ",\"\n\"]", false},
		{"a NUL in a string", "[" + good + ",\"\x00\"]", false},
		{"DEL and U+2028 in a string", "[" + good + ",\"\x7f\u2028\"]", true},
		{"bytes that are not UTF-8", "[" + good + ",\"\xff\"]", false},
		{"a surrogate in bytes", "[" + good + ",\"\xed\xa0\x80\"]", false},
		{"an unknown escape", "[" + good + `,"\x41"]`, false},
		{"a short escape", "[" + good + `,"\u004"]`, false},
		{"an escape cut off", "[" + good + `,"\`, false},
		{"every escape", "[" + good + `,"\"\\\/\b\f\n\r\t\u00e9\u00E9\ud83d\ude00"]`, true},
		{"a string that does not end", "[" + good + `,"a]`, false},
		{"a key that does not end", "[" + good + `,{"a:1}]`, false},
		{"an escape with other letters", "[" + good + `,"\u00g0"]`, false},
		{"single quotes", "[" + good + ",'a']", false},
		{"a key without quotes", "[" + good + ",{a:1}]", false},
		{"a key without a value", "[" + good + `,{"a"}]`, false},
		{"a key without its colon", "[" + good + `,{"a" 1}]`, false},
		{"a number as a key", "[" + good + `,{1:1}]`, false},
		{"a comma at the end of an object", "[" + good + `,{"a":1,}]`, false},
		{"a word cut off", "[" + good + ",nul]", false},
		{"a word in capitals", "[" + good + ",True]", false},
		{"nested 32 deep", deep(32), true},
		{"nested 33 deep", deep(33), false},
		{"nested 33 deep in an unknown key", "[" + good + `,{"x":` + nested(31) + "}]", false},
		{"nested 32 deep in an unknown key", "[" + good + `,{"x":` + nested(30) + "}]", true},
		{"nested 100,000 deep", "[" + good + "," + nested(100000) + "]", false},
		{"256 KiB", full + strings.Repeat(" ", MaxList-len(full)-1) + "]", true},
		{"256 KiB and a byte", full + strings.Repeat(" ", MaxList-len(full)) + "]", false},
	}
}

func TestSanitizeIgnoresListsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for _, c := range listCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, report := Sanitize("@a", []byte(c.raw))
			if (report.Lists == 0) != c.usable {
				t.Errorf("report %+v, want a usable list: %v", report, c.usable)
			}
			if hasEntry := strings.Contains(c.raw, "@a"); (len(got) == 1) != (c.usable && hasEntry) {
				t.Errorf("kept %s", Encode(got))
			}
			// Apart from depth and size, encoding/json decides what is a list.
			if !c.usable && json.Valid([]byte(c.raw)) && utf8.ValidString(c.raw) && strings.HasPrefix(c.raw, "[") &&
				!strings.Contains(c.raw, nested(31)) && len(c.raw) <= MaxList {
				t.Error("a list that is JSON was ignored")
			}
		})
	}
}

func TestBuildRefusesTagsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for _, c := range listCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m, report, err := Build("text", []byte(c.raw))
			switch {
			case c.usable && err != nil:
				t.Errorf("refused: %v", err)
			case c.usable:
			case len(c.raw) > MaxList && !errors.Is(err, ErrTagsTooLarge), len(c.raw) <= MaxList && !errors.Is(err, ErrTagsInvalid):
				t.Errorf("got %v", err)
			case m.Content != "" || m.Annotations != nil || report != Report{}:
				t.Errorf("half a message beside the error: %+v %+v", m, report)
			}
		})
	}
}

func TestNoListIsNoFault(t *testing.T) {
	t.Parallel()
	for _, raw := range [][]byte{nil, {}} {
		if got, report := Sanitize("@a", raw); got == nil || len(got) != 0 || report != (Report{}) {
			t.Errorf("got %v, %+v", got, report)
		}
		if got := ReadStored("@a", raw); got == nil || len(got) != 0 {
			t.Errorf("got %v", got)
		}
		m, report, err := Build(" @a\n", raw)
		if err != nil || m.Content != " @a\n" || m.Annotations == nil || len(m.Annotations) != 0 || report != (Report{}) {
			t.Errorf("got %+v, %+v, %v", m, report, err)
		}
	}
}

func TestEntriesAfterTheFirst256AreLeftOut(t *testing.T) {
	t.Parallel()
	for _, n := range []int{255, 256, 257, 300} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			content := strings.Repeat("ab", n)
			entries := make([]string, n)
			for i := range entries {
				entries[n-1-i] = reference(2*i, 2*i+2, "ab", "") // the last place first
			}
			got, report := Sanitize(content, []byte("["+strings.Join(entries, ",")+"]"))
			excess := max(0, n-256)
			if len(got) != n-excess || report != (Report{Dropped: excess, Excess: excess}) {
				t.Fatalf("kept %d, report %+v", len(got), report)
			}
			if got[0].Start != 2*excess {
				t.Errorf("the first kept starts at %d, want %d: the first in the list count, not the first in the text", got[0].Start, 2*excess)
			}
			checkKept(t, content, got)
		})
	}
}

func TestBuildRefusesMoreThan256Tags(t *testing.T) {
	t.Parallel()
	list := func(n int) []byte { return []byte("[" + strings.Repeat(`{"id":"x"},`, n-1) + `{"id":"x"}]`) }
	if m, _, err := Build("", list(256)); err != nil || len(m.Annotations) != 256 {
		t.Errorf("256 tags gave %d annotations, %v", len(m.Annotations), err)
	}
	if _, _, err := Build("", list(257)); !errors.Is(err, ErrTagsInvalid) {
		t.Errorf("257 tags: %v", err)
	}
}

func TestWhatWasStoredIsReadBackEntire(t *testing.T) {
	t.Parallel()
	// 256 chips over as much text as chips may cover store far over the limit of
	// what is accepted from outside.
	form := strings.Repeat("中", 340)
	tags := "[" + strings.Repeat(`{"id":"`+form[:60]+`","value":"`+form[:900]+`"},`, 255) + `{"id":"last"}]`
	m, report, err := Build("", []byte(tags))
	if err != nil || len(m.Annotations) != 256 || report != (Report{}) {
		t.Fatalf("%d annotations, %+v, %v", len(m.Annotations), report, err)
	}
	stored := Encode(m.Annotations)
	if len(stored) <= MaxList {
		t.Fatalf("only %d bytes are stored, the test needs more than %d", len(stored), MaxList)
	}
	if got := ReadStored(m.Content, stored); string(Encode(got)) != string(stored) {
		t.Errorf("%d annotations were read back", len(got))
	}
	if got, report := Sanitize(m.Content, stored); len(got) != 0 || report != ignoredList {
		t.Errorf("from outside, the same bytes gave %d annotations, %+v", len(got), report)
	}
}
