//go:build ignore

// Writes app.css from the style sheets in css/, and the scripts from
// web/client.
package main

import (
	"log"
	"os"

	"webshell/web/static/bundle"
)

func main() {
	css, err := bundle.CSS("css", "../../internal/markdown/chroma.css")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("app.css", css, 0o644); err != nil {
		log.Fatal(err)
	}
	if err := bundle.Client("../client", "."); err != nil {
		log.Fatal(err)
	}
}
