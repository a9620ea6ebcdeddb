package session

import (
	"encoding/json"
	"strings"
)

// SourceUser is the source kind of a person's message.
const SourceUser = "user"

// Roles of a context row.
const (
	RoleInject = "inject" // a producer added to the model's context
	RoleRecall = "recall" // material of another session was read into this one
)

// Provenance says what a context row is and who produced it. Both come from
// the logged source alone, so that a log written elsewhere, by producers this
// build has never seen, shows exactly like a live one.
type Provenance struct {
	Role  string
	Label string // empty: an unnamed row, shown without a separator
}

// ProvenanceOf reads role and label from a source. A name field that is
// missing, empty or of the wrong type falls back to the kind; a source without
// a readable kind gives an unnamed injection.
func ProvenanceOf(source json.RawMessage) Provenance {
	fields := objectFields(source)
	kind := stringField(fields, "kind")
	p := Provenance{Role: RoleInject, Label: kind}
	name := ""
	switch kind {
	case "":
		return p
	case "session-reference":
		p.Role = RoleRecall
		name = distinct(fields["references"], "label")
	case "workspace-instructions", "agent-instructions":
		name = distinct(fields["changes"], "path")
	case "plugin":
		name = stringField(fields, "plugin")
	case "skill-invocation":
		name = stringField(fields, "name")
	case "reference":
		name = distinct(fields["references"], "label")
	}
	if name != "" {
		p.Label = name
	}
	return p
}

// SourceKind is the source's kind, or "" where none can be read.
func SourceKind(source json.RawMessage) string {
	return stringField(objectFields(source), "kind")
}

// UserSource is the source of a message that a person submitted.
func UserSource(requestID string) json.RawMessage {
	b, err := json.Marshal(struct {
		Kind  string `json:"kind"`
		RPCID string `json:"rpcId"`
	}{SourceUser, requestID})
	if err != nil {
		panic("session: a struct of two strings always encodes: " + err.Error())
	}
	return b
}

// objectFields reads an object's fields with their exact names; anything that
// is no object has none. A map, not a struct: struct fields would be matched
// without regard to case.
func objectFields(raw json.RawMessage) map[string]json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return nil
	}
	return fields
}

// stringField is the field as a string, or "" where it is missing, blank or of
// another type.
func stringField(fields map[string]json.RawMessage, name string) string {
	raw, ok := fields[name]
	if !ok {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil || strings.TrimSpace(s) == "" {
		return ""
	}
	return s
}

// distinct joins the named string of each list entry, first-seen order.
func distinct(list json.RawMessage, name string) string {
	var entries []json.RawMessage
	if json.Unmarshal(list, &entries) != nil {
		return ""
	}
	var names []string
	seen := map[string]bool{}
	for _, entry := range entries {
		s := stringField(objectFields(entry), name)
		if s == "" || seen[s] {
			continue
		}
		seen[s] = true
		names = append(names, s)
	}
	return strings.Join(names, ", ")
}
