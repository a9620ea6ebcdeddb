package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// module is one module that is linked into the program.
type module struct {
	Path, Version, Dir string
}

// standardLibrary is how the list names what comes from Go itself.
const standardLibrary = "std"

// linked gives the modules whose packages are linked into a program, by path.
// The program's own module is left out, the standard library comes first.
func linked(program string) ([]module, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", explain(err))
	}
	cmd := exec.Command("go", "list", "-deps", "-json=Module", program)
	printed, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", program, explain(err))
	}
	found := map[string]module{}
	dec := json.NewDecoder(strings.NewReader(string(printed)))
	for {
		var pkg struct {
			Module *struct {
				module
				Main    bool
				Replace *module
			}
		}
		if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if pkg.Module == nil || pkg.Module.Main {
			continue
		}
		m := pkg.Module.module
		if pkg.Module.Replace != nil {
			m.Dir = pkg.Module.Replace.Dir
		}
		found[m.Path] = m
	}
	all := []module{{Path: standardLibrary, Dir: strings.TrimSpace(string(root))}}
	for _, path := range slices.Sorted(maps.Keys(found)) {
		all = append(all, found[path])
	}
	return all, nil
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|copyright|notice|patents)([._-].*)?$`)

// files names the licence files in a module's top folder.
func (m module) files() ([]string, error) {
	dir, err := os.ReadDir(m.Dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range dir {
		if f.Type().IsRegular() && licenceFile.MatchString(f.Name()) {
			names = append(names, f.Name())
		}
	}
	return names, nil
}

// licences names the licences of a module's files. None, and a refused one,
// are errors.
func (m module) licences() ([]string, error) {
	files, err := m.files()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(m.Dir, f))
		if err != nil {
			return nil, err
		}
		good, bad := identify(string(text))
		if len(bad) > 0 {
			return nil, fmt.Errorf("%s: %s is under %s: take another module", m.Path, f, strings.Join(bad, ", "))
		}
		for _, name := range good {
			names = add(names, name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s %s: no licence known to this check in %v of %s", m.Path, m.Version, files, m.Dir)
	}
	return names, nil
}

// explain puts what a command printed on standard error into its error.
func explain(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
	}
	return err
}
