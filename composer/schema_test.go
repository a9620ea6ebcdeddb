package composer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// checkAnnotations holds annotations, as they are stored, to the written schema.
// It shares no code with the package: encoding/json reads, unicode/utf16 counts.
func checkAnnotations(t testing.TB, content string, got []Annotation) {
	t.Helper()
	if got == nil {
		t.Error("annotations are nil, which JSON spells null")
	}
	stored := Encode(got)
	if err := schemaError(content, stored); err != nil {
		t.Errorf("%v\ncontent %q\nstored %s", err, content, stored)
	}
}

var schemaKind = regexp.MustCompile(`^[a-z0-9][a-z0-9._:-]{0,63}$`)

func schemaError(content string, stored []byte) error {
	if !utf8.Valid(stored) {
		return fmt.Errorf("stored JSON is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(stored))
	d.UseNumber()
	var entries []map[string]any
	if err := d.Decode(&entries); err != nil {
		return err
	}
	if len(entries) > 256 {
		return fmt.Errorf("%d entries", len(entries))
	}
	units := utf16.Encode([]rune(content))
	ends := map[string]int64{}
	last := int64(0)
	for i, e := range entries {
		start, end, err := schemaRange(e, units)
		if err == nil {
			err = schemaEntry(e)
		}
		if err != nil {
			return fmt.Errorf("entry %d: %w", i, err)
		}
		kind := e["type"].(string)
		if start < last || start < ends[kind] {
			return fmt.Errorf("entry %d: out of order or overlapping", i)
		}
		last, ends[kind] = start, end
	}
	return nil
}

func schemaRange(e map[string]any, units []uint16) (start, end int64, err error) {
	for key, to := range map[string]*int64{"start": &start, "end": &end} {
		n, ok := e[key].(json.Number)
		if !ok {
			return 0, 0, fmt.Errorf("%s is no number", key)
		}
		if *to, err = n.Int64(); err != nil {
			return 0, 0, err
		}
	}
	if start < 0 || start >= end || end > int64(len(units)) {
		return 0, 0, fmt.Errorf("range %d to %d of %d units", start, end, len(units))
	}
	for _, at := range []int64{start, end} {
		if at > 0 && at < int64(len(units)) && utf16.DecodeRune(rune(units[at-1]), rune(units[at])) != unicode.ReplacementChar {
			return 0, 0, fmt.Errorf("offset %d is inside a surrogate pair", at)
		}
	}
	text, _ := e["text"].(string)
	switch slice := string(utf16.Decode(units[start:end])); {
	case slice != text:
		return 0, 0, fmt.Errorf("text %q over %q", text, slice)
	case strings.ContainsAny(text, "\r\n") || strings.TrimFunc(text, unicode.IsSpace) == "":
		return 0, 0, fmt.Errorf("text %q may not be covered", text)
	case end-start > 1024:
		return 0, 0, fmt.Errorf("%d units covered", end-start)
	}
	return start, end, nil
}

func schemaEntry(e map[string]any) error {
	var payload any
	fields := map[string]func(any) bool{
		"type": is[string], "start": is[json.Number], "end": is[json.Number], "text": shortString(1, 1024),
	}
	inner := map[string]func(any) bool{}
	required := ""
	switch e["type"] {
	case "reference":
		payload, required = e["reference"], "id"
		fields["reference"] = is[map[string]any]
		inner["id"] = shortString(1, 256)
		inner["kind"] = func(v any) bool { s, ok := v.(string); return ok && schemaKind.MatchString(s) }
		inner["label"] = shortString(0, 256)
		inner["value"] = shortString(0, 1024)
		inner["serialized"] = func(v any) bool { return v == e["text"] }
		inner["removable"] = is[bool]
	case "command":
		payload, required = e["command"], "name"
		fields["command"], fields["subcommandPath"] = is[map[string]any], stringList
		inner["name"] = shortString(1, 256)
		inner["description"], inner["argumentHint"], inner["source"] = shortString(0, 1024), shortString(0, 1024), shortString(0, 1024)
		inner["displayCategory"] = func(v any) bool { return v == "custom" || v == "skill" || v == "system" }
		inner["subcommands"] = stringList
	default:
		return fmt.Errorf("type %v", e["type"])
	}
	object, _ := payload.(map[string]any)
	if _, ok := object[required]; !ok {
		return fmt.Errorf("no %s", required)
	}
	if err := schemaFields(e, fields); err != nil {
		return err
	}
	return schemaFields(object, inner)
}

func schemaFields(object map[string]any, rules map[string]func(any) bool) error {
	for key, v := range object {
		if rule, ok := rules[key]; !ok || !rule(v) {
			return fmt.Errorf("field %s may not be %v", key, v)
		}
	}
	return nil
}

func is[T any](v any) bool { _, ok := v.(T); return ok }

func shortString(least, most int) func(any) bool {
	return func(v any) bool {
		s, ok := v.(string)
		n := len(utf16.Encode([]rune(s)))
		return ok && least <= n && n <= most && !strings.Contains(s, "\x00")
	}
}

func stringList(v any) bool {
	items, ok := v.([]any)
	for _, item := range items {
		ok = ok && shortString(0, 1024)(item)
	}
	return ok
}

func TestSchemaCheckerFindsFaults(t *testing.T) {
	t.Parallel()
	for _, stored := range []string{
		`{}`, `[{}]`, `[null]`,
		`[{"type":"reference","start":0,"end":2,"text":"@a"}]`,
		`[{"type":"reference","start":0,"end":2,"text":"@b","reference":{"id":"x"}}]`,
		`[{"type":"reference","start":0,"end":3,"text":"@a ","reference":{"id":"x"}}]`,
		`[{"type":"reference","start":0,"end":2,"text":"@a","reference":{"id":"x","icon":"y"}}]`,
		`[{"type":"reference","start":0,"end":2,"text":"@a","reference":{"id":"x","kind":"A"}}]`,
		`[{"type":"reference","start":0,"end":2,"text":"@a","reference":{"id":"x"},"extra":1}]`,
		`[{"type":"reference","start":0,"end":2,"text":"@a","reference":{"id":"x"}},{"type":"reference","start":1,"end":2,"text":"a","reference":{"id":"x"}}]`,
	} {
		if schemaError("@a", []byte(stored)) == nil {
			t.Errorf("no fault found in %s", stored)
		}
	}
	good := `[{"type":"reference","start":0,"end":2,"text":"@a","reference":{"id":"x"}}]`
	if err := schemaError("@a", []byte(good)); err != nil {
		t.Errorf("%v in %s", err, good)
	}
}
