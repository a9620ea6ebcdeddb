package composer

import (
	"errors"
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want, form string }{
		{"empty", "", "", ""},
		{"white space is kept", " \t\n a \n ", " \t\n a \n ", " \t\n a \n "},
		{"CRLF", "a\r\nb\r\n", "a\r\nb\r\n", "a\nb\n"},
		{"CR alone", "a\rb\r\r\n", "a\rb\r\r\n", "a\rb\r\n"},
		{"NUL", "\x00a\x00\x00", "\uFFFDa\uFFFD\uFFFD", "\uFFFDa\uFFFD\uFFFD"},
		{"NUL between CR and LF", "\r\x00\n", "\r\uFFFD\n", "\r\uFFFD\n"},
		{"other controls", "\x01\x1b\x7f\u0085", "\x01\x1b\x7f\u0085", "\x01\x1b\x7f\u0085"},
		{"case", "İıŞß", "İıŞß", "İıŞß"},
		{"normal forms", "é e\u0301 ﬁ Å ① 각", "é e\u0301 ﬁ Å ① 각", "é e\u0301 ﬁ Å ① 각"},
		{"a byte order mark", "\ufeffa", "\ufeffa", "\ufeffa"},
		{"U+FFFD", "\uFFFD", "\uFFFD", "\uFFFD"},
		{"noncharacters and the last code point", "\uffff\U0010FFFF", "\uffff\U0010FFFF", "\uffff\U0010FFFF"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got, err := Canonical(c.text); err != nil || got != c.want {
				t.Errorf("Canonical: %q, %v, want %q", got, err, c.want)
			}
			if got, err := CanonicalForm(c.text); err != nil || got != c.form {
				t.Errorf("CanonicalForm: %q, %v, want %q", got, err, c.form)
			}
			if UTF16Len(c.text) != UTF16Len(c.want) {
				t.Errorf("%d units became %d: every range after them moved", UTF16Len(c.text), UTF16Len(c.want))
			}
		})
	}
}

func TestCanonicalRefusesOtherBytes(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a continuation byte": "a\x80", "a byte no UTF-8 has": "\xff", "a character cut off": "\xe4\xb8",
		"NUL in two bytes": "\xc0\x80", "a slash in two bytes": "\xc0\xaf", "a surrogate": "\xed\xa0\x80",
		"a pair of surrogates": "\xed\xa0\xbd\xed\xb8\x80", "beyond the last code point": "\xf4\x90\x80\x80",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := Canonical(text); !errors.Is(err, ErrNotUTF8) || got != "" {
				t.Errorf("Canonical: %q, %v", got, err)
			}
			if got, err := CanonicalForm("\r\n" + text); !errors.Is(err, ErrNotUTF8) || got != "" {
				t.Errorf("CanonicalForm: %q, %v", got, err)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	full := strings.Repeat("x", MaxText)
	tests := []struct {
		name, content string
		want          error
	}{
		{"text", "a", nil},
		{"text between white space", "\n a \n", nil},
		{"1 MiB", full, nil},
		{"1 MiB and a byte", full + "x", ErrTextTooLarge},
		{"1 MiB of three-byte characters and a byte", strings.Repeat("中", MaxText/3) + "xx", ErrTextTooLarge},
		{"empty", "", ErrBlank},
		{"white space", " \t\r\n\v\f", ErrBlank},
		{"white space of Unicode", "\u0085\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000", ErrBlank},
		{"a zero width space", "\u200b", nil},
		{"U+FFFD in place of NUL", "\uFFFD", nil},
		{"white space over 1 MiB", strings.Repeat(" ", MaxText+1), ErrTextTooLarge},
		{"white space of 1 MiB", strings.Repeat(" ", MaxText), ErrBlank},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if err := Check(Message{Content: c.content}); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
	t.Run("the text counts with the prefix", func(t *testing.T) {
		t.Parallel()
		m, _, err := Build(full, []byte(`[{"id":"x"}]`))
		if err != nil || !errors.Is(Check(m), ErrTextTooLarge) {
			t.Errorf("%d bytes: %v, %v", len(m.Content), err, Check(m))
		}
	})
	t.Run("a prefix tag alone is not blank", func(t *testing.T) {
		t.Parallel()
		m, _, err := Build("", []byte(`[{"id":"x"}]`))
		if err != nil || Check(m) != nil {
			t.Errorf("%q: %v, %v", m.Content, err, Check(m))
		}
	})
}
