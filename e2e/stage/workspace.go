package stage

import (
	"os"
	"path/filepath"
)

// files are those of the workspace that is shown.
var files = map[string]string{
	"README.md":             "# Ledger\n\nA small ledger.\n",
	"AGENTS.md":             "Keep answers short.\n",
	"Makefile":              "build:\n\tmake -C src build\n",
	"docs/reading-list.md":  "# Reading list\n",
	"docs/read-only.md":     "# Read-only mode\n",
	"docs/release notes.md": "# Release notes\n",
	"docs/部署.md":            "# 部署\n",
	"src/Makefile":          "CC ?= cc\n\nbuild: ledger\n",
	"src/ledger.c":          "int main(void) { return 0; }\n",
	"src/reader.c":          "#include \"reader.h\"\n",
	"src/reader.h":          "#pragma once\n",
	"src/thread.c":          "#include <pthread.h>\n",
	"tests/reader_test.c":   "#include \"../src/reader.h\"\n",
}

// Workspace writes the sample workspace into a folder.
func Workspace(dir string) error {
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}
