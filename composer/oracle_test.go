package composer

import (
	"bytes"
	"encoding/json"
	"regexp"
	"sort"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// A second implementation of the rules, slow and plain, to compare with: it
// reads JSON through encoding/json's tokens, which keep equal keys and number
// literals, and counts with unicode/utf16.

type member struct {
	key   string
	value any
}

// object keeps equal keys, unlike a map.
type object []member

func (o object) get(key string) (any, bool) {
	for _, m := range o {
		if m.key == key {
			return m.value, true
		}
	}
	return nil, false
}

func (o object) repeats() bool {
	seen := map[string]bool{}
	for _, m := range o {
		if seen[m.key] {
			return true
		}
		seen[m.key] = true
	}
	return false
}

// oracleList reads a list that may be used: valid, at most 32 deep.
func oracleList(raw []byte) ([]any, bool) {
	if !utf8.Valid(raw) || !json.Valid(raw) {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	deepest := 0
	v := oracleValue(d, 0, &deepest)
	items, ok := v.([]any)
	return items, ok && deepest <= 32
}

func oracleValue(d *json.Decoder, depth int, deepest *int) any {
	t, err := d.Token()
	if err != nil {
		panic(err) // json.Valid was asked before
	}
	delim, ok := t.(json.Delim)
	if !ok {
		return t
	}
	*deepest = max(*deepest, depth+1)
	list, members := []any{}, object{}
	for d.More() {
		if delim == '[' {
			list = append(list, oracleValue(d, depth+1, deepest))
			continue
		}
		key := oracleValue(d, depth+1, deepest).(string)
		members = append(members, member{key, oracleValue(d, depth+1, deepest)})
	}
	_, _ = d.Token()
	if delim == '[' {
		return list
	}
	return members
}

var oracleOffset = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})$`)

func offsetOf(o object, key string) (int, bool) {
	v, _ := o.get(key)
	n, ok := v.(json.Number)
	if !ok || !oracleOffset.MatchString(string(n)) {
		return 0, false
	}
	i, err := n.Int64()
	return int(i), err == nil
}

// keep copies the fields of o that pass their rule.
func keep(o object, rules map[string]func(any) bool) map[string]any {
	kept := map[string]any{}
	for key, rule := range rules {
		if v, ok := o.get(key); ok && rule(v) {
			kept[key] = v
		}
	}
	return kept
}

func referenceRules(text string) map[string]func(any) bool {
	return map[string]func(any) bool{
		"id":         shortString(1, 256),
		"kind":       func(v any) bool { s, ok := v.(string); return ok && schemaKind.MatchString(s) },
		"label":      shortString(0, 256),
		"value":      shortString(0, 1024),
		"serialized": func(v any) bool { return v == text && shortString(0, 1024)(v) },
		"removable":  is[bool],
	}
}

var commandRules = map[string]func(any) bool{
	"name": shortString(1, 256), "description": shortString(0, 1024), "argumentHint": shortString(0, 1024),
	"source": shortString(0, 1024), "subcommands": stringList,
	"displayCategory": func(v any) bool { return v == "custom" || v == "skill" || v == "system" },
}

// oracleEntry returns the annotation of an entry, nil where it is dropped
// whatever the content.
func oracleEntry(entry any) map[string]any {
	o, ok := entry.(object)
	if !ok || o.repeats() {
		return nil
	}
	for _, key := range []string{"reference", "command"} {
		v, _ := o.get(key)
		if inner, ok := v.(object); ok && inner.repeats() {
			return nil
		}
	}
	kind, _ := o.get("type")
	v, _ := o.get("text")
	text, _ := v.(string)
	start, startOK := offsetOf(o, "start")
	end, endOK := offsetOf(o, "end")
	if text == "" || !startOK || !endOK {
		return nil
	}
	text = strings.ReplaceAll(text, "\x00", "\uFFFD")
	a := map[string]any{"type": kind, "start": start, "end": end, "text": text}
	required := ""
	switch kind {
	case "reference":
		v, _ := o.get("reference")
		inner, _ := v.(object)
		a["reference"], required = keep(inner, referenceRules(text)), "id"
	case "command":
		v, _ := o.get("command")
		inner, _ := v.(object)
		a["command"], required = keep(inner, commandRules), "name"
		if path, ok := o.get("subcommandPath"); ok && stringList(path) {
			a["subcommandPath"] = path
		}
	default:
		return nil
	}
	if _, ok := a[kind.(string)].(map[string]any)[required]; !ok {
		return nil
	}
	return a
}

// oraclePlace sorts entries and keeps those that hold for content.
func oraclePlace(content string, entries []map[string]any) []map[string]any {
	sort.SliceStable(entries, func(i, j int) bool { return entries[i]["start"].(int) < entries[j]["start"].(int) })
	units := utf16.Encode([]rune(content))
	ends := map[any]int{}
	kept := []map[string]any{}
	for _, e := range entries {
		start, end, text := e["start"].(int), e["end"].(int), e["text"].(string)
		if start >= end || end > len(units) || end-start > 1024 ||
			inPair(units, start) || inPair(units, end) || string(utf16.Decode(units[start:end])) != text ||
			strings.ContainsAny(text, "\r\n") || strings.TrimFunc(text, unicode.IsSpace) == "" ||
			start < ends[e["type"]] {
			continue
		}
		ends[e["type"]] = end
		kept = append(kept, e)
	}
	return kept
}

func inPair(units []uint16, at int) bool {
	return at > 0 && at < len(units) &&
		utf16.DecodeRune(rune(units[at-1]), rune(units[at])) != unicode.ReplacementChar
}

func oracleSanitize(content string, raw []byte) []map[string]any {
	items, ok := oracleList(raw)
	if !ok || len(raw) > 256*1024 {
		return []map[string]any{}
	}
	var entries []map[string]any
	for _, item := range items[:min(256, len(items))] {
		if e := oracleEntry(item); e != nil {
			entries = append(entries, e)
		}
	}
	return oraclePlace(content, entries)
}

// oracleBuild is Build without its errors: ok is false where it refuses.
func oracleBuild(text string, raw []byte) (content string, annotations []map[string]any, ok bool) {
	text = strings.ReplaceAll(text, "\x00", "\uFFFD")
	if len(raw) == 0 {
		return text, []map[string]any{}, true
	}
	items, ok := oracleList(raw)
	if !ok || len(raw) > 256*1024 || len(items) > 256 {
		return "", nil, false
	}
	var forms []string
	type placed struct {
		o             object
		form          string
		start, end    int
		inline, valid bool
		command       map[string]any // the annotation, where it is one
	}
	var tags []placed
	for _, item := range items {
		o, isObject := item.(object)
		if kind, _ := o.get("type"); kind == "command" && !o.repeats() {
			if e := oracleEntry(item); e != nil {
				tags = append(tags, placed{command: e})
			}
			continue
		}
		form := ""
		for _, key := range []string{"id", "label", "value", "serialized"} {
			v, _ := o.get(key)
			if s, _ := v.(string); s != "" {
				form = strings.ReplaceAll(s, "\x00", "\uFFFD")
			}
		}
		if !isObject || o.repeats() || form == "" {
			continue
		}
		p := placed{o: o, form: form, valid: true}
		_, hasStart := o.get("start")
		_, hasEnd := o.get("end")
		if p.inline = hasStart || hasEnd; p.inline {
			start, startOK := offsetOf(o, "start")
			end, endOK := offsetOf(o, "end")
			p.start, p.end, p.valid = start, end, startOK && endOK
		} else {
			p.start = len(utf16.Encode([]rune(strings.Join(append(forms, ""), "\n"))))
			forms = append(forms, form)
			p.end = p.start + len(utf16.Encode([]rune(form)))
		}
		tags = append(tags, p)
	}
	prefix := strings.Join(forms, "\n")
	if prefix != "" && text != "" {
		prefix += "\n\n"
	}
	offset := len(utf16.Encode([]rune(prefix)))
	var entries []map[string]any
	for _, p := range tags {
		if p.command != nil {
			p.command["start"], p.command["end"] = p.command["start"].(int)+offset, p.command["end"].(int)+offset
			entries = append(entries, p.command)
			continue
		}
		if p.inline {
			p.start, p.end = p.start+offset, p.end+offset
		}
		ref := keep(p.o, referenceRules(p.form))
		if _, hasID := ref["id"]; !hasID || !p.valid {
			continue
		}
		entries = append(entries, map[string]any{
			"type": "reference", "start": p.start, "end": p.end, "text": p.form, "reference": ref,
		})
	}
	return prefix + text, oraclePlace(prefix+text, entries), true
}
