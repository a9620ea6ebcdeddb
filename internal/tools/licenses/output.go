package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const header = `# Licences of what the program holds

Made by ` + "`make licenses`" + ` from the licence files in the module cache; ` + "`make test`" + ` fails when it is stale, or when a module is under a licence that is copyleft or unknown.

| Module | Version | Licence |
|---|---|---|
`

// list prints a table of the modules with their licences, or every module
// whose licence is refused.
func list(out io.Writer, modules []module) error {
	var table strings.Builder
	var problems []error
	for _, m := range modules {
		names, err := m.licences()
		if err != nil {
			problems = append(problems, err)
			continue
		}
		version := m.Version
		if version == "" {
			version = "as built with"
		}
		fmt.Fprintf(&table, "| %s | %s | %s |\n", m.Path, version, strings.Join(names, ", "))
	}
	if err := errors.Join(problems...); err != nil {
		return err
	}
	_, err := io.WriteString(out, header+table.String())
	return err
}

// copyFiles copies each module's licence files to dir/<module path>/, as their
// terms ask of whoever passes the program on.
func copyFiles(dir string, modules []module) error {
	for _, m := range modules {
		files, err := m.files()
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(m.Path))
		if err := os.MkdirAll(to, 0o755); err != nil {
			return err
		}
		for _, f := range files {
			text, err := os.ReadFile(filepath.Join(m.Dir, f))
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(to, f), text, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
