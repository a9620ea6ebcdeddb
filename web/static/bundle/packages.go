package bundle

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// stampName, in node_modules, holds the hash of the lock file that was
// installed.
const stampName = ".lock-hash"

// install brings in the packages of the lock file, unless they are there.
func install(client string) error {
	lock, err := os.ReadFile(filepath.Join(client, "package-lock.json"))
	if err != nil {
		return err
	}
	sum := sha256.Sum256(lock)
	want := hex.EncodeToString(sum[:])
	stamp := filepath.Join(client, "node_modules", stampName)
	if have, err := os.ReadFile(stamp); err == nil && string(have) == want {
		return nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return errors.New("npm is needed to bundle the client and to test it: install Node.js with npm, version 18 or later")
	}
	cmd := exec.Command(npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
	cmd.Dir = client
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("npm ci in %s: %w", client, err)
	}
	return os.WriteFile(stamp, []byte(want), 0o644)
}

var packagePath = regexp.MustCompile(`^node_modules/((?:@[^/]+/)?[^/]+)/`)

// packagesIn names the packages that a bundle holds, from esbuild's metafile.
func packagesIn(metafile string) ([]string, error) {
	var meta struct {
		Inputs map[string]struct{} `json:"inputs"`
	}
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return nil, err
	}
	var names []string
	for input := range meta.Inputs {
		if m := packagePath.FindStringSubmatch(input); m != nil {
			names = append(names, m[1])
		} else if !strings.HasPrefix(input, "src/") {
			return nil, fmt.Errorf("%s is in the bundle and neither ours nor of a package", input)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// licensesOf joins the licences of packages, in order of their names.
func licensesOf(client string, packages []string) ([]byte, error) {
	packages = slices.Clone(packages)
	slices.Sort(packages)
	var out bytes.Buffer
	out.WriteString("Packages in the scripts of this folder, with their licences.\n")
	for _, name := range slices.Compact(packages) {
		dir := filepath.Join(client, "node_modules", filepath.FromSlash(name))
		raw, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err != nil {
			return nil, err
		}
		var about struct{ Version, License string }
		if err := json.Unmarshal(raw, &about); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if !slices.Contains(allowedLicenses, about.License) {
			return nil, fmt.Errorf("%s has the licence %q, which is not among those that may be vendored", name, cmp.Or(about.License, "none"))
		}
		text, err := licenseText(dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(&out, "\n%s\n%s %s, %s\n\n%s\n", strings.Repeat("-", 72), name, about.Version, about.License, bytes.TrimSpace(text))
	}
	return out.Bytes(), nil
}

// allowedLicenses are SPDX names of licences that ask for no more than their
// text beside the copy.
var allowedLicenses = []string{"MIT", "0BSD", "BSD-0-Clause", "ISC", "BSD-2-Clause", "BSD-3-Clause"}

func licenseText(dir string) ([]byte, error) {
	for _, name := range []string{"LICENSE", "LICENSE.md", "LICENSE.txt"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			return text, nil
		}
	}
	return nil, errors.New("no licence file")
}

// withoutMap drops the note that points to a source map, which is not served.
func withoutMap(js []byte) []byte {
	if i := bytes.LastIndex(js, []byte("//# sourceMappingURL=")); i >= 0 {
		js = js[:i]
	}
	return append(bytes.TrimSpace(js), '\n')
}
