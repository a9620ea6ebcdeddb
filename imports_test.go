package webshell_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport says which of our packages each of our packages may import. A
// trailing /... covers what is below. Packages that are not listed are wiring,
// tools and benchmarks, which may import everything.
var mayImport = map[string][]string{
	"composer":           nil,
	"migrations":         nil,
	"internal/bus":       nil,
	"internal/config":    nil,
	"internal/localpg":   nil,
	"internal/markdown":  nil,
	"internal/sse":       nil,
	"internal/workspace": nil,
	"web/locales":        nil,
	"web/static":         nil,
	"internal/session":   {"composer"},
	"store":              {"internal/session", "composer", "migrations"},
	"internal/logfile":   {"store", "internal/session", "composer"},
	"internal/turn":      {"internal/session", "composer"},
	"internal/mention":   {"internal/workspace", "composer"},
	"internal/agent/...": {"internal/turn", "internal/session", "internal/workspace", "composer"},
	"web/templates":      {"internal/session", "composer", "web/locales", "web/static"},
	"handlers": {"store", "composer", "internal/bus", "internal/config", "internal/logfile", "internal/markdown", "internal/mention", "internal/session",
		"internal/sse", "internal/turn", "web/locales", "web/static", "web/templates"},
	"store/storetest": {"store", "internal/localpg"},
}

// generators make what is embedded beside them; they are part of no program.
var generators = []string{"internal/markdown/gencss", "web/static/bundle", "web/static/bundle/clienttests"}

const module = "webshell/"

func TestPackagesImportDownwardsOnly(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(p.ImportPath, module)
		rule, allowed := ruleOf(name)
		if rule == "" {
			continue
		}
		seen[rule] = true
		for _, imported := range p.Imports {
			ours, ok := strings.CutPrefix(imported, module)
			if ok && !slices.Contains(allowed, ours) {
				t.Errorf("%s imports %s, may import %v", name, ours, allowed)
			}
		}
	}
	for rule := range mayImport {
		if !seen[rule] {
			t.Errorf("there is a rule for %s, which is not there", rule)
		}
	}
}

func ruleOf(name string) (rule string, allowed []string) {
	if slices.Contains(generators, name) {
		return "", nil
	}
	if allowed, ok := mayImport[name]; ok {
		return name, allowed
	}
	for rule, allowed := range mayImport {
		if parent, ok := strings.CutSuffix(rule, "/..."); ok && strings.HasPrefix(name, parent+"/") {
			return rule, allowed
		}
	}
	return "", nil
}
