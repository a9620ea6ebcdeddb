package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The module these tests check has a vulnerability that is known since 2020
// and has no fix under this path.
const (
	vulnerableID  = "GO-2020-0017"
	vulnerableMod = `module example.test/victim

go 1.26.0

require github.com/dgrijalva/jwt-go v3.2.0+incompatible
`
	vulnerableSum = `github.com/dgrijalva/jwt-go v3.2.0+incompatible h1:7qlOGliEKZXTDg6OTjfoBKDXWrumCAMpl/TFQ4/5kLM=
github.com/dgrijalva/jwt-go v3.2.0+incompatible/go.mod h1:E3ru+11k8xSBh+hMPgOLZmtrrCbhqsmaPHjLKYnJCaQ=
`
	callsIt = `package main

import "github.com/dgrijalva/jwt-go"

func main() { println(jwt.MapClaims{}.VerifyAudience("a", false)) }
`
	importsIt = `package main

import "github.com/dgrijalva/jwt-go"

func main() { println(len(jwt.MapClaims{})) }
`
)

func TestGate(t *testing.T) {
	src, err := fetchSource(t.Context(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, program string
		accepted      []acceptance
		wantExit      int
		want          string
	}{
		{"called", callsIt, nil, 3, "Vulnerability #1: " + vulnerableID},
		{"imported and not called", importsIt, nil, 0, "No vulnerabilities found"},
		{
			"accepted", callsIt,
			[]acceptance{{id: vulnerableID, until: time.Now(), reason: "a test"}},
			0, "No vulnerabilities found",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "go.mod"), vulnerableMod)
			write(t, filepath.Join(dir, "go.sum"), vulnerableSum)
			write(t, filepath.Join(dir, "main.go"), tt.program)
			var out strings.Builder
			err := check(t.Context(), src, tt.accepted, &out, []string{"-C", dir, "./..."})
			if got := exitCode(err); got != tt.wantExit {
				t.Errorf("exit code %d (%v), want %d\n%s", got, err, tt.wantExit, out.String())
			}
			if !strings.Contains(out.String(), tt.want) {
				t.Errorf("output lacks %q:\n%s", tt.want, out.String())
			}
		})
	}
}

func exitCode(err error) int {
	if err == nil {
		return 0
	}
	var exit interface{ ExitCode() int }
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
