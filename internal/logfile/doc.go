// Package logfile reads and writes a session's log as a file: JSON Lines in
// UTF-8, an event each, the oldest first. docs/log.md has the format.
package logfile
