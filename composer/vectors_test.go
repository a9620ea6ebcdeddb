package composer

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

// vectors is testdata/vectors.json, which every implementation of the rules reads.
type vectors struct {
	Sanitize []struct {
		Name, Content, Raw string
		Annotations        json.RawMessage
	}
	Build []struct {
		Name, Text, Tags, Content string
		Annotations               json.RawMessage
		// Refused says in words why the submission is refused.
		Refused string
	}
}

func readVectors(t testing.TB) vectors {
	t.Helper()
	raw, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Sanitize) < 100 || len(v.Build) < 49 {
		t.Fatalf("the vector file lost cases: %d for Sanitize, %d for Build", len(v.Sanitize), len(v.Build))
	}
	return v
}

func TestSanitizeVectors(t *testing.T) {
	t.Parallel()
	for _, c := range readVectors(t).Sanitize {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			got, _ := Sanitize(c.Content, []byte(c.Raw))
			wantJSON(t, Encode(got), c.Annotations)
			checkAnnotations(t, c.Content, got)
		})
	}
}

func TestBuildVectors(t *testing.T) {
	t.Parallel()
	for _, c := range readVectors(t).Build {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			m, _, err := Build(c.Text, []byte(c.Tags))
			if c.Refused != "" {
				if err == nil {
					t.Fatalf("accepted, want refused: %s", c.Refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if m.Content != c.Content {
				t.Errorf("content %q, want %q", m.Content, c.Content)
			}
			wantJSON(t, Encode(m.Annotations), c.Annotations)
			checkAnnotations(t, m.Content, m.Annotations)
		})
	}
}

// wantJSON compares two JSON texts as values: absent, null and empty differ.
func wantJSON(t testing.TB, got, want []byte) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatalf("not JSON: %v in %s", err, got)
	}
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatalf("not JSON: %v in %s", err, want)
	}
	if !reflect.DeepEqual(g, w) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
