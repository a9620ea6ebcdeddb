package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/vuln/scan"
)

//go:embed accepted.txt
var acceptedFile string

// run fetches the database and hands the arguments to govulncheck.
func run(ctx context.Context, args []string) error {
	accepted, err := parseAccepted(acceptedFile, time.Now())
	if err != nil {
		return err
	}
	src, err := fetchSource(ctx, os.Stdout)
	if err != nil {
		return err
	}
	return check(ctx, src, accepted, os.Stdout, args)
}

// check builds the database from src in a temporary folder and runs
// govulncheck on it. Its text goes to out.
func check(ctx context.Context, src source, accepted []acceptance, out io.Writer, args []string) error {
	dir, err := os.MkdirTemp("", "vulndb-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := writeDatabase(dir, src, accepted); err != nil {
		return err
	}
	fmt.Fprintf(out, "vulnerability database: %s %s, %s\n", sourceModule, src.version, src.time.Format(time.DateOnly))
	for _, a := range accepted {
		fmt.Fprintf(out, "accepted until %s: %s, %s\n", a.until.Format(time.DateOnly), a.id, a.reason)
	}
	cmd := scan.Command(ctx, append([]string{"-db", "file://" + dir}, args...)...)
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Wait()
}
