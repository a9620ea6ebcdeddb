// Package migrations holds the schema as numbered SQL files. A file that has
// been released is never changed; the next change is the next number.
package migrations

import "embed"

// Files are the migrations, named NNNN_what.sql.
//
//go:embed *.sql
var Files embed.FS
