package templates

import (
	"encoding/json"

	"webshell/internal/session"
)

// contextRole is the row's data-context-role, one of the two roles.
func contextRole(n *session.ContextNode) string {
	if n.Provenance.Role == session.RoleRecall {
		return session.RoleRecall
	}
	return session.RoleInject
}

// sourceFields is what a source says beside its kind, laid out for reading; a
// source that is no object is shown as it is written.
func sourceFields(source json.RawMessage) shownText {
	if isNull(source) {
		return shownText{}
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(source, &fields) != nil {
		return boundedJSON(source)
	}
	delete(fields, "kind")
	if len(fields) == 0 {
		return shownText{}
	}
	rest, err := json.Marshal(fields)
	if err != nil {
		return boundedJSON(source)
	}
	return boundedJSON(rest)
}
