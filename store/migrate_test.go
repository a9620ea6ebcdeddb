package store

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

	"webshell/migrations"
)

// emptyDatabase is set by the external tests, which may import storetest.
var emptyDatabase func(t testing.TB) string

// EmptyDatabaseForTest lets the package's external test file lend its cluster.
func EmptyDatabaseForTest(f func(t testing.TB) string) { emptyDatabase = f }

func one(sql string) fstest.MapFS { return fstest.MapFS{"0001_a.sql": {Data: []byte(sql)}} }

func two(first, second string) fstest.MapFS {
	files := one(first)
	files["0002_b.sql"] = &fstest.MapFile{Data: []byte(second)}
	return files
}

func tables(t *testing.T, url string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	var names string
	const list = `select coalesce(string_agg(tablename, ' ' order by tablename), '') from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'`
	if err := conn.QueryRow(t.Context(), list).Scan(&names); err != nil {
		t.Fatal(err)
	}
	return names
}

func TestMigrateRunsEachOnceAndGoesOn(t *testing.T) {
	t.Parallel()
	url := emptyDatabase(t)
	first := `create table a (); create table b ()`
	if applied, err := migrateFiles(t.Context(), url, one(first)); err != nil || len(applied) != 1 {
		t.Fatalf("%v, %v", applied, err)
	}
	if applied, err := migrateFiles(t.Context(), url, one(first)); err != nil || len(applied) != 0 {
		t.Fatalf("again: %v, %v", applied, err)
	}
	if applied, err := migrateFiles(t.Context(), url, two(first, `create table c ()`)); err != nil || len(applied) != 1 {
		t.Fatalf("an upgrade: %v, %v", applied, err)
	}
	if got := tables(t, url); got != "a b c" {
		t.Errorf("tables %s", got)
	}
}

func TestAFailedMigrationLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	url := emptyDatabase(t)
	_, err := migrateFiles(t.Context(), url, two(`create table a ()`, `create table b (); select 1/0`))
	if err == nil || !strings.Contains(err.Error(), "0002_b.sql failed and was rolled back") {
		t.Fatalf("got %v", err)
	}
	if got := tables(t, url); got != "a" {
		t.Errorf("tables %s", got)
	}
	if _, err := migrateFiles(t.Context(), url, two(`create table a ()`, `create table b ()`)); err != nil {
		t.Errorf("the mended migration: %v", err)
	}
}

func TestAForeignSchemaIsRefusedAndLeft(t *testing.T) {
	t.Parallel()
	url := emptyDatabase(t)
	if _, err := migrateFiles(t.Context(), url, two(`create table a ()`, `create table b ()`)); err != nil {
		t.Fatal(err)
	}
	if _, err := migrateFiles(t.Context(), url, one(`create table a ()`)); err == nil || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("an older build: %v", err)
	}
	if _, err := migrateFiles(t.Context(), url, two(`create table x ()`, `create table b ()`)); err == nil || !strings.Contains(err.Error(), "another migration") {
		t.Errorf("another build: %v", err)
	}
	if got := tables(t, url); got != "a b" {
		t.Errorf("tables %s", got)
	}
}

func TestProcessesMigrateOneAtATime(t *testing.T) {
	t.Parallel()
	url := emptyDatabase(t)
	var wg sync.WaitGroup
	applied := make([][]string, 4)
	for i := range applied {
		wg.Go(func() {
			var err error
			if applied[i], err = Migrate(t.Context(), url); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	all, err := readMigrations(migrations.Files)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, names := range applied {
		total += len(names)
	}
	if total != len(all) {
		t.Errorf("%d migrations were applied, there are %d", total, len(all))
	}
}

// Whatever schema a database was left with, this build takes it on, with what
// is in it.
func TestEachEarlierSchemaIsBroughtUpToDate(t *testing.T) {
	t.Parallel()
	all, err := readMigrations(migrations.Files)
	if err != nil {
		t.Fatal(err)
	}
	earlier := fstest.MapFS{}
	for i, m := range all[:len(all)-1] {
		earlier[m.name] = &fstest.MapFile{Data: []byte(m.sql)}
		url := emptyDatabase(t)
		if _, err := migrateFiles(t.Context(), url, earlier); err != nil {
			t.Fatal(err)
		}
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(context.Background())
		const seed = `with s as (insert into sessions (owner_id, agent, last_seq) select id, 'demo', 1 from users returning id)
			insert into events (session_id, seq, kind, content) select id, 1, 'user/message', 'kept' from s`
		if _, err := conn.Exec(t.Context(), seed); err != nil {
			t.Fatal(err)
		}
		applied, err := Migrate(t.Context(), url)
		if err != nil || len(applied) != len(all)-i-1 {
			t.Errorf("after %s: applied %v, %v", m.name, applied, err)
		}
		var content string
		if err := conn.QueryRow(t.Context(), `select content from events`).Scan(&content); err != nil || content != "kept" {
			t.Errorf("after %s: %q, %v", m.name, content, err)
		}
	}
}

func TestMigrationsAreNumberedWithoutGaps(t *testing.T) {
	if _, err := readMigrations(fstest.MapFS{"0002_b.sql": {}}); err == nil {
		t.Error("a gap was accepted")
	}
	if _, err := readMigrations(fstest.MapFS{"1_b.sql": {}}); err == nil {
		t.Error("a short number was accepted")
	}
}

func TestStorableJSON(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 500) + "1" + strings.Repeat("}", 500)
	for name, c := range map[string]struct{ in, want string }{
		"plain":           {`{"a":[1,2.5,"x"]}`, `{"a":[1,2.5,"x"]}`},
		"NUL":             {`{"a":"x\u0000y"}`, "{\"a\":\"x\uFFFDy\"}"},
		"NUL in a key":    {`{"a\u0000":1}`, "{\"a\uFFFD\":1}"},
		"lone surrogate":  {`["\ud800"]`, "[\"\uFFFD\"]"},
		"pair":            {`["\ud83d\ude00"]`, "[\"\U0001F600\"]"},
		"huge number":     {`[1e400]`, `["1e400"]`},
		"expanding":       {`[1e100000]`, `["1e100000"]`},
		"long literal":    {`[` + strings.Repeat("9", 40) + `]`, `["` + strings.Repeat("9", 40) + `"]`},
		"e in a string":   {`["1e9"]`, `["1e9"]`},
		"e in a word":     {`[true,false]`, `[true,false]`},
		"no JSON":         {`{`, unreadableJSON},
		"HTML stays":      {`["<b>&\u0001"]`, `["<b>&\u0001"]`},
		"trailing":        {`{} {}`, `{}`},
		"broken UTF-8":    {"[\"\xff\"]", "[\"\uFFFD\"]"},
		"escaped quote":   {`["\"1e5"]`, `["\"1e5"]`},
		"number then key": {`{"1":"e"}`, `{"1":"e"}`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(storableJSON([]byte(c.in))); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	t.Run("deep", func(t *testing.T) {
		if got := string(storableJSON([]byte(deep))); strings.Count(got, "{") != maxJSONDepth || !strings.Contains(got, "…") {
			t.Errorf("got %s", got)
		}
	})
}
