// Package static holds the files that pages load: the style sheet, the scripts
// and the icons, inside the program. Each is served under a name that holds a
// hash of its content, so that browsers may keep it for ever.
package static

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"path"
	"strings"
)

//go:generate go run generate.go

//go:embed app.css favicon.svg logo.svg app.js editor.js htmx.js licenses.txt
var files embed.FS

// hashDigits is how much of the hash is in a name: 48 bits, for a handful of
// files.
const hashDigits = 12

// asset is one file as it is served.
type asset struct {
	name    string // hashed: app.0123456789ab.css
	kind    string // content type
	etag    string
	plain   []byte
	zipped  func() []byte // nil where compression gains nothing
	forever bool          // under its hashed name
}

// types are the content types by file name extension. A file of another kind
// cannot be added without naming its type here.
var types = map[string]string{
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
	".js":  "text/javascript; charset=utf-8",
	".txt": "text/plain; charset=utf-8",
}

var (
	byName = map[string]asset{} // both names of each file
	hashed = map[string]string{}
)

func init() {
	names, err := fs.Glob(files, "*")
	if err != nil {
		panic("static: " + err.Error())
	}
	for _, name := range names {
		content, err := files.ReadFile(name)
		if err != nil {
			panic("static: " + err.Error())
		}
		register(name, content)
	}
}

func register(name string, content []byte) {
	ext := path.Ext(name)
	kind, ok := types[ext]
	if !ok {
		panic("static: no content type for " + name)
	}
	sum := sha256.Sum256(content)
	digest := hex.EncodeToString(sum[:])[:hashDigits]
	a := asset{
		name:   strings.TrimSuffix(name, ext) + "." + digest + ext,
		kind:   kind,
		etag:   `"` + digest + `"`,
		plain:  content,
		zipped: onceZipped(content),
	}
	byName[name] = a
	hashed[name] = a.name
	a.forever = true
	byName[a.name] = a
}

// URL is where the file name is served under the base path base: "" or
// "/prefix". A name that is not there gives a URL that answers 404.
func URL(base, name string) string {
	if h, ok := hashed[name]; ok {
		name = h
	}
	return base + "/static/" + name
}
