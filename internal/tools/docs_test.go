// Package tools holds what checks the product; see the folders below.
package tools

import (
	"os"
	"regexp"
	"testing"

	"golang.org/x/mod/modfile"
)

var row = regexp.MustCompile(`(?m)^\| (\S+/\S+) \| (v\S+) \|`)

// TestDependenciesPage wants a row for each direct dependency of the product
// and of the tools, with its version, and no other row.
func TestDependenciesPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{}
	for _, m := range row.FindAllStringSubmatch(string(page), -1) {
		listed[m[1]] = m[2]
	}
	wanted := map[string]string{"honnef.co/go/tools": toolVersion(t, "go.mod", "honnef.co/go/tools")}
	for _, file := range []string{"../../go.mod", "go.mod", "../../deploy/composetest/go.mod"} {
		for _, r := range parse(t, file).Require {
			if !r.Indirect {
				wanted[r.Mod.Path] = r.Mod.Version
			}
		}
	}
	for path, version := range wanted {
		if listed[path] != version {
			t.Errorf("docs/dependencies.md: %s has the version %q, want %s", path, listed[path], version)
		}
	}
	for path := range listed {
		if wanted[path] == "" {
			t.Errorf("docs/dependencies.md: %s is no direct dependency", path)
		}
	}
}

// toolVersion is the version of a module that is required for its tool alone,
// which go.mod marks as indirect.
func toolVersion(t *testing.T, file, path string) string {
	t.Helper()
	for _, r := range parse(t, file).Require {
		if r.Mod.Path == path {
			return r.Mod.Version
		}
	}
	t.Fatalf("%s does not require %s", file, path)
	return ""
}

func parse(t *testing.T, file string) *modfile.File {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse(file, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return mod
}
