package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// file is webshell.yaml. Every key that is not here is an error.
type file struct {
	Addr        string            `yaml:"addr"`
	DatabaseURL string            `yaml:"database_url"`
	Data        string            `yaml:"data"`
	Workspace   string            `yaml:"workspace"`
	BasePath    string            `yaml:"base_path"`
	PublicURL   string            `yaml:"public_url"`
	Hosts       []string          `yaml:"hosts"`
	PGBin       string            `yaml:"pg_bin"`
	Icons       map[string]string `yaml:"icons"`
}

// maxFile bounds the file; icons may be 32 KiB each.
const maxFile = 4 << 20

func readFile(name string, required bool, env map[string]string) (file, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) && !required {
		return file{}, nil
	}
	if err != nil {
		return file{}, fmt.Errorf("read the configuration: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return file{}, fmt.Errorf("read the configuration: %w", err)
	}
	if len(data) > maxFile {
		return file{}, fmt.Errorf("%s is larger than %d MiB", name, maxFile>>20)
	}
	return parseFile(name, data, env)
}

func parseFile(name string, data []byte, env map[string]string) (file, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return file{}, fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(doc.Content) == 0 {
		return file{}, nil
	}
	// Values are expanded in the document's tree, after it was parsed: what a
	// variable holds cannot become structure.
	if err := expand(&doc, env); err != nil {
		return file{}, fmt.Errorf("%s, %w", name, err)
	}
	if err := checkKeys(doc.Content[0]); err != nil {
		return file{}, fmt.Errorf("%s, %w", name, err)
	}
	var f file
	if err := doc.Decode(&f); err != nil {
		return file{}, fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	return f, nil
}

// knownKeys are the names that file's tags give.
var knownKeys = map[string]bool{
	"addr": true, "database_url": true, "data": true, "workspace": true, "base_path": true,
	"public_url": true, "hosts": true, "pg_bin": true, "icons": true,
}

func checkKeys(top *yaml.Node) error {
	if top.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: want keys with values", top.Line)
	}
	for i := 0; i < len(top.Content); i += 2 {
		if key := top.Content[i]; !knownKeys[key.Value] {
			return fmt.Errorf("line %d: unknown key %q", key.Line, key.Value)
		}
	}
	return nil
}

var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// expand replaces ${NAME} in values by the server's environment.
func expand(n *yaml.Node, env map[string]string) error {
	if n.Kind == yaml.ScalarNode {
		var missing string
		n.Value = variable.ReplaceAllStringFunc(n.Value, func(m string) string {
			value, ok := env[m[2:len(m)-1]]
			if !ok {
				missing = m
			}
			return value
		})
		if missing != "" {
			return fmt.Errorf("line %d: %s is not set in the environment", n.Line, missing)
		}
	}
	for _, child := range n.Content {
		if err := expand(child, env); err != nil {
			return err
		}
	}
	return nil
}
