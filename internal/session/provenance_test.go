package session

import (
	"encoding/json"
	"testing"
)

func TestProvenance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, source, role, label string }{
		// A line each of the table.
		{"session-reference", `{"kind":"session-reference","references":[{"label":"Plan"},{"label":"Notes"}]}`, RoleRecall, "Plan, Notes"},
		{"workspace-instructions", `{"kind":"workspace-instructions","changes":[{"path":"AGENTS.md"},{"path":"docs/STYLE.md"}]}`, RoleInject, "AGENTS.md, docs/STYLE.md"},
		{"agent-instructions", `{"kind":"agent-instructions","changes":[{"path":"RULES.md"}]}`, RoleInject, "RULES.md"},
		{"plugin", `{"kind":"plugin","plugin":"@acme/clock"}`, RoleInject, "@acme/clock"},
		{"skill-invocation", `{"kind":"skill-invocation","name":"review"}`, RoleInject, "review"},
		{"reference", `{"kind":"reference","references":[{"label":"main.go"}]}`, RoleInject, "main.go"},
		{"any other string", `{"kind":"weather-station","name":"no name field is read here"}`, RoleInject, "weather-station"},
		{"a person, in a context message", `{"kind":"user"}`, RoleInject, "user"},
		{"missing kind", `{"plugin":"x"}`, RoleInject, ""},

		// First-seen order, each once.
		{"repeated labels", `{"kind":"session-reference","references":[{"label":"B"},{"label":"A"},{"label":"B"}]}`, RoleRecall, "B, A"},
		{"repeated paths", `{"kind":"workspace-instructions","changes":[{"path":"b"},{"path":"b"},{"path":"a"}]}`, RoleInject, "b, a"},
		{"labels of another case differ", `{"kind":"reference","references":[{"label":"x"},{"label":"X"}]}`, RoleInject, "x, X"},

		// Name fields that cannot be used fall back to the kind.
		{"references missing", `{"kind":"session-reference"}`, RoleRecall, "session-reference"},
		{"references null", `{"kind":"session-reference","references":null}`, RoleRecall, "session-reference"},
		{"references empty", `{"kind":"reference","references":[]}`, RoleInject, "reference"},
		{"references of the wrong type", `{"kind":"reference","references":{"label":"x"}}`, RoleInject, "reference"},
		{"labels of the wrong type", `{"kind":"session-reference","references":[{"label":5},{"label":null},{"label":["x"]}]}`, RoleRecall, "session-reference"},
		{"labels empty", `{"kind":"reference","references":[{"label":""},{"label":" \t"}]}`, RoleInject, "reference"},
		{"one label usable", `{"kind":"reference","references":[7,null,{"label":5},{},{"label":"x"}]}`, RoleInject, "x"},
		{"changes missing", `{"kind":"workspace-instructions"}`, RoleInject, "workspace-instructions"},
		{"paths of the wrong type", `{"kind":"agent-instructions","changes":[{"path":{}}]}`, RoleInject, "agent-instructions"},
		{"plugin missing", `{"kind":"plugin"}`, RoleInject, "plugin"},
		{"plugin empty", `{"kind":"plugin","plugin":""}`, RoleInject, "plugin"},
		{"plugin of the wrong type", `{"kind":"plugin","plugin":["x"]}`, RoleInject, "plugin"},
		{"name missing", `{"kind":"skill-invocation"}`, RoleInject, "skill-invocation"},
		{"name of the wrong type", `{"kind":"skill-invocation","name":1}`, RoleInject, "skill-invocation"},
		{"field in another case", `{"kind":"plugin","Plugin":"x"}`, RoleInject, "plugin"},

		// No readable kind: an unnamed row.
		{"kind null", `{"kind":null}`, RoleInject, ""},
		{"kind a number", `{"kind":5}`, RoleInject, ""},
		{"kind a list", `{"kind":["plugin"],"plugin":"x"}`, RoleInject, ""},
		{"kind empty", `{"kind":""}`, RoleInject, ""},
		{"kind blank", `{"kind":"  "}`, RoleInject, ""},
		{"kind in another case", `{"Kind":"plugin","plugin":"x"}`, RoleInject, ""},
		{"source a string", `"plugin"`, RoleInject, ""},
		{"source a list", `[{"kind":"plugin"}]`, RoleInject, ""},
		{"source null", `null`, RoleInject, ""},
		{"source broken", `{"kind":"plu`, RoleInject, ""},
		{"no source", ``, RoleInject, ""},

		// Names are shown as they are.
		{"markup in a name", `{"kind":"plugin","plugin":"<img src=x>"}`, RoleInject, "<img src=x>"},
		{"names are not trimmed", `{"kind":"plugin","plugin":" a "}`, RoleInject, " a "},
		{"a name in Chinese", `{"kind":"session-reference","references":[{"label":"计划"}]}`, RoleRecall, "计划"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			want := Provenance{Role: c.role, Label: c.label}
			if got := ProvenanceOf(json.RawMessage(c.source)); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestUserSource(t *testing.T) {
	t.Parallel()
	source := UserSource("0c5b7a0e-5f0a-4f8e-9a33-6e2f3f1f8d10")
	if want := `{"kind":"user","rpcId":"0c5b7a0e-5f0a-4f8e-9a33-6e2f3f1f8d10"}`; string(source) != want {
		t.Errorf("got %s, want %s", source, want)
	}
	if SourceKind(source) != SourceUser {
		t.Errorf("its kind reads as %q", SourceKind(source))
	}
}
