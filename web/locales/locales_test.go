package locales

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var verb = regexp.MustCompile(`%(?:\[\d+\])?[a-z]`)

// texts are all forms of a message.
func (m message) texts() []string {
	if m.forms == nil {
		return []string{m.text}
	}
	var all []string
	for _, text := range m.forms {
		all = append(all, text)
	}
	return all
}

// TestParity: every language has the same keys, none of them empty, and each
// text takes the same arguments.
func TestParity(t *testing.T) {
	t.Parallel()
	english := For(English)
	for _, l := range Langs() {
		p := For(l)
		if len(p.messages) != len(english.messages) {
			t.Errorf("%s has %d keys, English %d", l, len(p.messages), len(english.messages))
		}
		for key, m := range p.messages {
			e, ok := english.messages[key]
			if !ok {
				t.Errorf("%s: %s is not in English", l, key)
				continue
			}
			if (e.forms == nil) != (m.forms == nil) {
				t.Errorf("%s: %s has plural forms in one language only", l, key)
			}
			want := verb.FindAllString(e.text, -1)
			for _, text := range m.texts() {
				if strings.TrimSpace(text) == "" || strings.ContainsAny(text, "!！") {
					t.Errorf("%s: %s is empty or shouts: %q", l, key, text)
				}
				if got := verb.FindAllString(text, -1); !slices.Equal(got, want) {
					t.Errorf("%s: %s takes %v, English %v", l, key, got, want)
				}
			}
		}
	}
	if forms := english.messages["queue.count"].forms; forms["one"] == "" || forms["other"] == "" {
		t.Error("English counts without a singular")
	}
}

// prefixes begin keys whose end comes from data, in the templates and the
// handlers.
var prefixes = []string{"client.", "error.", "state.", "tool.", "permission.", "notice.", "mention."}

var used = regexp.MustCompile(`"((?:layout|elapsed|skip|nav|home|session|row|message|state|thought|tool|cut|plan|permission|context|notice|unknown|queue|composer|settings|login|fault|error)\.[a-z_.-]+[a-z])"`)

// TestKeysAreUsed: each key is named by the code that draws, and each name in
// that code is a key.
func TestKeysAreUsed(t *testing.T) {
	t.Parallel()
	sources, err := filepath.Glob("../templates/*")
	if err != nil {
		t.Fatal(err)
	}
	sources = append(sources, "clock.go")
	names := map[string]bool{"app.name": true}
	for _, source := range sources {
		if ext := filepath.Ext(source); ext != ".go" && ext != ".templ" || strings.HasSuffix(source, "_test.go") {
			continue
		}
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range used.FindAllStringSubmatch(string(text), -1) {
			names[m[1]] = true
		}
	}
	p := For(English)
	for name := range names {
		if !p.Has(name) {
			t.Errorf("%s is used and has no words", name)
		}
	}
	if len(names) < 60 {
		t.Errorf("only %d names found in the templates", len(names))
	}
	for key := range p.messages {
		if !names[key] && !slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(key, prefix) }) {
			t.Errorf("%s is used nowhere", key)
		}
	}
	for key := range p.messages {
		if strings.HasPrefix(key, "error.") && !strings.HasSuffix(key, ".hint") && !p.Has(key+".hint") {
			t.Errorf("%s says what happened, but not what to do", key)
		}
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		preferences []string
		want        Lang
	}{
		{nil, English},
		{[]string{""}, English},
		{[]string{"en-GB,en;q=0.9"}, English},
		{[]string{"zh-CN,zh;q=0.9,en;q=0.8"}, Chinese},
		{[]string{"zh"}, Chinese},
		{[]string{"zh-Hans-SG"}, Chinese},
		{[]string{"de-DE, zh;q=0.5"}, Chinese},
		{[]string{"fr-FR"}, English},
		{[]string{"en;q=0.2, zh;q=0.9"}, Chinese},
		{[]string{"zh-CN", "en"}, Chinese},
		{[]string{"en", "zh-CN"}, English},
		{[]string{"", "zh-CN"}, Chinese},
		{[]string{"not a language ///", "zh-CN"}, Chinese},
		{[]string{strings.Repeat("zh-CN,", 200), "en"}, English},
		{[]string{"*"}, English},
	} {
		if got := Match(tc.preferences...); got != tc.want {
			t.Errorf("%.60q gives %s, want %s", tc.preferences, got, tc.want)
		}
	}
}

func TestPrinter(t *testing.T) {
	t.Parallel()
	en, zh := For(English), For(Chinese)
	for _, tc := range []struct{ got, want string }{
		{en.T("nav.today"), "Today"},
		{zh.T("nav.today"), "今天"},
		{en.T("queue.count", 0), "0 messages waiting"},
		{en.T("queue.count", 1), "1 message waiting"},
		{en.T("queue.count", 2), "2 messages waiting"},
		{zh.T("queue.count", 1), "1 条消息在等待"},
		{en.T("no.such.key"), "no.such.key"},
		{en.T("notice.mode", "100%d"), "Mode: 100%d"},
		{zh.T("context.inject"), "上下文注入"},
		{zh.T("context.recall"), "会话召回"},
		{zh.T("message.steering"), "插话"},
		{en.T("context.recall"), "Recalled session"},
		{string(For("xx").Lang()), "en"},
		{string(zh.Lang()), "zh-CN"},
		{zh.Dir(), "ltr"},
	} {
		if tc.got != tc.want {
			t.Errorf("got %q, want %q", tc.got, tc.want)
		}
	}
}

func TestClock(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("UTC+8", 8*3600)
	now := time.Date(2026, 11, 30, 0, 10, 0, 0, zone)
	for _, tc := range []struct {
		at     time.Time
		en, zh string
	}{
		{now.UTC(), "00:10", "00:10"},
		{now.Add(-20 * time.Minute).UTC(), "Nov 29, 23:50", "11月29日 23:50"},
		{now.AddDate(-1, 0, 0), "Nov 30, 2025, 00:10", "2025年11月30日 00:10"},
	} {
		if got := For(English).Clock(tc.at, now); got != tc.en {
			t.Errorf("got %s, want %s", got, tc.en)
		}
		if got := For(Chinese).Clock(tc.at, now); got != tc.zh {
			t.Errorf("got %s, want %s", got, tc.zh)
		}
	}
}

func TestElapsed(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Second:                        "0.0 s",
		430 * time.Millisecond:              "0.4 s",
		9_990 * time.Millisecond:            "9.9 s",
		10 * time.Second:                    "10 s",
		59_999 * time.Millisecond:           "59 s",
		83 * time.Second:                    "1 min 23 s",
		time.Hour:                           "1 h 0 min",
		26*time.Hour + 5*time.Minute + 59e9: "26 h 5 min",
	} {
		if got := For(English).Elapsed(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
	if got := For(Chinese).Elapsed(83 * time.Second); got != "1 分 23 秒" {
		t.Errorf("got %q", got)
	}
}
