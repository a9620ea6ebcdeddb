package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const (
	mit   = "Permission is hereby granted, free of charge, to any person\nobtaining a copy of this software"
	bsd2  = "Redistribution and use in source and binary forms, with or without modification"
	bsd3  = bsd2 + "\n3. names may not be used to endorse or\npromote products derived from this software"
	apach = "                 Apache License\n           Version 2.0, January 2004\n"
	gpl   = "GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007"
)

func TestIdentify(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want, bad  []string
	}{
		{"MIT over two lines", mit, []string{"MIT"}, nil},
		{"BSD without the clause on names", bsd2, []string{"BSD-2-Clause"}, nil},
		{"BSD with it", bsd3, []string{"BSD-3-Clause"}, nil},
		{"Apache by its heading", strings.ReplaceAll(apach, "License\n", "License,\n"), []string{"Apache-2.0"}, nil},
		{"two in one file", mit + "\n" + apach, []string{"Apache-2.0", "MIT"}, nil},
		{"GPL", gpl, nil, []string{"GPL"}},
		{"MIT or MPL", mit + "\nor the Mozilla Public License", []string{"MIT"}, []string{"MPL"}},
		{"prose", "You may use this as you like.", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, bad := identify(tt.text)
			if !reflect.DeepEqual(got, tt.want) || !reflect.DeepEqual(bad, tt.bad) {
				t.Errorf("got %v and refused %v, want %v and %v", got, bad, tt.want, tt.bad)
			}
		})
	}
}

// program writes a program that imports one module, whose licence file is
// given, and makes its folder the current one.
func program(t *testing.T, file, licence string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":            "module example.test/p\n\ngo 1.26.0\n\nrequire example.test/dep v1.2.3\n\nreplace example.test/dep => ./dep\n",
		"main.go":           "package main\n\nimport _ \"example.test/dep\"\n\nfunc main() {}\n",
		"dep/go.mod":        "module example.test/dep\n\ngo 1.26.0\n",
		"dep/dep.go":        "package dep\n",
		"dep/other_LICENSE": gpl,
		"dep/" + file:       licence,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

func TestList(t *testing.T) {
	tests := []struct{ name, file, licence, want, wantErr string }{
		{"permissive", "LICENSE.md", mit, "| std | as built with | BSD-3-Clause |\n| example.test/dep | v1.2.3 | MIT |\n", ""},
		{"copyleft", "COPYING", gpl, "", "example.test/dep: COPYING is under GPL"},
		{"unknown", "LICENSE", "ask me", "", "example.test/dep v1.2.3: no licence known"},
		{"none", "README", mit, "", "no licence known to this check in []"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			program(t, tt.file, tt.licence)
			var out strings.Builder
			err := run([]string{"list", "."}, &out)
			if tt.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), tt.wantErr) || out.Len() > 0 {
					t.Errorf("got %v and %q, want an error with %q and no output", err, out.String(), tt.wantErr)
				}
				return
			}
			if err != nil || !strings.HasSuffix(out.String(), "|---|---|---|\n"+tt.want) {
				t.Errorf("got %v and %q, want the table %q", err, out.String(), tt.want)
			}
		})
	}
}

func TestCopy(t *testing.T) {
	program(t, "LICENSE", mit)
	dir := t.TempDir()
	if err := run([]string{"copy", dir, "."}, nil); err != nil {
		t.Fatal(err)
	}
	var got []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			got = append(got, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"example.test/dep/LICENSE", "std/LICENSE", "std/PATENTS"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if text, err := os.ReadFile(filepath.Join(dir, want[0])); err != nil || string(text) != mit {
		t.Errorf("got %q, %v, want the licence's text", text, err)
	}
}
