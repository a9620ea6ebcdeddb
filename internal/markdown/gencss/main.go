// Command gencss writes the style sheet for highlighted code to the file named
// by its argument.
package main

import (
	"fmt"
	"os"

	"webshell/internal/markdown"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gencss FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], []byte(markdown.CSS()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "gencss:", err)
		os.Exit(1)
	}
}
