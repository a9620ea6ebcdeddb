package locales

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// clientPrefixes begin keys of scripts whose end comes from data.
var clientPrefixes = []string{"answer.", "menu.", "state.", "title."}

var (
	said   = regexp.MustCompile(`words\.t\("([a-z]+(?:\.[a-z]+)*)"`)
	quoted = regexp.MustCompile("[\"`]([a-z]+(?:\\.[a-z]+)*)[\"`]")
	member = regexp.MustCompile(`\["[a-z]+"\]`) // of an answer, such as json["more"]
)

// clientSource is the text of all scripts, without their tests.
func clientSource(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir("../client/src", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".ts") || strings.HasSuffix(path, ".test.ts") {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// TestClientKeysAreUsed: each key of the scripts is named by one, and what they
// say by name has words.
func TestClientKeysAreUsed(t *testing.T) {
	t.Parallel()
	source, p := clientSource(t), For(English)
	spoken := said.FindAllStringSubmatch(source, -1)
	if len(spoken) < 20 {
		t.Errorf("only %d names found in the scripts", len(spoken))
	}
	for _, m := range spoken {
		if !p.Has("client." + m[1]) {
			t.Errorf("client.%s is used and has no words", m[1])
		}
	}
	names := map[string]bool{}
	for _, m := range quoted.FindAllStringSubmatch(member.ReplaceAllString(source, ""), -1) {
		names[m[1]] = true
	}
	for key := range p.messages {
		name, ours := strings.CutPrefix(key, "client.")
		if ours && !names[name] && !slices.ContainsFunc(clientPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			t.Errorf("%s is used nowhere", key)
		}
	}
}
