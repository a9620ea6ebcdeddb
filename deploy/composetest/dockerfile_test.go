package composetest

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// instruction is one instruction of a Dockerfile, its lines joined.
type instruction struct{ name, args string }

// parseDockerfile reads the part of the language that deploy/Dockerfile uses:
// comments, and instructions over several lines.
func parseDockerfile(t *testing.T, file string) []instruction {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []instruction
	joined := ""
	for _, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if part, more := strings.CutSuffix(line, `\`); more {
			joined += part
			continue
		}
		name, args, _ := strings.Cut(joined+line, " ")
		all = append(all, instruction{strings.ToUpper(name), strings.TrimSpace(args)})
		joined = ""
	}
	return all
}

// image is what a Dockerfile leads to.
type image struct {
	root            string // the image's files
	bases           []string
	env             map[string]string
	user            string
	entrypoint, cmd []string
	healthcheck     string
}

// buildImage runs a Dockerfile's steps without an engine. Each stage is a
// folder; where a step names /src or /out it gets that folder's own instead.
// The base images are not there: this machine's programs take their place.
func buildImage(t *testing.T, dockerfile, context, version string) image {
	t.Helper()
	img := image{env: map[string]string{}}
	stages := map[string]string{}
	stage, workdir := "", ""
	for _, in := range parseDockerfile(t, dockerfile) {
		switch in.name {
		case "FROM":
			base, name, _ := strings.Cut(in.args, " AS ")
			img.bases = append(img.bases, base)
			stage = openDir(t)
			stages[name] = stage
			img.root, workdir = stage, ""
		case "WORKDIR":
			workdir = filepath.Join(stage, in.args)
			mkdir(t, workdir)
		case "COPY":
			copyStep(t, in.args, stages, stage, workdir, context, dockerfile+".dockerignore")
		case "RUN":
			runStep(t, in.args, stage, workdir, version)
		case "ARG":
			if in.args != "VERSION=container" {
				t.Fatalf("ARG %s: not known here", in.args)
			}
		case "ENV":
			for _, pair := range strings.Fields(in.args) {
				key, value, _ := strings.Cut(pair, "=")
				img.env[key] = value
			}
		case "USER":
			img.user = in.args
		case "ENTRYPOINT":
			img.entrypoint = list(t, in.args)
		case "CMD":
			img.cmd = list(t, in.args)
		case "HEALTHCHECK":
			img.healthcheck = in.args
		case "EXPOSE":
		default:
			t.Fatalf("%s: an instruction that this test does not know", in.name)
		}
	}
	return img
}

func list(t *testing.T, args string) []string {
	t.Helper()
	var words []string
	if err := json.Unmarshal([]byte(args), &words); err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	return words
}

// inStage is a step's path that belongs to the stage, not to the base image.
var inStage = regexp.MustCompile(`(^|[\s="'])(/(?:src|out)\b)`)

func runStep(t *testing.T, command, stage, workdir, version string) {
	t.Helper()
	command = inStage.ReplaceAllString(command, "${1}"+stage+"${2}")
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", "umask 022; "+command)
	cmd.Dir = workdir
	// As in the base image, nothing but the build's own variables has a say.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "VERSION=" + version, "PWD=" + workdir}
	for _, key := range []string{"HOME", "GOTOOLCHAIN", "GOPROXY", "GOSUMDB", "GOCACHE", "GOMODCACHE", "GOPATH", "SSL_CERT_FILE", "SSL_CERT_DIR"} {
		if value := os.Getenv(key); value != "" {
			cmd.Env = append(cmd.Env, key+"="+value)
		}
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("RUN %s: %v\n%s", command, err, out)
	}
}

func copyStep(t *testing.T, args string, stages map[string]string, stage, workdir, context, ignore string) {
	t.Helper()
	words := strings.Fields(args)
	from, skip := context, ignored(t, ignore)
	if name, ok := strings.CutPrefix(words[0], "--from="); ok {
		if stages[name] == "" {
			t.Fatalf("COPY %s: no such stage", args)
		}
		from, skip, words = stages[name], nil, words[1:]
	}
	to := words[len(words)-1]
	if filepath.IsAbs(to) {
		to = filepath.Join(stage, to)
	} else {
		to = filepath.Join(workdir, to)
	}
	for _, source := range words[:len(words)-1] {
		source = filepath.Join(from, source)
		info, err := os.Stat(source)
		if err != nil {
			t.Fatalf("COPY %s: %v", args, err)
		}
		if info.IsDir() {
			err = copyTree(source, to, skip)
		} else {
			err = copyFile(source, filepath.Join(to, filepath.Base(source)), info.Mode())
		}
		if err != nil {
			t.Fatalf("COPY %s: %v", args, err)
		}
	}
}

// ignored reads a .dockerignore of plain paths from the top folder.
func ignored(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, line := range strings.Fields(regexp.MustCompile(`(?m)^#.*`).ReplaceAllString(string(text), "")) {
		if strings.ContainsAny(line, "*?[!") || filepath.Clean(line) != line {
			t.Fatalf("%s: %q is more than a path from the top folder", file, line)
		}
		names = append(names, line)
	}
	return names
}

func copyTree(from, to string, skip []string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		switch {
		case err != nil:
			return err
		case slices.Contains(skip, name) && d.IsDir():
			return fs.SkipDir
		case slices.Contains(skip, name):
			return nil
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		case !info.Mode().IsRegular():
			return fmt.Errorf("%s: neither a file nor a folder", path)
		}
		return copyFile(path, filepath.Join(to, name), info.Mode())
	})
}

func copyFile(from, to string, mode fs.FileMode) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, mode.Perm())
}

func mkdir(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
}
