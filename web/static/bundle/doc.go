// Package bundle makes the files that pages load from their sources: the style
// sheet from css/, the scripts from web/client, and the licences of what is in
// them. It runs under go generate; its output is committed, so that nobody
// needs node to build or run the program.
package bundle
