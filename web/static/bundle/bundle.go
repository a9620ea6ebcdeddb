// Package bundle joins the product's style sheets into the one that is served.
package bundle

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// sources are the style sheets in the order of the cascade. The last one holds
// what must win: print, forced colours, reduced motion.
var sources = []string{
	"tokens.css", "base.css", "side.css", "layout.css", "transcript.css", "rows.css",
	"chips.css", "composer.css", "markdown.css", "states.css",
}

// CSS joins the style sheets of dir. The file highlight, the colours of code
// in answers, goes before the last one; it may be missing.
func CSS(dir, highlight string) ([]byte, error) {
	var out bytes.Buffer
	last := len(sources) - 1
	for i, name := range sources {
		if i == last {
			if err := add(&out, highlight); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
		if err := add(&out, filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

func add(out *bytes.Buffer, name string) error {
	css, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	out.Write(Pack(css))
	return nil
}

var comment = regexp.MustCompile(`(?s)/\*.*?\*/`)

// Pack drops comments, indentation and the line breaks that mean nothing. It
// reads lines, not CSS: a string or a url() never spans two of ours, and none
// holds a comment.
func Pack(css []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(comment.ReplaceAll(css, nil)) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		out.Write(line)
		if !bytes.ContainsAny(line[len(line)-1:], "{};,") {
			out.WriteByte('\n')
		}
	}
	out.WriteByte('\n')
	return out.Bytes()
}
