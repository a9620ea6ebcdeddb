// Command licenses says under which licences the modules linked into a
// program may be used, and refuses those that are copyleft or unknown.
//
//	licenses list PACKAGE        prints a Markdown table
//	licenses copy DIR PACKAGE    copies each module's licence files into DIR
//
// It reads the licence files of the module cache, so it says nothing that
// cannot be read there.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	switch {
	case len(args) == 2 && args[0] == "list":
		modules, err := linked(args[1])
		if err != nil {
			return err
		}
		return list(out, modules)
	case len(args) == 3 && args[0] == "copy":
		modules, err := linked(args[2])
		if err != nil {
			return err
		}
		return copyFiles(args[1], modules)
	}
	return fmt.Errorf("usage: licenses list PACKAGE | licenses copy DIR PACKAGE")
}
