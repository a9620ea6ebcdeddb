package bundle

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// Sources are the style sheets in the order of the cascade. The last one holds
// what must win: print, forced colours, reduced motion.
var Sources = []string{
	"tokens.css", "base.css", "side.css", "layout.css", "transcript.css", "rows.css",
	"chips.css", "composer.css", "signin.css", "menus.css", "markdown.css", "states.css",
}

// CSS joins the style sheets of dir and packs them. The file highlight, the
// colours of code in answers, goes before the last one; it may be missing.
func CSS(dir, highlight string) ([]byte, error) {
	var out bytes.Buffer
	last := len(Sources) - 1
	for i, name := range Sources {
		if i == last {
			if err := add(&out, highlight); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
		if err := add(&out, filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return pack(out.String())
}

func add(out *bytes.Buffer, name string) error {
	css, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	out.Write(css)
	out.WriteByte('\n')
	return nil
}

// pack drops what a browser does not need. Nothing is rewritten for older
// browsers: the sources say what they fall back to.
func pack(css string) ([]byte, error) {
	result := api.Transform(css, api.TransformOptions{
		Loader: api.LoaderCSS, MinifyWhitespace: true, LegalComments: api.LegalCommentsNone, Charset: api.CharsetUTF8,
	})
	if err := failure(append(result.Errors, result.Warnings...)); err != nil {
		return nil, err
	}
	return result.Code, nil
}
