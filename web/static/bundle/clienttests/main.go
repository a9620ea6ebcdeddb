// Command clienttests bundles the client's tests into a folder, for node's test
// runner.
//
//	go run ./web/static/bundle/clienttests FOLDER
package main

import (
	"log"
	"os"
	"path/filepath"

	"webshell/web/static/bundle"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: clienttests FOLDER")
	}
	out, err := filepath.Abs(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if err := bundle.Tests("web/client", out); err != nil {
		log.Fatal(err)
	}
}
