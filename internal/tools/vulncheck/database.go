package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// moduleIndex is one element of index/modules.json in the layout of
// https://go.dev/doc/security/vuln/database#api. "fixed" is optional there and
// left out: govulncheck then reads every entry of a module and applies its
// version ranges itself.
type moduleIndex struct {
	Path  string      `json:"path"`
	Vulns []vulnIndex `json:"vulns"`
}

type vulnIndex struct {
	ID       string    `json:"id"`
	Modified time.Time `json:"modified"`
}

// entry is what the index needs of an OSV file.
type entry struct {
	ID       string
	Affected []struct{ Package struct{ Name string } }
}

// writeDatabase lays out a database for govulncheck's -db file://dir from the
// OSV files of src: index/db.json, index/modules.json and ID/<ID>.json.
// Accepted entries stay out of the index, so that they are never found.
func writeDatabase(dir string, src source, accepted []acceptance) error {
	modules, err := index(src, accepted)
	if err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(dir, "index"), 0o755); err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(dir, "index", "modules.json"), modules); err != nil {
		return err
	}
	db := map[string]time.Time{"modified": src.time}
	if err := writeJSON(filepath.Join(dir, "index", "db.json"), db); err != nil {
		return err
	}
	return os.Symlink(src.entries, filepath.Join(dir, "ID"))
}

// index lists, by module, the entries of src that are not accepted. The files
// carry no times of their own, so all get the source's.
func index(src source, accepted []acceptance) ([]moduleIndex, error) {
	files, err := os.ReadDir(src.entries)
	if err != nil {
		return nil, err
	}
	left := map[string]bool{}
	for _, a := range accepted {
		left[a.id] = true
	}
	byModule := map[string][]vulnIndex{}
	for _, f := range files {
		e, err := readEntry(filepath.Join(src.entries, f.Name()))
		if err != nil {
			return nil, err
		}
		if left[e.ID] {
			delete(left, e.ID)
			continue
		}
		for _, path := range modulesOf(e) {
			byModule[path] = append(byModule[path], vulnIndex{ID: e.ID, Modified: src.time})
		}
	}
	for id := range left {
		return nil, fmt.Errorf("accepted.txt: the database has no %s", id)
	}
	if len(byModule) == 0 {
		return nil, fmt.Errorf("%s %s: no entry in %s", sourceModule, src.version, src.entries)
	}
	modules := make([]moduleIndex, 0, len(byModule))
	for path, vulns := range byModule {
		modules = append(modules, moduleIndex{Path: path, Vulns: vulns})
	}
	slices.SortFunc(modules, func(a, b moduleIndex) int { return strings.Compare(a.Path, b.Path) })
	return modules, nil
}

func readEntry(file string) (entry, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return entry{}, err
	}
	var e entry
	if err := json.Unmarshal(raw, &e); err != nil {
		return entry{}, fmt.Errorf("%s: %w", file, err)
	}
	if e.ID+".json" != filepath.Base(file) {
		return entry{}, fmt.Errorf("%s: holds the entry %q", file, e.ID)
	}
	return e, nil
}

// modulesOf gives each module an entry affects, once.
func modulesOf(e entry) []string {
	var paths []string
	for _, a := range e.Affected {
		if !slices.Contains(paths, a.Package.Name) {
			paths = append(paths, a.Package.Name)
		}
	}
	return paths
}

func writeJSON(file string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(file, raw, 0o644)
}
