package markdown

import (
	"fmt"
	"strings"
)

// mixedAnswer is an answer of about size bytes like models write them.
func mixedAnswer(size int) string {
	var b strings.Builder
	for i := 1; b.Len() < size; i++ {
		fmt.Fprintf(&b, "## Step %d: look at the *queue*\n\n", i)
		fmt.Fprintf(&b, "The worker claims a row with `FOR UPDATE SKIP LOCKED`, so **two workers** never see the same one. "+
			"See [the manual](https://www.postgresql.org/docs/current/sql-select.html#%d) for why this is not a lock on the table, "+
			"and what happens to a row whose worker died.\n\n", i)
		b.WriteString("- the row is claimed by one worker\n- its lease is extended every *few* seconds\n" +
			"  - by the same worker\n  - with the same token `t`\n- then it is **deleted**\n\n")
		fmt.Fprintf(&b, "```go\n// claim takes the oldest row that nobody holds.\nfunc claim%d(ctx context.Context, db *pgx.Conn) (int64, error) {\n"+
			"\tvar id int64\n\terr := db.QueryRow(ctx, `SELECT id FROM inbox ORDER BY id LIMIT 1`).Scan(&id)\n"+
			"\tif errors.Is(err, pgx.ErrNoRows) {\n\t\treturn 0, nil // nothing to do\n\t}\n\treturn id, err\n}\n```\n\n", i)
		b.WriteString("| Column | Type | Meaning |\n|:-------|:----:|--------:|\n| id | bigint | the row |\n" +
			"| token | uuid | who holds it |\n| `until` | timestamptz | when the lease ends |\n\n")
		b.WriteString("1. Read the row.\n2. Do the work, which takes a while and may fail in the middle.\n3. Delete it.\n\n> Nothing is run twice without being asked.\n\n")
	}
	return b.String()
}

func bigList(size int) string {
	var b strings.Builder
	for i := 1; b.Len() < size; i++ {
		fmt.Fprintf(&b, "- item %d with *some* words and `code %d`\n", i, i)
	}
	return b.String()
}

func bigTable(size int) string {
	var b strings.Builder
	b.WriteString("| Name | Value | Note |\n|------|------:|------|\n")
	for i := 1; b.Len() < size; i++ {
		fmt.Fprintf(&b, "| row %d | %d | a *note* with `code` |\n", i, i*i)
	}
	return b.String()
}

func bigFence(size int) string {
	var b strings.Builder
	b.WriteString("```go\n")
	for i := 1; b.Len() < size; i++ {
		fmt.Fprintf(&b, "\tx%d := f(%d, \"text & <more>\") // comment\n", i, i)
	}
	return b.String()
}

func bigParagraph(size int) string {
	var b strings.Builder
	for i := 1; b.Len() < size; i++ {
		fmt.Fprintf(&b, "Sentence %d has *some* emphasis and `code` in it. ", i)
	}
	return b.String()
}

func bigQuote(size int) string {
	return "> " + strings.ReplaceAll(strings.TrimSpace(bigList(size)), "\n", "\n> ") + "\n"
}
