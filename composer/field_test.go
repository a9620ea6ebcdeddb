package composer

import (
	"fmt"
	"strings"
	"testing"
)

func TestSanitizeReferenceFields(t *testing.T) {
	t.Parallel()
	entry := func(more string) string { return `[` + reference(0, 2, "@a", more) + `]` }
	none := entry("")
	var cases []sanitizeCase
	kept := func(name, more string) {
		cases = append(cases, sanitizeCase{name, "@a", entry(more), entry(more), Report{}})
	}
	dropped := func(name, more string) {
		cases = append(cases, sanitizeCase{name, "@a", entry(more), none, badField})
	}
	for _, key := range []string{"kind", "label", "value", "serialized", "removable"} {
		for _, value := range []string{`null`, `5`, `[]`, `["a"]`, `{}`, `{"a":1,"a":2}`, `"a\u0000"`, `"\u0000"`} {
			dropped(key+" "+value, `,"`+key+`":`+value)
		}
	}
	for _, key := range []string{"kind", "label", "value", "serialized"} {
		dropped(key+" true", `,"`+key+`":true`)
	}
	for key, limit := range map[string]int{"label": 256, "value": 1024} {
		kept(key+" empty", `,"`+key+`":""`)
		kept(key+" blank", `,"`+key+`":" "`)
		kept(key+" at its limit", fmt.Sprintf(`,"%s":"%s"`, key, strings.Repeat("x", limit)))
		dropped(key+" over its limit", fmt.Sprintf(`,"%s":"%s"`, key, strings.Repeat("x", limit+1)))
		kept(key+" at its limit in astral characters", fmt.Sprintf(`,"%s":"%s"`, key, strings.Repeat("😀", limit/2)))
		dropped(key+" over its limit in astral characters", fmt.Sprintf(`,"%s":"%sx"`, key, strings.Repeat("😀", limit/2)))
		kept(key+" at its limit in three-byte characters", fmt.Sprintf(`,"%s":"%s"`, key, strings.Repeat("中", limit)))
		dropped(key+" over its limit in three-byte characters", fmt.Sprintf(`,"%s":"%s"`, key, strings.Repeat("中", limit+1)))
		kept(key+" with markup, bidi controls and line breaks", `,"`+key+`":"<b onload=\"x\">&amp;\u202e\n"`)
	}
	for _, kind := range []string{"a", "0", "file", "x-1.2_3:y", strings.Repeat("k", 64)} {
		kept("kind "+kind, `,"kind":"`+kind+`"`)
	}
	for _, kind := range []string{"", "A", "File", "-a", ".a", "_a", ":a", "a b", "a/b", "a\\nb", "é", "a\u200b", "a\u2028", `a\"`, "ａ", strings.Repeat("k", 65)} {
		dropped("kind "+kind, `,"kind":"`+kind+`"`)
	}
	kept("every escape", `,"value":"\"\\\/\b\f\n\r\t\u00e9\u00E9\ud83d\ude00"`)
	kept("serialized as the text", `,"serialized":"@a"`)
	dropped("serialized other than the text", `,"serialized":"@b"`)
	dropped("serialized empty", `,"serialized":""`)
	kept("removable true", `,"removable":true`)
	kept("removable false", `,"removable":false`)
	dropped("removable in quotes", `,"removable":"true"`)
	dropped("removable as a number", `,"removable":0`)
	kept("all of them", `,"kind":"file","label":"","value":"a","serialized":"@a","removable":false`)
	cases = append(cases,
		sanitizeCase{"each fault costs its field only", "@a", entry(`,"kind":1,"label":2,"value":"v","serialized":3,"removable":4`), entry(`,"value":"v"`), Report{Fields: 4}},
		sanitizeCase{"a lone surrogate in a label", "@a", entry(`,"label":"\ud800x"`), entry(`,"label":"\ufffdx"`), Report{}},
		sanitizeCase{"an id of 256 units", "@a", strings.Replace(none, `"x"`, `"`+strings.Repeat("😀", 128)+`"`, 1), strings.Replace(none, `"x"`, `"`+strings.Repeat("😀", 128)+`"`, 1), Report{}},
		sanitizeCase{"an id of 257 units", "@a", strings.Replace(none, `"x"`, `"`+strings.Repeat("😀", 128)+`x"`, 1), `[]`, badShape},
		sanitizeCase{"serialized canonical but with NUL", "\uFFFD", `[{"type":"reference","start":0,"end":1,"text":"\u0000","reference":{"id":"x","serialized":"\u0000"}}]`, `[` + reference(0, 1, "\uFFFD", "") + `]`, badField},
		sanitizeCase{"serialized before the text is known", "@a", `[{"reference":{"serialized":"@a","id":"x"},"text":"@a","end":2,"start":0,"type":"reference"}]`, entry(`,"serialized":"@a"`), Report{}},
		sanitizeCase{"subcommandPath is nothing to a reference", "@a", over(`"start":0,"end":2,"text":"@a","subcommandPath":5`), none, Report{}},
	)
	runSanitize(t, cases)
}

func TestSanitizeCommandFields(t *testing.T) {
	t.Parallel()
	entry := func(more string) string { return `[` + command(0, 2, "/x", more) + `]` }
	path := func(value string) string {
		return strings.Replace(entry(""), `,"command"`, `,"subcommandPath":`+value+`,"command"`, 1)
	}
	none := entry("")
	var cases []sanitizeCase
	kept := func(name, raw string) { cases = append(cases, sanitizeCase{name, "/x", raw, raw, Report{}}) }
	dropped := func(name, raw string) { cases = append(cases, sanitizeCase{name, "/x", raw, none, badField}) }
	for _, key := range []string{"description", "argumentHint", "source"} {
		for _, value := range []string{`null`, `5`, `true`, `[]`, `{}`, `"a\u0000"`, `"` + strings.Repeat("x", 1025) + `"`} {
			dropped(key+" "+value[:min(len(value), 9)], entry(`,"`+key+`":`+value))
		}
		kept(key+" empty", entry(`,"`+key+`":""`))
		kept(key+" at its limit", entry(`,"`+key+`":"`+strings.Repeat("x", 1024)+`"`))
	}
	for _, category := range []string{"custom", "skill", "system"} {
		kept("displayCategory "+category, entry(`,"displayCategory":"`+category+`"`))
	}
	for _, category := range []string{`""`, `"other"`, `"Custom"`, `"custom "`, `null`, `1`, `["custom"]`} {
		dropped("displayCategory "+category, entry(`,"displayCategory":`+category))
	}
	for _, list := range []string{`[]`, `[""]`, `["a"]`, `["a","a","b"]`, `["` + strings.Repeat("x", 1024) + `"]`} {
		kept("subcommands "+list[:min(len(list), 20)], entry(`,"subcommands":`+list))
		kept("subcommandPath "+list[:min(len(list), 20)], path(list))
	}
	for _, list := range []string{`null`, `"a"`, `{}`, `5`, `[1]`, `["a",null]`, `[["a"]]`, `["a",{}]`, `["a\u0000"]`, `["` + strings.Repeat("x", 1025) + `"]`} {
		dropped("subcommands "+list[:min(len(list), 20)], entry(`,"subcommands":`+list))
		dropped("subcommandPath "+list[:min(len(list), 20)], path(list))
	}
	name := func(s string) string { return strings.Replace(none, `"x"`, `"`+s+`"`, 1) }
	kept("a name of 256 units", name(strings.Repeat("n", 256)))
	cases = append(cases,
		sanitizeCase{"a name of 257 units", "/x", name(strings.Repeat("n", 257)), `[]`, badShape},
		sanitizeCase{"each fault costs its field only", "/x", strings.Replace(entry(`,"description":1,"source":"s","subcommands":[1]`), `,"command"`, `,"subcommandPath":{},"command"`, 1), entry(`,"source":"s"`), Report{Fields: 3}},
		sanitizeCase{"a path inside the command is an unknown key", "/x", entry(`,"subcommandPath":["a"]`), none, Report{}},
		sanitizeCase{"white space and escapes in a list", "/x", entry(`,"subcommands":[ "\u0061" ,` + "\n" + `"b" ]`), entry(`,"subcommands":["a","b"]`), Report{}},
	)
	runSanitize(t, cases)
}
